import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

/** The requests and assets that a fake Sync.so received, and overrides of its responses. */
export interface FakeSyncState {
  created: unknown[];
  assets: { id: string; name: string; url: string; bytes: Buffer | null; type: string }[];
  /** Overrides properties of generations. */
  overrides: Record<string, unknown>;
  cost: Record<string, unknown>;
}

export const createFakeSyncState = (): FakeSyncState => ({
  created: [],
  assets: [],
  overrides: {},
  cost: { availability: 'pending', totalCostUsd: null },
});

const mediaInput = z.strictObject({ type: z.enum(['video', 'audio']), assetId: z.string() });
const creation = z.strictObject({
  model: z.enum(['sync-3', 'lipsync-2', 'lipsync-2-pro', 'lipsync-1.9.0-beta', 'react-1']),
  input: z.array(mediaInput).check(z.minLength(2), z.maxLength(2)),
  options: z.optional(
    z.strictObject({ sync_mode: z.optional(z.enum(['bounce', 'loop', 'cut_off', 'silence', 'remap'])) }),
  ),
});
const uploadRequest = z.strictObject({ fileName: z.string(), contentType: z.string(), size: z.int() });
const registration = z.strictObject({ url: z.url() });

const STATUS = {
  queued: 'PENDING',
  running: 'PROCESSING',
  succeeded: 'COMPLETED',
  failed: 'FAILED',
  canceled: 'REJECTED',
} as const satisfies Record<FakeUpstreamJob['state'], string>;

const problem = (response: ServerResponse, statusCode: number, errorCode: string, message: string | string[]): void =>
  sendJson(response, statusCode, { statusCode, errorCode, message, error: 'Error' });

/** Fake of Sync.so’s API version 2, modeled on its documentation. */
export function createFakeSyncHandler(upstream: FakeUpstream, account = createFakeSyncState()): RequestListener {
  const bodies = new Map<string, string>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    const body = await readRequestBody(request);
    const [, position] = /^\/output\/(\d+)\.mp4$/.exec(pathname) ?? [];
    if (position !== undefined) return void response.end(upstream.outputs[Number(position)]);
    if (pathname.startsWith('/storage/')) return store(request, pathname, body, response);
    const key = request.headers['x-api-key'];
    if (key !== upstream.api_key) return problem(response, 401, 'unauthorized', `Invalid API key ${String(key)}`);
    const at = `${request.method} ${pathname}`;
    if (at === 'POST /v2/generate') return create(request, body, response);
    if (at === 'GET /v2/models')
      return sendJson(response, 200, [
        { id: 'm1', name: 'lipsync-2' },
        { id: 'm2', name: 'sync-3' },
      ]);
    if (at === 'POST /v2/assets/upload') return startUpload(body, response);
    if (at === 'POST /v2/assets') return register(body, response);
    if (at === 'GET /v2/assets') return listAssets(searchParams.get('searchQuery') ?? '', response);
    const [, id = '', costs] = /^\/v2\/generate\/([\w-]+)(\/costs)?$/.exec(pathname) ?? [];
    const job = upstream.findJob(id);
    if (!job) return problem(response, 404, 'generation_not_found', 'Generation not found');
    sendJson(response, 200, costs ? { generationId: id, currency: 'USD', ...account.cost } : describe(job));
  }

  function create(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const idempotency_key = request.headers['idempotency-key'];
    if (typeof idempotency_key !== 'string' || !/^[A-Za-z0-9._~-]{1,128}$/.test(idempotency_key))
      return problem(response, 400, 'INVALID_IDEMPOTENCY_KEY', 'The Idempotency-Key is invalid.');
    const text = body.toString();
    if ((bodies.get(idempotency_key) ?? text) !== text)
      return problem(response, 409, 'IDEMPOTENCY_PAYLOAD_CONFLICT', 'The key was used with another payload.');
    const { data } = creation.safeParse(JSON.parse(text));
    const isKnown = ({ assetId }: { assetId: string }) =>
      account.assets.some(({ id, bytes }) => id === assetId && bytes !== null);
    if (!data)
      return problem(response, 422, 'generation_input_validation_failed', ['input is invalid', 'see the docs']);
    if (!data.input.every(isKnown)) return problem(response, 404, 'asset_not_found', 'Asset not found');
    if (!bodies.has(idempotency_key)) account.created.push(data);
    bodies.set(idempotency_key, text);
    sendJson(response, 201, describe(upstream.createJob(idempotency_key)));
  }

  function startUpload(body: Buffer, response: ServerResponse): void {
    const { data } = uploadRequest.safeParse(JSON.parse(body.toString()));
    if (!data) return problem(response, 400, 'validation_failed', 'Invalid upload');
    const url = `${upstream.origin}/storage/${randomUUID()}/${data.fileName}`;
    account.assets.push({ id: '', name: data.fileName, url, bytes: null, type: data.contentType });
    sendJson(response, 201, { uploadUrl: `${url}?signature=abc`, url, expiresIn: 3600 });
  }

  function store(request: IncomingMessage, pathname: string, body: Buffer, response: ServerResponse): void {
    const asset = account.assets.find(({ url }) => url.endsWith(pathname));
    const isSigned = asset?.type === request.headers['content-type'] && request.headers['x-api-key'] === undefined;
    if (!asset || !isSigned) return void response.writeHead(403).end('SignatureDoesNotMatch');
    asset.bytes = body;
    response.end();
  }

  function register(body: Buffer, response: ServerResponse): void {
    const { data } = registration.safeParse(JSON.parse(body.toString()));
    const asset = account.assets.find(({ url, bytes }) => url === data?.url && bytes !== null);
    if (!asset) return problem(response, 422, 'uploaded_file_not_found', 'The file was not uploaded.');
    asset.id = randomUUID();
    sendJson(response, 201, { ...asset, bytes: undefined, visibility: 'ORGANIZATION' });
  }

  function listAssets(query: string, response: ServerResponse): void {
    const found = account.assets.filter(({ id, name }) => id !== '' && name.includes(query));
    sendJson(response, 200, { items: found.map(({ id, name, url }) => ({ id, name, url, type: 'VIDEO' })) });
  }

  function describe(job: FakeUpstreamJob): Record<string, unknown> {
    const status = STATUS[job.state];
    const [outputMediaUrl] = upstream.outputs.map(
      (_, at) => upstream.output_url ?? `${upstream.origin}/output/${at}.mp4`,
    );
    const failure = { error: 'The provided video is invalid', errorCode: 'generation_input_video_invalid' };
    return {
      id: job.id,
      status,
      model: 'sync-3',
      createdAt: '2026-01-01T00:00:00.000Z',
      ...(status === 'COMPLETED' ? { outputMediaUrl, outputDuration: 4 } : {}),
      ...(status === 'FAILED' || status === 'REJECTED' ? failure : {}),
      ...account.overrides,
    };
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}
