import { useEffect } from 'react';
import { useLocation } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import type { ApiReference } from './parse-openapi-document.ts';
import { GettingStarted } from './getting-started.tsx';
import { OperationView } from './operation-view.tsx';
import { anchorOffsetClass, referenceGridClass } from './reference-layout.ts';
import { ReferenceNav } from './reference-nav.tsx';
import { FieldList } from './field-list.tsx';
import type { Schemas } from './json-schema.ts';

/** All endpoints by tag, then the schemas. Every part has an anchor. */
export function ReferenceView({ reference }: { reference: ApiReference }) {
  useScrollToAnchor();
  const server_url = window.location.origin;
  return (
    <div className={referenceGridClass}>
      <ReferenceNav reference={reference} />
      <div className="flex min-w-0 flex-col gap-14">
        <GettingStarted server_url={server_url} />
        {reference.groups.map((group) => (
          <section key={group.id} aria-labelledby={group.id}>
            <h2 id={group.id} className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
              {group.name}
            </h2>
            {group.description ? <p className="mt-0.5 text-ink-2">{group.description}</p> : null}
            <div className="mt-4 flex flex-col gap-6">
              {group.operations.map((operation) => (
                <OperationView
                  key={operation.id}
                  operation={operation}
                  schemas={reference.schemas}
                  server_url={server_url}
                />
              ))}
            </div>
          </section>
        ))}
        <SchemaList schemas={reference.schemas} />
      </div>
    </div>
  );
}

/** Scrolls to the anchor in the URL and opens it, because the browser tried before the content was loaded. */
function useScrollToAnchor() {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const target = hash ? document.getElementById(hash) : null;
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView();
  }, [hash]);
}

function SchemaList({ schemas }: { schemas: Schemas }) {
  return (
    <section aria-labelledby="schemas">
      <h2 id="schemas" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Schemas
      </h2>
      <p className="mt-0.5 text-ink-2">Objects in requests and responses.</p>
      <ul className="mt-4 divide-y divide-line rounded-md border border-line bg-surface">
        {Object.entries(schemas).map(([name, schema]) => (
          <li key={name}>
            <details id={`schema-${name}`} className={cx('px-4', anchorOffsetClass)}>
              <summary className="flex min-h-11 items-center font-mono text-sm select-none">{name}</summary>
              <div className="pb-4">
                {schema.description ? <p className="mb-2 text-sm text-ink-2">{schema.description}</p> : null}
                <FieldList schemas={schemas} schema={schema} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
