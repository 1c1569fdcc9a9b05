import { ExternalLink } from 'lucide-react';
import { isRunFact } from '#contract/added-models/output-hints.ts';
import { isObject } from '#web/ui/is-object.ts';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import { type OutputData, readHttpsUrl } from './read-output-data.ts';

/** Texts, facts and other files that an added model returned beside its media. */
export function AddedOutput({ data }: { data: OutputData }) {
  const { other_files, ...all } = data ?? {};
  const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !isRunFact(name)));
  const values = Object.values(rest);
  const text = values.length === 1 && typeof values[0] === 'string' ? values[0] : null;
  const files = (Array.isArray(other_files) ? other_files.filter(isObject) : []).map((file) => ({
    name: String(file['name'] ?? 'File'),
    url: readHttpsUrl(file['url']),
  }));
  return (
    <div className="flex flex-col gap-3">
      {files.length > 0 ? (
        <section aria-label="Other files">
          <ul className="flex flex-col gap-1">
            {files.map(({ url, name }, index) => (
              <li key={index}>
                {url === null ? (
                  <span className="text-sm text-ink-2">{name}</span>
                ) : (
                  <a
                    href={url}
                    target="_blank"
                    rel="noreferrer"
                    className="inline-flex max-w-full items-center gap-1.5 text-sm underline underline-offset-2"
                  >
                    <span className="truncate">{name}</span>
                    <ExternalLink aria-hidden="true" className="size-3.5 flex-none" />
                  </a>
                )}
              </li>
            ))}
          </ul>
          <p className="mt-1 text-xs text-ink-3">
            Only images, videos and sounds are kept here. These files are at the provider, often for a limited time
            {files.some(({ url }) => url === null) ? '; those without a link are on its own server' : ''}.
          </p>
        </section>
      ) : null}
      {text !== null ? (
        <CodeBlock label="Text" text={text} />
      ) : values.length > 0 ? (
        <CodeBlock label="Data" text={JSON.stringify(rest, null, 2)} />
      ) : null}
    </div>
  );
}
