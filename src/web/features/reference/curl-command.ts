import type { ApiOperation } from './parse-openapi-document.ts';
import type { JsonSchema } from '#web/api/queries/reference.ts';
import type { Schemas } from './json-schema.ts';
import { sampleValue } from './sample-value.ts';

const SAMPLE_IDS: Readonly<Record<string, string>> = {
  generation_id: 'gen_01jz5v8q4n7x2m9k3c6r0t8w1y',
  workflow_run_id: 'run_01jz5v8q4n7x2m9k3c6r0t8w1y',
  upload_id: 'upl_01jz5v8q4n7x2m9k3c6r0t8w1y',
  key_id: 'key_01jz5v8q4n7x2m9k3c6r0t8w1y',
  endpoint_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
};
const SAMPLE_FILES: Readonly<Record<string, string>> = { file: 'picture.png' };

const shellQuote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * A command that makes the call. The key comes from the environment, so that it is in nobody's shell history.
 * @param body the schema of the body to show, where the operation takes one of several
 */
export function curlCommand(operation: ApiOperation, server_url: string, schemas: Schemas, body?: JsonSchema): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => SAMPLE_IDS[name] ?? whole);
  const key = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const lines = [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${server_url}${path}`,
    operation.needs_key ? '-H "Authorization: Bearer $EMULSION_KEY"' : undefined,
    key ? '-H "Idempotency-Key: $(uuidgen)"' : undefined,
  ];
  const schema = body ?? operation.body?.schema;
  if (schema && operation.body?.type === 'application/json')
    lines.push(
      "-H 'Content-Type: application/json'",
      `-d ${shellQuote(JSON.stringify(sampleValue(schema, schemas), null, 2))}`,
    );
  else if (schema)
    lines.push(...Object.keys(schema.properties ?? {}).map((name) => `-F ${name}=@${SAMPLE_FILES[name] ?? name}`));
  return lines.filter((line) => line !== undefined).join(' \\\n  ');
}
