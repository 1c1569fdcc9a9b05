import { useEffect, useState } from 'react';
import { useLocation, Link } from '@tanstack/react-router';
import { cx } from '#web/ui/cx.ts';
import type { ApiReference } from './parse-openapi-document.ts';
import { OperationView } from './operation-view.tsx';
import { anchorOffsetClass, referenceGridClass } from './reference-layout.ts';
import { ReferenceNav } from './reference-nav.tsx';
import { FieldList } from './field-list.tsx';
import type { JsonSchema } from '#web/api/queries/reference.ts';
import type { Schemas } from './json-schema.ts';
import { CodeBlock } from '#web/ui/display/code-block.tsx';

export function ReferenceView({ reference }: { reference: ApiReference }) {
  useScrollToAnchor();
  const serverUrl = window.location.origin;
  return (
    <div className={referenceGridClass}>
      <ReferenceNav reference={reference} />
      <div className="flex min-w-0 flex-col gap-14">
        <GettingStarted serverUrl={serverUrl} />
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
                  serverUrl={serverUrl}
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
          <SchemaEntry key={name} name={name} schema={schema} schemas={schemas} />
        ))}
      </ul>
    </section>
  );
}

interface SchemaEntryProps {
  name: string;
  schema: JsonSchema;
  schemas: Schemas;
}

function SchemaEntry({ name, schema, schemas }: SchemaEntryProps) {
  const [isRendered, setIsRendered] = useState(false);
  return (
    <li>
      <details
        id={`schema-${name}`}
        className={cx('px-4', anchorOffsetClass)}
        onToggle={(event) => {
          if (event.currentTarget.open) setIsRendered(true);
        }}
      >
        <summary className="flex min-h-11 items-center font-mono text-sm select-none">{name}</summary>
        <div className="pb-4">
          {isRendered && schema.description ? <p className="mb-2 text-sm text-ink-2">{schema.description}</p> : null}
          {isRendered ? <FieldList schemas={schemas} schema={schema} /> : null}
        </div>
      </details>
    </li>
  );
}

function GettingStarted({ serverUrl }: { serverUrl: string }) {
  return (
    <section aria-labelledby="start" className="max-w-3xl">
      <h2 id="start" className={cx('text-lg font-semibold tracking-[-0.01em]', anchorOffsetClass)}>
        Getting started
      </h2>
      <div className="mt-3 flex flex-col gap-3 text-ink-2">
        <p>
          Send requests to <code className="font-mono text-sm text-ink">{serverUrl}</code>. Requests and responses are
          JSON. Endpoints marked “Requires key” expect an API key in the Authorization header. Create one in{' '}
          <Link to="/keys" className="text-ink underline underline-offset-2">
            Keys
          </Link>
          .
        </p>
        <CodeBlock
          label="First request"
          text={`export EMULSION_KEY='mgs_usr_…'\ncurl ${serverUrl}/v1/me -H "Authorization: Bearer $EMULSION_KEY"`}
        />
        <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-ink-3">
          <li>Generations are asynchronous: create one, then poll it until its status is final, or use webhooks.</li>
          <li>
            Send an <code className="font-mono text-sm text-ink">Idempotency-Key</code> header when you start work. A
            repeated request with the same key takes effect only once.
          </li>
          <li>
            Lists are paginated, newest first. Pass <code className="font-mono text-sm text-ink">next_cursor</code> as{' '}
            <code className="font-mono text-sm text-ink">cursor</code> until{' '}
            <code className="font-mono text-sm text-ink">has_more</code> is false.
          </li>
          <li>
            Amounts are decimal strings in US dollars, such as{' '}
            <code className="font-mono text-sm text-ink">"0.345"</code>. Do not calculate with them as floating point.
          </li>
          <li>
            Errors have a <code className="font-mono text-sm text-ink">code</code> for your program, a{' '}
            <code className="font-mono text-sm text-ink">message</code> for a person, and a{' '}
            <code className="font-mono text-sm text-ink">request_id</code> for support.
          </li>
        </ul>
      </div>
    </section>
  );
}
