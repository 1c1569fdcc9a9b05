import type { JsonSchema } from '#web/api/queries/reference.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import {
  formatSchemaBounds,
  nestedSchema,
  enumOptions,
  findSchemaName,
  resolveSchema,
  type Schemas,
  formatSchemaType,
} from './json-schema.ts';

export interface ListedField {
  name: string;
  required: boolean;
  schema: JsonSchema;
  location?: string | undefined;
}

interface FieldListProps {
  schemas: Schemas;
  /** The listed fields; without them, the properties of `schema`. */
  fields?: readonly ListedField[];
  schema?: JsonSchema;
  /** Expands properties that have a named schema. */
  openFirst?: boolean;
  /** Whether it is a response. Its required fields are not marked, since the caller does not fill them in. */
  isResponse?: boolean;
}

/** The properties of a schema, or a link to it if it is a named one. */
export function FieldList({ schemas, fields, schema, openFirst = false, isResponse = false }: FieldListProps) {
  const ref = schema && findSchemaName(schema, schemas);
  if (ref) return <SchemaLink name={ref} />;
  const listed = fields ?? propertyFields(schema ?? {}, schemas);
  if (listed.length === 0) return <p className="text-sm text-ink-3">Any JSON object.</p>;
  return (
    <ul className="divide-y divide-line border-y border-line">
      {listed.map((field) => (
        <li key={field.name} className="py-2">
          <FieldLine field={field} schemas={schemas} openFirst={openFirst} isResponse={isResponse} />
        </li>
      ))}
    </ul>
  );
}

function propertyFields(schema: JsonSchema, schemas: Schemas): ListedField[] {
  const { schema: plain } = resolveSchema(schema, schemas);
  return Object.entries(plain.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: plain.required?.includes(name) ?? false,
  }));
}

interface FieldLineProps {
  field: ListedField;
  schemas: Schemas;
  openFirst: boolean;
  isResponse: boolean;
}

function FieldLine({ field, schemas, openFirst, isResponse }: FieldLineProps) {
  const { name, required, schema, location } = field;
  const { schema: plain, nullable } = resolveSchema(schema, schemas);
  const ref = findSchemaName(schema, schemas);
  const options = enumOptions(schema, schemas);
  const nested = nestedSchema(schema, schemas);
  const expanded = openFirst && ref ? schemas[ref] : nested;
  const defaultValue = plain.default ?? schema.default;
  const notes = [
    location,
    ...formatSchemaBounds(schema, schemas),
    nullable ? 'nullable' : undefined,
    isResponse && !required ? 'optional' : undefined,
    plain.const === undefined ? undefined : `always ${JSON.stringify(plain.const)}`,
    defaultValue === undefined || defaultValue === null ? undefined : `default ${JSON.stringify(defaultValue)}`,
  ].filter(Boolean);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
        <code className="font-mono font-medium">{name}</code>
        <span className="text-ink-3">
          {ref ? (
            <SchemaLink name={ref} list={plain.type === 'array' || schema.type === 'array'} />
          ) : (
            formatSchemaType(schema, schemas)
          )}
        </span>
        {required && !isResponse ? <span className="text-xs font-medium text-amber-text">required</span> : null}
        <span className="text-xs text-ink-3">{notes.join(' · ')}</span>
      </p>
      {plain.description && !ref ? <p className="text-sm text-ink-2">{plain.description}</p> : null}
      {options.length > 0 ? (
        <p className="mt-0.5 flex flex-wrap gap-x-2.5 gap-y-0.5">
          {options.map((option) => (
            <code key={option} className="font-mono text-xs text-ink-2">
              {option}
            </code>
          ))}
        </p>
      ) : null}
      {expanded ? (
        <Disclosure lazy summary="Properties" open={openFirst}>
          <FieldList schemas={schemas} schema={expanded} isResponse={isResponse} />
        </Disclosure>
      ) : null}
    </>
  );
}

function SchemaLink({ name, list = false }: { name: string; list?: boolean }) {
  return (
    <span className="text-sm text-ink-3">
      {list ? 'array of ' : ''}
      <a href={`#schema-${name}`} className="text-ink underline underline-offset-2">
        {name}
      </a>
    </span>
  );
}
