import { useEffect } from 'react';
import { useLocation } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import type { ApiReference } from './parse-openapi-document.ts';
import { GettingStarted } from './getting-started.tsx';
import { OperationView } from './operation-view.tsx';
import { anchorOffsetClass, referenceGridClass } from './reference-layout.ts';
import { ReferenceNav } from './reference-nav.tsx';
import { SchemaList } from './schema-list.tsx';

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
