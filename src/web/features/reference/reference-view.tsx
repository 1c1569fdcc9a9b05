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

/** All endpoints by subject, then the shapes they exchange; every part has an anchor to link to. */
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

/** The page's content came after the address: the part that it names is scrolled to now, and opened where it is closed. */
function useScrollToAnchor() {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const target = hash ? document.getElementById(hash) : null;
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView();
  }, [hash]);
}

/** Every named shape, closed until it is wanted. */
function SchemaList({ schemas }: { schemas: Schemas }) {
  return (
    <section aria-labelledby="shapes">
      <h2 id="shapes" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Shapes
      </h2>
      <p className="mt-0.5 text-ink-2">What the calls take and answer, by name.</p>
      <ul className="mt-4 divide-y divide-line rounded-md border border-line bg-surface">
        {Object.entries(schemas).map(([name, schema]) => (
          <li key={name}>
            <details id={`shape-${name}`} className={cx('px-4', anchorOffsetClass)}>
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
