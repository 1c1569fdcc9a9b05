type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What an `x-media` stands for. */
const LINK_SCHEMA = {
  properties: { url: { type: 'string', format: 'uri', minLength: 1 } },
  required: ['url'],
  additionalProperties: false,
} as const;

/** The schema of a workflow's input for those who know JSON Schema alone: what its author may leave to be understood is said. */
export function presentInputSchema(schema: Json): Json {
  const { properties } = schema;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    properties: isJson(properties)
      ? Object.fromEntries(
          Object.entries(properties).map(([name, property]) => [
            name,
            expandProperty(property, required.includes(name)),
          ]),
        )
      : {},
    required,
    additionalProperties: false,
  };
}

function expandProperty(property: unknown, required: boolean): unknown {
  if (!isJson(property)) return property;
  if ('x-media' in property) return { ...property, ...LINK_SCHEMA, type: required ? 'object' : ['object', 'null'] };
  const { items } = property;
  return isJson(items) && 'x-media' in items
    ? { ...property, items: { ...items, ...LINK_SCHEMA, type: 'object' } }
    : property;
}
