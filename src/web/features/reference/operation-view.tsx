import { KeyRound, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import type { ApiOperation } from './parse-openapi-document.ts';
import { FieldList, type ListedField } from './field-list.tsx';
import type { Schemas } from './json-schema.ts';
import { anchorOffsetClass } from './reference-layout.ts';
import type { JsonSchema } from '#web/api/queries/reference.ts';
import { sampleValue } from './sample-value.ts';

const SAMPLE_IDS: Readonly<Record<string, string>> = {
  generation_id: 'gen_01jz5v8q4n7x2m9k3c6r0t8w1y',
  workflow_run_id: 'run_01jz5v8q4n7x2m9k3c6r0t8w1y',
  upload_id: 'upl_01jz5v8q4n7x2m9k3c6r0t8w1y',
  key_id: 'key_01jz5v8q4n7x2m9k3c6r0t8w1y',
  endpoint_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
};
const SAMPLE_FILES: Readonly<Record<string, string>> = { file: 'picture.png' };

const BINARY = 'application/octet-stream';

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Reads the key from the environment to keep it out of the shell history. @param body the chosen body schema */
export function curlCommand(operation: ApiOperation, serverUrl: string, schemas: Schemas, body?: JsonSchema): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => SAMPLE_IDS[name] ?? placeholder);
  const isIdempotent = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${serverUrl}${path}`,
    operation.needsKey ? '-H "Authorization: Bearer $EMULSION_KEY"' : undefined,
    isIdempotent ? '-H "Idempotency-Key: $(uuidgen)"' : undefined,
  ];
  const schema = body ?? operation.body?.schema;
  if (schema && operation.body?.type === 'application/json')
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d ${shellQuote(JSON.stringify(sampleValue(schema, schemas), null, 2))}`,
    );
  else if (operation.body?.type === BINARY) lines.push(`-H 'Content-Type: ${BINARY}'`, '--data-binary @file');
  else if (schema)
    lines.push(...Object.keys(schema.properties ?? {}).map((name) => `-F ${name}=@${SAMPLE_FILES[name] ?? name}`));
  return lines.filter((line) => line !== undefined).join(' \\\n  ');
}

interface OperationViewProps {
  operation: ApiOperation;
  schemas: Schemas;
  serverUrl: string;
}

export function OperationView({ operation, schemas, serverUrl }: OperationViewProps) {
  const { id, summary, description, parameters, body, needsKey, success, errors } = operation;
  const variants = body?.schema.oneOf ?? [];
  const [chosen, setChosen] = useState(0);
  const bodySchema = variants[chosen] ?? body?.schema;
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className={cx('rounded-md border border-line bg-surface', anchorOffsetClass)}
    >
      <header className="border-b border-line px-4 py-3">
        <h3 id={`${id}-title`} className="group/title flex items-center gap-2 font-semibold">
          {summary}
          <a
            href={`#${id}`}
            aria-label={`Link to ${summary}`}
            className="text-ink-3 opacity-0 transition-opacity group-hover/title:opacity-100 hover:text-ink focus-visible:opacity-100"
          >
            <Link2 aria-hidden="true" className="size-4" />
          </a>
        </h3>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <code className="font-mono text-sm wrap-anywhere">
            <span className="font-semibold text-amber-text">{operation.method}</span> {operation.path}
          </code>
          {needsKey ? (
            <Badge icon={<KeyRound aria-hidden="true" />}>Requires key</Badge>
          ) : (
            <Badge>No key required</Badge>
          )}
        </p>
        {description ? <p className="mt-1.5 text-sm text-ink-3">{description}</p> : null}
      </header>
      <div className="grid gap-x-8 gap-y-6 p-4 2xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          {parameters.length > 0 ? (
            <OperationSection title="Parameters">
              <FieldList
                schemas={schemas}
                fields={parameters.map((parameter): ListedField => ({
                  name: parameter.name,
                  required: parameter.required === true,
                  schema: parameter.description
                    ? { ...parameter.schema, description: parameter.description }
                    : parameter.schema,
                  location: PARAMETER_LOCATIONS[parameter.in],
                }))}
              />
            </OperationSection>
          ) : null}
          {bodySchema ? (
            <OperationSection title={body?.type === 'multipart/form-data' ? 'Form data' : 'Body'}>
              {variants.length > 1 ? (
                <Select
                  aria-label="Task and model"
                  className="mb-3 max-w-80"
                  value={String(chosen)}
                  options={variants.map((variant, index) => ({
                    value: String(index),
                    label: variant.title ?? `Variant ${index + 1}`,
                  }))}
                  onChange={(value) => setChosen(Number(value))}
                />
              ) : null}
              {body?.type === BINARY ? (
                <p className="text-sm text-ink-3">{bodySchema.description}.</p>
              ) : (
                <FieldList schemas={schemas} schema={bodySchema} openFirst />
              )}
            </OperationSection>
          ) : null}
          <OperationSection title={`Response · ${success.status}`}>
            {success.schema ? (
              <FieldList schemas={schemas} schema={success.schema} isResponse />
            ) : (
              <p className="text-sm text-ink-3">No body.</p>
            )}
          </OperationSection>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <OperationSection title="Example">
            <CodeBlock label="Command" text={curlCommand(operation, serverUrl, schemas, bodySchema)} />
          </OperationSection>
          <Disclosure lazy summary={`Errors (${errors.reduce((sum, { codes }) => sum + codes.length, 0)})`}>
            <dl className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
              {errors.map(({ status, codes }) => (
                <div key={status} className="contents">
                  <dt className="font-medium tabular-nums">{status}</dt>
                  <dd className="flex flex-wrap gap-x-3">
                    {codes.map((code) => (
                      <code key={code} className="font-mono text-xs leading-5 text-ink-2">
                        {code}
                      </code>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </Disclosure>
        </div>
      </div>
    </article>
  );
}

const PARAMETER_LOCATIONS: Readonly<Record<string, string>> = {
  path: 'path',
  query: 'query',
  header: 'header',
};

function OperationSection({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <h4 className="mb-2 text-xs font-semibold text-ink-3">{title}</h4>
      {children}
    </div>
  );
}
