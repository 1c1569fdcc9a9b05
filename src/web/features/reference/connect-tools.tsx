import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ConnectableTool, listTools } from '#contract/api/tool-snippets.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { CodeBlock, CopyableCode } from '#web/ui/display/code-block.tsx';
import { cx } from '#web/ui/cx.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { anchorOffsetClass } from './reference-layout.ts';

/** Of a service whose models are not known. */
const EXAMPLE_MODEL = 'imgmodel-a-2';

/** Base URL, key and code for each tool that can order here. */
export function ConnectTools() {
  const models = useQuery(modelsQuery).data ?? [];
  const model = models.find(({ available, tasks }) => available && tasks.some(({ task }) => task === 'image.create'));
  const tools = listTools({ origin: window.location.origin, model: model?.id ?? EXAMPLE_MODEL });
  const cannotMakeKeys = useCannot('keys.manage_own');
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <div className="flex flex-col gap-2 text-ink-2">
        <p>
          Tools that already speak one of these APIs work with another address and a key of this studio. Each order then
          has a price, a budget and a place in the ledger.
        </p>
        <p>
          {cannotMakeKeys ? (
            'Ask an administrator for a key, one for each tool.'
          ) : (
            <>
              Create a key for each tool under{' '}
              <Link to="/keys" className="text-ink underline underline-offset-2">
                Keys
              </Link>
              , with a budget of its own. The code reads it from the environment variable{' '}
              <code className="font-mono text-sm text-ink">EMULSION_KEY</code>.
            </>
          )}
        </p>
      </div>
      {tools.map((tool) => (
        <ToolSection key={tool.id} tool={tool} />
      ))}
    </div>
  );
}

function ToolSection({ tool: { id, name, about, settings, snippets, note } }: { tool: ConnectableTool }) {
  const [language, setLanguage] = useState(snippets[0]?.language);
  const snippet = snippets.find((each) => each.language === language);
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <div>
        <h2 id={id} className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
          {name}
        </h2>
        <p className="mt-0.5 text-ink-2">{about}</p>
      </div>
      <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] items-center gap-x-5 gap-y-1 text-sm">
        {settings.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-ink-3">{label}</dt>
            <dd className="min-w-0">
              <CopyableCode text={value} label={`Copy ${label} for ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
      {language && snippets.length > 1 ? (
        <SegmentedControl
          label={`Language for ${name}`}
          value={language}
          options={snippets.map((each) => ({ value: each.language, label: each.language }))}
          onChange={setLanguage}
          className="self-start"
        />
      ) : null}
      {snippet ? (
        <CodeBlock
          text={snippet.text}
          label={`${snippet.language} for ${name}`}
          copyLabel={`Copy ${snippet.language} for ${name}`}
        />
      ) : null}
      {note ? <p className="text-sm text-ink-3">{note}</p> : null}
    </section>
  );
}
