import * as z from 'zod/mini';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { ToolArguments } from './tool.ts';

type Json = Record<string, unknown>;

/** Fewer than over HTTP, because assistants read every item. */
const DEFAULT_LIMIT = 10;

function describeFields(schema: z.ZodMiniType | undefined, io: 'input' | 'output'): { json: Json; required: string[] } {
  if (!schema) return { json: {}, required: [] };
  const { properties: json = {}, required = [] } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return { json: json as Json, required };
}

/** Describes the arguments of an endpoint's tool: path parameters, query and body as one object. */
export function listArguments(spec: EndpointSpec) {
  const body = describeFields(spec.body === 'multipart' ? undefined : spec.body, 'input');
  const query = describeFields(spec.query, 'output').json;
  const limit = query['limit'];
  return {
    params: describeFields(spec.params, 'output').json,
    query: limit === undefined ? query : { ...query, limit: { ...(limit as Json), default: DEFAULT_LIMIT } },
    body: body.json,
    required: body.required,
  };
}

type SplitArguments =
  | { params: Record<string, string>; query?: Record<string, string>; body?: unknown }
  | { problem: string; message: string };

/** Splits arguments into the parts of a request. The endpoint validates them, unknown ones included. */
export function splitArguments(
  spec: EndpointSpec,
  described: ReturnType<typeof listArguments>,
  args: ToolArguments,
): SplitArguments {
  const param_names = Object.keys(described.params);
  const params: Record<string, string> = {};
  for (const name of param_names) {
    const value = args[name];
    if (typeof value !== 'string' || value === '') return { problem: name, message: `Send ${name}.` };
    params[name] = value;
  }
  const rest = Object.entries(args).filter(([name]) => !param_names.includes(name));
  if (spec.body) return { params, body: Object.fromEntries(rest) };
  const [unknown] = spec.query ? [] : rest;
  if (unknown) return { problem: unknown[0], message: 'This tool takes no such argument.' };
  const query: Record<string, string> = Object.hasOwn(described.query, 'limit') ? { limit: String(DEFAULT_LIMIT) } : {};
  for (const [name, value] of rest) {
    if (typeof value === 'object' && value !== null) return { problem: name, message: 'Send text or a number.' };
    if (value !== null && value !== undefined) query[name] = String(value);
  }
  return { params, query };
}
