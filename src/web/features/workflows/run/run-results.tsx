import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { AssetView } from '#web/outputs/asset-view.tsx';
import { DownloadLink } from '#web/outputs/download-link.tsx';
import { UseAsMenu } from '#web/outputs/use-as-menu.tsx';
import { cx } from '#web/ui/cx.ts';
import { Section } from '#web/ui/section.tsx';
import { type MadeFile, readResults } from './read-results.ts';

/** What a run that ended well gives. */
export function RunResults({ run }: { run: WorkflowRun }) {
  const results = readResults(run);
  if (results.length === 0) return null;
  return (
    <Section title={results.length === 1 ? 'Result' : 'Results'}>
      <div className="grid gap-6 @2xl:grid-cols-2">
        {results.map((result) => (
          <div
            key={result.name}
            className={cx('min-w-0', result.kind === 'files' && result.files.length > 1 && 'col-span-full')}
          >
            <h4 className="mb-1.5 text-sm text-ink-2">{result.name}</h4>
            {result.kind === 'text' ? (
              <p className="max-h-72 overflow-y-auto rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere">
                {result.text}
              </p>
            ) : (
              <ul className={cx('grid gap-3', result.files.length > 1 && '@lg:grid-cols-2 @4xl:grid-cols-3')}>
                {result.files.map((file, at) => (
                  <li key={file.asset.id} className="min-w-0">
                    <File file={file} name={result.files.length > 1 ? `${result.name} ${at + 1}` : result.name} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        ))}
      </div>
    </Section>
  );
}

function File({ file: { asset, generation_id, index }, name }: { file: MadeFile; name: string }) {
  return (
    <>
      <AssetView asset={asset} label={name} />
      <div className="mt-1 flex items-center gap-1 text-xs text-ink-3">
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {generation_id ? (
          <UseAsMenu compact generationId={generation_id} type={asset.type} which={{ asset: index }} />
        ) : null}
        <DownloadLink url={asset.url} label={`Download ${name.toLowerCase()}`} />
      </div>
    </>
  );
}
