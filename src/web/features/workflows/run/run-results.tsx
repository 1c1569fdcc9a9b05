import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { cx } from '#web/ui/cx.ts';
import { Section } from '#web/ui/section.tsx';
import { DataView } from './data-view.tsx';
import { type RunFile, readResults, type RunResult } from './read-results.ts';

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
      <AssetView asset={asset} label={name} max_height="24rem" />
      <div className="mt-1 flex items-center gap-1 text-sm text-ink-2">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {generation_id ? (
          <ContinueWithMenu compact generationId={generation_id} type={asset.type} which={{ asset: index }} />
        ) : null}
        <DownloadLink url={asset.url} label={`Download ${name.toLowerCase()}`} />
      </div>
    </div>
  );
}
