import * as z from 'zod/mini';
import type { SyncMode } from '#contract/tasks/video-lipsync.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError, type ResolvedReference, type UpstreamCost } from '#server/models/engine/engine.ts';
import {
  chargedWork,
  dollarsToBill,
  parseDecimal,
  toUpstreamCost,
  withJobCost,
} from '#server/models/engine/job-cost.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { OutputLostError } from '#server/models/engine/unfetched-output.ts';
import {
  beforeSubmit,
  type PolledJob,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamHandle,
  type UpstreamState,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import {
  createRedactor,
  createUpstreamHttp,
  isNotFoundError,
  type UpstreamHttp,
} from '#server/models/engine/upstream-http.ts';
import { createSyncErrorMapper, generationError, IdempotencyError } from './sync-errors.ts';
import { openAsBlob } from 'node:fs';

/** The fields of `POST /v2/generate` that are used: sync.so/docs/api-reference (read 2026-11-23). */
export interface SyncRequest {
  model: 'sync-3';
  input: ({ type: 'video'; assetId: string } | { type: 'audio'; assetId: string })[];
  options: { sync_mode: SyncMode };
}

export interface SyncAdapterOptions {
  /** `https://api.sync.so`, or a server with the same paths. */
  service: RemoteService;
  api_key: string | null;
  /**
   * Must build the same request for the same job. @throws {EngineError} if the model does not take the input
   * @param upload returns the id of an asset with the file
   */
  buildRequest(job: UpstreamEngineJob, upload: (reference: ResolvedReference) => Promise<string>): Promise<SyncRequest>;
  max_output_bytes?: number | undefined;
}

const generationSchema = z.object({
  id: z.string().check(z.minLength(1)),
  status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED']),
  outputMediaUrl: z.nullish(z.string()),
  /** The older name of `outputMediaUrl`. */
  outputUrl: z.nullish(z.string()),
  error: z.nullish(z.string()),
  errorCode: z.nullish(z.string()),
  /** The name of `errorCode` in version 0.3.0 of the official client. */
  error_code: z.nullish(z.string()),
});
type Generation = z.infer<typeof generationSchema>;
const costSchema = z.object({ availability: z.string(), totalCostUsd: z.nullish(z.string()) });
const handleSchema = z.object({ generation_id: z.string() });

const STAGES: Partial<Record<Generation['status'], string>> = { PENDING: 'Queued', PROCESSING: 'Processing' };

/** Lists of messages are read by our error mapper, which redacts them as the HTTP client redacts a single one. */
export function createSyncHttp({ service, api_key }: Pick<SyncAdapterOptions, 'service' | 'api_key'>): UpstreamHttp {
  const redact = createRedactor(api_key === null ? [] : [api_key]);
  const headers = (key: string) => ({ 'x-api-key': key });
  return createUpstreamHttp({ service, api_key, headers, mapError: createSyncErrorMapper(redact) });
}

/** `Idempotency-Key` makes a repeated submit return the first generation; Sync.so has no call that cancels one. */
export function createSyncAdapter(options: SyncAdapterOptions): UpstreamAdapter {
  const { buildRequest, max_output_bytes } = options;
  const http = createSyncHttp(options);

  return {
    supports_submit_key: true,
    async submit(job) {
      const upload = (reference: ResolvedReference) =>
        uploadToSync(http, reference, `${job.submit_key}-${reference.path}`, job.signal);
      const json = await beforeSubmit(() => buildRequest(job, upload));
      const headers = { 'idempotency-key': job.submit_key };
      try {
        const response = await http.requestJson('/v2/generate', { method: 'POST', json, headers, signal: job.signal });
        return acceptedState(parseGeneration(response));
      } catch (error) {
        if (!(error instanceof IdempotencyError) || (error.can_retry && error.generation_id === null)) throw error;
        const { generation_id } = error;
        return generation_id === null
          ? { status: 'unclear', reason: ANOTHER_BODY_REASON, result: null }
          : acceptedState({ id: generation_id, status: 'PENDING' });
      }
    },
    async poll(job, handle) {
      try {
        const response = await http.requestJson(generationPath(handle), { signal: job.signal });
        return await readState(parseGeneration(response), job, handle);
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return { status: 'unclear', reason: 'Sync.so no longer has this generation or its result.', result: null };
      }
    },
    cancel: () => Promise.resolve(),
  };

  async function readState(generation: Generation, job: PolledJob, handle: UpstreamHandle): Promise<UpstreamState> {
    const { status, error = null, errorCode, error_code } = generation;
    if (status === 'FAILED' || status === 'REJECTED') {
      const failure = generationError({ error, errorCode: errorCode ?? error_code ?? null }, http.redact);
      throw withJobCost(failure, await readCost(handle, job.signal));
    }
    if (status !== 'COMPLETED') return acceptedState(generation);
    const url = generation.outputMediaUrl ?? generation.outputUrl;
    if (!url) return { status: 'unclear', reason: 'Sync.so reported success but returned no video.', result: null };
    const files = await saveOutputs(http, [{ url }], job, max_output_bytes).catch(async (failure: unknown) => {
      if (!(failure instanceof EngineError || failure instanceof OutputLostError)) throw failure;
      return chargedWork(await readCost(handle, job.signal), () => Promise.reject(failure));
    });
    const cost = await readCost(handle, job.signal);
    return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null, ...cost };
  }

  /** The cost often follows minutes later, and is not worth waiting for. @returns null if it is not there yet */
  async function readCost(handle: UpstreamHandle, signal: AbortSignal): Promise<UpstreamCost | null> {
    const response = await http.requestJson(`${generationPath(handle)}/costs`, { signal }).catch(() => null);
    signal.throwIfAborted();
    const { data } = costSchema.safeParse(response);
    const total = data?.availability === 'complete' ? data.totalCostUsd?.replace(/(\.\d{6})\d+$/, '$1') : null;
    return toUpstreamCost(total ? dollarsToBill(parseDecimal(total)) : null, 'reported');
  }
}

const ANOTHER_BODY_REASON =
  'Sync.so already has a generation for this request, with other uploads of its files. Look for it there.';

const generationPath = (handle: UpstreamHandle): string =>
  `/v2/generate/${encodeURIComponent(handleSchema.parse(handle).generation_id)}`;

function parseGeneration(response: unknown): Generation {
  const { data, error } = generationSchema.safeParse(response);
  if (data) return data;
  throw unreadableResponseError(error);
}

const acceptedState = ({ id, status }: Pick<Generation, 'id' | 'status'>): UpstreamState => ({
  status: 'accepted',
  handle: { generation_id: id },
  progress: null,
  provider_status: { queue_position: null, stage: STAGES[status] ?? null },
});

/** The fields that are used: sync.so/docs/developer-guides/asset-uploads (read 2026-11-23). */
const assetSchema = z.object({ id: z.string(), name: z.nullish(z.string()), url: z.nullish(z.string()) });
const assetListSchema = z.object({ items: z.array(assetSchema) });
const uploadSchema = z.object({ uploadUrl: z.url(), url: z.url() });

const UPLOAD_TIMEOUT_MS = 10 * 60_000;

/**
 * Uploads a file unless an asset of that name exists: an idempotency key belongs to one body. @returns its id
 * @param name unique to the submit key, without extension @throws {EngineError} {UpstreamBusyError} {ResponseLostError}
 */
async function uploadToSync(
  http: UpstreamHttp,
  { file, media }: ResolvedReference,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const file_name = `${name}.${media.extension}`;
  const existing = await findAsset(http, file_name, signal);
  if (existing !== null) return existing;
  const upload = parse(
    uploadSchema,
    await http.requestJson('/v2/assets/upload', {
      method: 'POST',
      json: { fileName: file_name, contentType: media.mime_type, size: media.size_bytes },
      signal,
    }),
  );
  // The signature covers the type and no key.
  await http.requestUrl(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': media.mime_type },
    body: await openAsBlob(file, { type: media.mime_type }),
    with_credentials: false,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    signal,
  });
  const registration = { method: 'POST', json: { url: upload.url }, signal };
  return parse(assetSchema, await http.requestJson('/v2/assets', registration)).id;
}

/** The oldest asset of a name, as an interrupted submit may have left several. */
async function findAsset(http: UpstreamHttp, file_name: string, signal: AbortSignal): Promise<string | null> {
  const query = new URLSearchParams({ searchQuery: file_name, sortBy: 'dateAsc', limit: '10' });
  const { items } = parse(assetListSchema, await http.requestJson(`/v2/assets?${query}`, { signal }));
  const asset = items.find(({ name, url }) => name === file_name || url?.endsWith(`/${file_name}`));
  return asset?.id ?? null;
}

function parse<T>(schema: z.ZodMiniType<T>, response: unknown): T {
  const { data, error } = schema.safeParse(response);
  if (data !== undefined) return data;
  throw unreadableResponseError(error);
}
