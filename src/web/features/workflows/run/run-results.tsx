import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { cx } from '#web/ui/cx.ts';
import { Section, DescriptionList } from '#web/ui/display/section.tsx';
import { type RunFile, readResults, type RunResult, toLabel } from './read-results.ts';
import { isObject } from '#web/ui/is-object.ts';
import { formatNumber } from '#web/ui/formats.ts';

export function RunResults({ run }: { run: WorkflowRun }) {
  const results = readResults(run);
  if (results.length === 0) return null;
  return (
    <Section title={results.length === 1 ? 'Result' : 'Results'}>
      <div className="grid gap-x-4 gap-y-6 @2xl:grid-cols-2">
        {results.map((result) => (
          <ResultItem key={result.name} result={result} />
        ))}
      </div>
    </Section>
  );
}

function ResultItem({ result }: { result: RunResult }) {
  const { name } = result;
  if (result.kind === 'data')
    return (
      <div className={cx('min-w-0', Array.isArray(result.value) && 'col-span-full')}>
        <h4 className={heading}>{name}</h4>
        <DataView value={result.value} name={name} />
      </div>
    );
  const { files } = result;
  const [only, ...others] = files;
  if (only && others.length === 0) return <ResultFile file={only} name={name} />;
  return (
    <div className="col-span-full min-w-0">
      <h4 className={heading}>{name}</h4>
      <ul className="grid gap-3 @lg:grid-cols-2 @4xl:grid-cols-3">
        {files.map((file, at) => (
          <li key={file.asset.id} className="min-w-0">
            <ResultFile file={file} name={`${name} ${at + 1}`} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const heading = 'mb-1.5 text-sm text-ink-2';

function ResultFile({ file: { asset, generation_id, index }, name }: { file: RunFile; name: string }) {
  return (
    <div className="min-w-0">
      <AssetView asset={asset} label={name} maxHeight="24rem" />
      <div className="mt-1 flex items-center gap-1 text-sm text-ink-2">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {generation_id ? (
          <ContinueWithMenu
            compact
            generationId={generation_id}
            type={asset.type}
            which={{ asset: index, mediaId: asset.id }}
          />
        ) : null}
        <DownloadLink url={asset.url} label={`Download ${name.toLowerCase()}`} />
      </div>
    </div>
  );
}

type Json = Readonly<Record<string, unknown>>;

function formatDataValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return JSON.stringify(value);
}

function DataView({ value, name }: { value: unknown; name: string }) {
  if (isObject(value))
    return (
      <DescriptionList
        rows={Object.entries(value).map(([key, part]) => ({ name: toLabel(key), value: formatDataValue(part) }))}
      />
    );
  if (!Array.isArray(value))
    return <p className="max-h-72 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{formatDataValue(value)}</p>;
  const rows = value.filter(isObject);
  if (rows.length < value.length)
    return (
      <ul className="list-disc pl-5 marker:text-ink-3">
        {value.map((item, at) => (
          // Texts in a list have no identity of their own.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <li key={at} className="wrap-anywhere">
            {formatDataValue(item)}
          </li>
        ))}
      </ul>
    );
  return <DataTable rows={rows} name={name} />;
}

function DataTable({ rows, name }: { rows: readonly Json[]; name: string }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    // Scrollable regions must be focusable for the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <section tabIndex={0} aria-label={name} className="max-h-80 overflow-auto rounded-md border border-line">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-left text-xs text-ink-3">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="border-b border-line px-3 py-2 font-medium whitespace-nowrap">
                {toLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity of their own.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            <tr key={at} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column} className="max-w-md min-w-24 px-3 py-2 align-top tabular-nums wrap-anywhere">
                  {formatDataValue(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
