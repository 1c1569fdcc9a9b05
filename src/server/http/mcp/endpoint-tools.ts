import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { IDEMPOTENCY_KEY_SCHEMA, readIdempotencyKey } from './idempotency-key.ts';
import { INCLUDE_IMAGES_SCHEMA, readInlineImages } from './inline-images.ts';
import { argumentError, presentResponse } from './present-result.ts';
import type { McpTool, ToolArguments } from './mcp-tool.ts';
import * as z from 'zod/mini';

/** Fewer than over HTTP, because assistants read every item. */
const DEFAULT_LIMIT = 10;

interface ToolOptions {
  /** What an assistant should know beyond the endpoint's summary. */
  hint?: string;
  /** Changes nothing although its method is POST. */
  reads?: true;
  /** Takes `include_images`. */
  images?: true;
  /** Fields of the response to leave out, because tool descriptions have them or they are very long. */
  without?: readonly string[];
}

const LIST_HINT = 'Pass next_cursor as cursor for the next page.';

/** The endpoints that are tools, in the order of the list. */
const TOOL_OPTIONS = {
  get_generation: { images: true },
  list_generations: { hint: LIST_HINT },
  cancel_generation: { hint: 'Work that has a final status stays as it is.' },
  retry_generation: { hint: 'The retry costs today’s price.' },
  create_estimate: {
    hint: 'Free. Task, model and input as in the tool of the task; tasks have names such as image.create.',
    reads: true,
  },
  create_batch: {
    hint: 'An order is task, model, input and metadata, as in create_estimate. together starts 2 to 16 orders or none; list starts up to 1,000 one after the other.',
  },
  estimate_batch: { hint: 'Free. Says for each order what it costs, or why it can’t start.', reads: true },
  list_batches: { hint: LIST_HINT },
  get_batch: {},
  list_batch_orders: { hint: LIST_HINT },
  pause_batch: {},
  resume_batch: {},
  cancel_batch: { hint: 'With cancel_running, also what is queued or running.' },
  retry_batch: { hint: 'Retries cost today’s price.' },
  list_tasks: { without: ['input_schema', 'output_schema'] },
  list_models: { without: ['input_schema'] },
  get_pricing: {},
  list_media: { hint: `Searches the library: q searches prompts and file names. ${LIST_HINT}` },
  get_media: { images: true },
  check_reference: { hint: 'Checks that a link to a picture, video or audio can be used in an input.', reads: true },
  improve_prompt: {
    hint: 'Returns a better prompt for a task and model. Nothing is charged. Fails with model_unavailable where no text model is connected.',
    reads: true,
  },
  get_billing_summary: { hint: 'The balance and what is available.' },
  list_budgets: {},
  get_me: { hint: 'Whose key this is.' },
} as const satisfies Partial<Record<EndpointName, ToolOptions>>;

/** Tools that send one request to one endpoint. Name, arguments and permission come from the table of endpoints. */
export const ENDPOINT_TOOLS: readonly McpTool[] = (
  Object.entries(TOOL_OPTIONS) as [keyof typeof TOOL_OPTIONS, ToolOptions][]
).map(([name, options]) => createEndpointTool(name, options));

function createEndpointTool(name: EndpointName, { hint, reads, images, without = [] }: ToolOptions): McpTool {
  const spec: EndpointSpec = endpoints[name];
  const readOnly = reads === true || spec.method === 'GET';
  const parts = listArguments(spec);
  const description = {
    title: spec.summary,
    description: [`${spec.summary}.`, hint].filter(Boolean).join(' '),
    inputSchema: {
      type: 'object' as const,
      properties: {
        ...parts.params,
        ...parts.query,
        ...parts.body,
        ...(spec.idempotency ? { idempotency_key: IDEMPOTENCY_KEY_SCHEMA } : {}),
        ...(images ? { include_images: INCLUDE_IMAGES_SCHEMA } : {}),
      },
      required: [...Object.keys(parts.params), ...parts.required, ...(spec.idempotency ? ['idempotency_key'] : [])],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: name === 'cancel_generation' || name === 'cancel_batch',
      idempotentHint: true,
    },
  };
  return {
    name,
    permission: spec.permission,
    describe: () => description,
    async run(call, args) {
      const { idempotency_key, include_images = false, ...rest } = args;
      if (typeof include_images !== 'boolean') return argumentError('include_images', 'Send true or false.');
      if (include_images && !images) return argumentError('include_images', 'This tool takes no such argument.');
      const key = spec.idempotency ? readIdempotencyKey(idempotency_key) : undefined;
      if (typeof key === 'object') return key;
      if (!spec.idempotency && idempotency_key !== undefined)
        return argumentError('idempotency_key', 'This tool takes no such argument.');
      const split = splitArguments(spec, parts, rest);
      if ('problem' in split) return argumentError(split.problem, split.message);
      const response = await call.send(name, { ...split, ...(key === undefined ? {} : { idempotency_key: key }) });
      if (response.status >= 400) return presentResponse(response);
      const pictures = include_images ? await readInlineImages(call, response.body) : [];
      return presentResponse({ ...response, body: omitFields(response.body, without) }, pictures);
    },
  };
}

function omitFields(value: unknown, fields: readonly string[]): unknown {
  if (fields.length === 0) return value;
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) => (fields.includes(name) ? undefined : inner)),
  ) as unknown;
}

type Json = Record<string, unknown>;

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
function listArguments(spec: EndpointSpec) {
  const body = describeFields(typeof spec.body === 'string' ? undefined : spec.body, 'input');
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
function splitArguments(
  spec: EndpointSpec,
  described: ReturnType<typeof listArguments>,
  args: ToolArguments,
): SplitArguments {
  const paramNames = Object.keys(described.params);
  const params: Record<string, string> = {};
  for (const name of paramNames) {
    const value = args[name];
    if (typeof value !== 'string' || value === '') return { problem: name, message: `Send ${name}.` };
    params[name] = value;
  }
  const rest = Object.entries(args).filter(([name]) => !paramNames.includes(name));
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
