import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Account, FileObject, Prediction } from 'replicate';
import { fromJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { inlineSchema } from '#contract/added-models/fields/inline-schema.ts';
import { jsonAt } from '#contract/json-value.ts';
import { OFFICIAL_MODELS } from './fake-replicate-models.ts';
import { findMaskFault, type MaskFault } from '#server/models/engine/testing/mask-fault.ts';
import { FAKE_REPLICATE_MODELS, type FakeReplicateModel } from './fake-replicate-schemas.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

/** The requests that a fake Replicate received, and overrides of its responses. */
export interface FakeReplicateState {
  created: { version: string; input: Record<string, unknown>; cancel_after: string | undefined }[];
  /** Off by default: the list shows no prediction, as if it lagged behind. */
  lists_predictions: boolean;
  files: Map<string, { name: string; type: string; bytes: Buffer }>;
  /** Overrides properties of predictions. */
  overrides: Record<string, unknown>;
  /** What can be found and read, beside the official models that are only run. */
  models: readonly FakeReplicateModel[];
}

export const createFakeReplicateState = (): FakeReplicateState => ({
  created: [],
  lists_predictions: false,
  files: new Map(),
  overrides: {},
  models: FAKE_REPLICATE_MODELS,
});

const VERSION = /^([\w.-]+\/[\w.-]+|[\w.-]+\/[\w.-]+:[0-9a-f]{64}|[0-9a-f]{64})$/;
const creation = z.strictObject({
  version: z.string().check(z.regex(VERSION)),
  input: z.record(z.string(), z.unknown()),
  webhook: z.optional(z.string()),
  webhook_events_filter: z.optional(z.array(z.enum(['start', 'output', 'logs', 'completed']))),
  stream: z.optional(z.boolean()),
});

const officialCreation = z.strictObject({ input: z.record(z.string(), z.unknown()) });

const STATUS = {
  queued: 'starting',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
} as const satisfies Record<FakeUpstreamJob['state'], string>;

const presentVersion = ({ versions }: FakeReplicateModel, id: string | undefined) =>
  id === undefined || !versions[id]
    ? null
    : { id, created_at: '2026-01-01T00:00:00.000Z', cog_version: '0.16.0', openapi_schema: versions[id] };

const presentModel = (model: FakeReplicateModel) => ({
  url: `https://replicate.com/${model.owner}/${model.name}`,
  owner: model.owner,
  name: model.name,
  description: model.description,
  visibility: 'public',
  is_official: model.is_official,
  run_count: 1_000,
  cover_image_url: null,
  default_example: null,
  latest_version: presentVersion(model, Object.keys(model.versions).at(-1)),
});

/** Replicate validates inputs by the schema. The fake also rejects unknown inputs, so that no typing error goes unnoticed. */
function inputSchemaOf(model: FakeReplicateModel, version: string | undefined): z.ZodMiniType | undefined {
  const document = model.versions[version ?? Object.keys(model.versions).at(-1) ?? ''];
  const schema = jsonAt(document, 'components', 'schemas', 'Input');
  const inlined = { ...inlineSchema(document, schema), additionalProperties: false };
  return schema === undefined ? undefined : fromJSONSchema(inlined, { defaultTarget: 'openapi-3.0' });
}

const problem = (response: ServerResponse, status: number, title: string, detail: string): void =>
  sendJson(response, status, { title, detail, status }, { 'content-type': 'application/problem+json' });

/** The `error` of a prediction whose model can't use a mask. */
const MASK_ERRORS: Readonly<Record<MaskFault, string>> = {
  unreadable: 'cannot identify image file',
  size: 'The mask and the image must have the same size',
  polarity: 'The mask does not mark what this model changes',
};

export function createFakeReplicateHandler(
  upstream: FakeUpstream,
  account = createFakeReplicateState(),
): RequestListener {
  const requests = new Map<string, { model: string; input: Record<string, unknown> }>();
  const maskFaults = new Map<string, MaskFault>();
  const findModel = (slug: string): FakeReplicateModel | undefined =>
    account.models.find(({ owner, name }) => slug.replace(/:.*$/, '') === `${owner}/${name}`);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    const body = await readRequestBody(request);
    const [, output_of, position] = /^\/delivery\/([\w-]+)\/(\d+)\.\w+$/.exec(pathname) ?? [];
    if (output_of !== undefined) return void response.end(upstream.outputs[Number(position)]);
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (key !== upstream.api_key) return problem(response, 401, 'Unauthenticated', `Not a valid token: ${key}`);
    const at = `${request.method} ${pathname}`;
    if (at === 'POST /predictions') return create(request, body, response);
    if (at === 'GET /predictions') return list(response);
    if (at === 'GET /account')
      return sendJson(response, 200, { type: 'user', username: 'acme', name: 'Acme' } satisfies Account);
    if (at === 'GET /search') return search(searchParams, response);
    const [, slug, version] = /^GET \/models\/([\w.-]+\/[\w.-]+)(?:\/versions\/([0-9a-f]{64}))?$/.exec(at) ?? [];
    if (slug !== undefined) return getModel(slug, version, response);
    const [, official] = /^POST \/models\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(at) ?? [];
    if (official !== undefined) return createOfficial(official, request, body, response);
    if (at === 'POST /files') return upload(request, body, response);
    const [, id = '', verb] = /^\/predictions\/([\w-]+)(\/cancel)?$/.exec(pathname) ?? [];
    const job = upstream.findJob(id);
    if (!job || request.method !== (verb ? 'POST' : 'GET')) return problem(response, 404, 'Not found', 'Not found');
    if (verb && (job.state === 'queued' || job.state === 'running')) job.state = 'canceled';
    sendJson(response, 200, prediction(job));
  }

  async function create(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { data } = creation.safeParse(JSON.parse(body.toString()));
    if (!data) return problem(response, 422, 'Input validation failed', '- input: Invalid');
    const { version, input } = data;
    const model = findModel(version);
    if (!model) return accept(version, input, request, response);
    // Only official models run without naming a version.
    const schema = version.includes(':') || model.is_official ? inputSchemaOf(model, version.split(':')[1]) : undefined;
    if (!schema) return problem(response, 422, 'Invalid version or not permitted', 'The version does not exist.');
    await acceptValid(version, input, schema, request, response);
  }

  function search(parameters: URLSearchParams, response: ServerResponse): void {
    const query = parameters.get('query')?.toLowerCase() ?? '';
    const models = account.models
      .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(query))
      .slice(0, Number(parameters.get('limit') ?? 20))
      .map((model) => ({ model: presentModel(model), metadata: { tags: [], score: 1 } }));
    sendJson(response, 200, { query, models, collections: [], pages: [] });
  }

  function getModel(slug: string, version: string | undefined, response: ServerResponse): void {
    const model = findModel(slug);
    const body = model && (version === undefined ? presentModel(model) : presentVersion(model, version));
    if (body) sendJson(response, 200, body);
    else problem(response, 404, 'Not found', 'The requested resource could not be found.');
  }

  async function createOfficial(
    model: string,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const { data } = officialCreation.safeParse(JSON.parse(body.toString()));
    const added = findModel(model);
    const schema = added?.is_official ? inputSchemaOf(added, undefined) : OFFICIAL_MODELS[model];
    if (!schema) return problem(response, 404, 'Not found', 'The requested resource could not be found.');
    if (!data) return problem(response, 422, 'Input validation failed', '- input: Invalid');
    await acceptValid(model, data.input, schema, request, response);
  }

  async function acceptValid(
    model: string,
    input: Record<string, unknown>,
    schema: z.ZodMiniType,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const issues = schema.safeParse(input).error?.issues ?? [];
    const details = issues.map(({ path, message }) => `- ${['input', ...path].join('.')}: ${message}\n`);
    if (issues.length > 0) return problem(response, 422, 'Input validation failed', details.join(''));
    const files = Object.values(input)
      .flat()
      .filter((value) => /^https?:/.test(String(value)));
    const isUploaded = files.every((url) => account.files.has(String(url)));
    if (!isUploaded) return problem(response, 422, 'Input validation failed', '- input: a file does not exist\n');
    await accept(model, input, request, response);
  }

  /** The bytes of a data URL or of an uploaded file. */
  const fileOf = (value: unknown): Buffer | undefined => {
    const [, base64] = String(value).split(';base64,');
    return base64 === undefined ? account.files.get(String(value))?.bytes : Buffer.from(base64, 'base64');
  };

  async function accept(
    version: string,
    input: Record<string, unknown>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const after = request.headers['cancel-after'];
    const cancel_after = typeof after === 'string' ? after : undefined;
    if (cancel_after !== undefined && !/^(?=.)(\d+h)?(\d+m)?(\d+s?)?$/.test(cancel_after)) {
      return problem(response, 422, 'Invalid header', 'Cancel-After is not a duration.');
    }
    account.created.push({ version, input, cancel_after });
    const job = upstream.createJob(null);
    requests.set(job.id, { model: version.replace(/:.*$/, ''), input });
    const { mask, picture = '', polarity = 'white' } = findModel(version)?.mask ?? {};
    const file = mask === undefined ? undefined : fileOf(input[mask]);
    const fault = file && (await findMaskFault(file, fileOf(input[picture]), polarity));
    if (fault) maskFaults.set(job.id, fault);
    sendJson(response, 201, prediction(job));
  }

  function list(response: ServerResponse): void {
    const results = account.lists_predictions ? upstream.jobs.map(prediction) : [];
    sendJson(response, 200, { next: null, previous: null, results });
  }

  function prediction(job: FakeUpstreamJob): Record<string, unknown> {
    const isRefused = upstream.refuses_content && job.state !== 'queued';
    const maskFault = job.state === 'succeeded' ? maskFaults.get(job.id) : undefined;
    const status = isRefused || maskFault ? 'failed' : STATUS[job.state];
    const request = requests.get(job.id);
    const model = findModel(request?.model ?? '');
    const address = (_: Buffer, at: number): string =>
      `${upstream.origin}/delivery/${job.id}/${at}.${model?.extension ?? 'png'}`;
    const failure = isRefused
      ? 'The input or output was flagged as sensitive. Please try again with different inputs. (E005)'
      : maskFault
        ? MASK_ERRORS[maskFault]
        : 'CUDA error: device-side assert triggered';
    const urls = upstream.outputs.map((bytes, at) => upstream.output_url ?? address(bytes, at));
    const words = (upstream.answer ?? 'A pear on a table.').split(/(?<= )/);
    const output = model?.extension === null ? words : model?.output === 'one' ? (urls[0] ?? null) : urls;
    return {
      id: job.id,
      version: 'hidden',
      ...request,
      output: status === 'succeeded' ? output : null,
      logs: '',
      data_removed: false,
      error: status === 'failed' ? failure : null,
      status,
      created_at: '2026-01-01T00:00:00.000Z',
      metrics: status === 'succeeded' ? (model?.metrics ?? { predict_time: 1.5, total_time: 2 }) : {},
      urls: {
        web: `https://replicate.com/p/${job.id}`,
        get: `${upstream.origin}/predictions/${job.id}`,
        cancel: `${upstream.origin}/predictions/${job.id}/cancel`,
      },
      ...account.overrides,
    } satisfies Partial<Prediction>;
  }

  async function upload(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const headers = { 'content-type': String(request.headers['content-type']) };
    const content = (await new Response(new Uint8Array(body), { headers }).formData()).get('content');
    if (!(content instanceof File)) return problem(response, 400, 'Bad request', 'Missing content');
    const bytes = Buffer.from(await content.arrayBuffer());
    if (bytes.length > 100_000_000) {
      return problem(response, 413, 'Content too large', 'Files must be less than 100MB in size');
    }
    const id = randomUUID();
    const get = `${upstream.origin}/files/${id}`;
    account.files.set(get, { name: content.name, type: content.type, bytes });
    sendJson(response, 201, {
      id,
      urls: { get },
      content_type: content.type,
      size: bytes.length,
      checksums: { sha256: createHash('sha256').update(bytes).digest('hex') },
      metadata: {},
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-02T00:00:00.000Z',
    } satisfies FileObject);
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}
