import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { isJson, type Json, jsonAt } from '#contract/json-value.ts';
import { sendJson } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { FakeFalModel, FakeFalModels } from './fake-fal-models.ts';

/** How fal bills requests of added models. `late`: not before the result is read again. */
export type FakeBilling = 'as_listed' | 'more' | 'less' | 'late' | 'never';

/** `GET /models`: lists, finds or searches. */
export function sendModels(models: FakeFalModels, query: URLSearchParams, response: ServerResponse): void {
  const ids = query.getAll('endpoint_id');
  const missing = ids.find((id) => !Object.hasOwn(models, id));
  if (missing !== undefined) {
    const error = { type: 'not_found', message: `Endpoint ${missing} not found` };
    return sendJson(response, 404, { error });
  }
  const words = query.get('q')?.toLowerCase() ?? '';
  const withSchema = query.getAll('expand').includes('openapi-3.0');
  const listed = Object.entries(models)
    .filter(([id, model]) => {
      const { name, description, category, status = 'active' } = model;
      const text = [name, description, category].join(' ').toLowerCase();
      const isListed = ids.length === 0 || ids.includes(id);
      return isListed && text.includes(words) && (query.get('status') ?? status) === status;
    })
    .slice(0, Number(query.get('limit') ?? 50))
    .map(([endpoint_id, { name, category, description, status = 'active', document }]) => ({
      endpoint_id,
      metadata: { display_name: name, category, description, status, tags: [], kind: 'inference' },
      ...(withSchema ? { openapi: document } : {}),
    }));
  sendJson(response, 200, { models: listed, next_cursor: null, has_more: false });
}

/** A page of fal.ai, which no key may reach. */
export function sendPage(
  models: FakeFalModels,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const endpoint = /^\/models\/(.+)\/llms\.txt$/.exec(path)?.[1] ?? '';
  const model = Object.hasOwn(models, endpoint) ? models[endpoint] : undefined;
  if (request.headers.authorization !== undefined) return void response.writeHead(400).end();
  if (model?.price_text === undefined) return void response.writeHead(404).end('Not found');
  const { name, description, price_text } = model;
  const more = 'For more details, see [fal.ai pricing](https://fal.ai/pricing).';
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.end(
    `# ${name}\n\n> ${description}\n\n## Overview\n\n- **Model ID**: \`${endpoint}\`\n\n## Pricing\n\n${price_text}\n\n${more}\n\n## API Information\n\nText.\n`,
  );
}

/** Replaces references to the document's schemas, and asks for links where files belong. */
function toValidated(document: unknown, schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((each) => toValidated(document, each, name));
  if (!isJson(schema)) return schema;
  if (typeof schema['$ref'] === 'string')
    return toValidated(
      document,
      jsonAt(document, 'components', 'schemas', schema['$ref'].split('/').at(-1) ?? ''),
      name,
    );
  const isFile = schema['type'] === 'string' && /(^|_)urls?$/.test(name);
  const { properties } = schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, toValidated(document, value, key === 'items' ? name : '')]),
  );
  if (!isJson(properties)) return { ...inner, ...(isFile ? { pattern: '^https?://' } : {}) };
  const named = Object.entries(properties).map(([key, value]) => [key, toValidated(document, value, key)]);
  // fal ignores properties that it does not know; nothing of ours may depend on that.
  return { ...inner, properties: Object.fromEntries(named), additionalProperties: false };
}

/** The 422 of fal for an input that the endpoint's schema does not allow; null if it does. */
export function rejectInput({ document }: FakeFalModel, input: unknown): { detail: object[] } | null {
  const [schema] = Object.values(jsonAt(document, 'paths') as Json)
    .map((item) => jsonAt(item, 'post', 'requestBody', 'content', 'application/json', 'schema'))
    .filter((each) => each !== undefined);
  const validated = toValidated(document, schema) as Parameters<typeof z.fromJSONSchema>[0];
  const { error } = z.fromJSONSchema(validated, { defaultTarget: 'openapi-3.0' }).safeParse(input);
  if (!error) return null;
  const detail = error.issues.map(({ path, message, code }) => ({
    loc: ['body', ...path],
    msg: message,
    type: code,
  }));
  return { detail };
}

const FACTORS: Readonly<Record<FakeBilling, number | null>> = {
  as_listed: 1,
  more: 3,
  less: 0.5,
  late: 1,
  never: null,
};

/** `x-fal-billable-units` of a result; null: none. */
export function billUnits(
  model: FakeFalModel,
  input: Readonly<Record<string, unknown>>,
  billing: FakeBilling,
  timesRead: number,
): string | null {
  const factor = billing === 'late' && timesRead === 0 ? null : FACTORS[billing];
  return factor === null ? null : String(model.unitsOf(input) * factor);
}
