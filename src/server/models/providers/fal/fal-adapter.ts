import type { RemoteService } from '#server/platform/net/remote-service.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { buildInputWithFiles, withFileFunction } from '#server/models/engine/mapping/build-input-with-files.ts';
import { chargedWork, withJobCost } from '#server/models/engine/job-cost.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { UpstreamStatusError } from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, isNotFoundError } from '#server/models/engine/upstream-http.ts';
import {
  beforeSubmit,
  type LostSubmit,
  type PolledJob,
  ResponseLostError,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamState,
  unreadableResponseError,
  type UpstreamHandle,
} from '#server/models/engine/upstream.ts';
import { createFalCostMeter, type FalBill } from './fal-cost.ts';
import { falRequestError, mapFalError, mapFalResultError } from './fal-errors.ts';
import { findFalRequest, type FalStatus, falStatusSchema, toProviderStatus } from './fal-lookup.ts';
import { type BuildFalRequest, buildCommonInput } from './fal-request.ts';
import { type FalResult, readFalOutputs } from './fal-result.ts';
import { uploadToFal } from './fal-storage.ts';
import * as z from 'zod/mini';

export interface FalAdapterOptions {
  service: RemoteService;
  api_key: string;
  model: string;
  /** Builds the endpoint's input; default: the names that most endpoints share. */
  request?: Mapping | undefined;
  /** Chooses the endpoint too, so that `model` and `request` are not used. */
  buildRequest?: BuildFalRequest | undefined;
  output?: Mapping | undefined;
  /** Reads results of any shape, so that `output` is not used. */
  readResult?: ((result: unknown) => FalResult) | undefined;
  /** Converts what fal bills to units of the model's own price; null if it has others. */
  toPriceUnits?: ((bill: FalBill) => number | null) | undefined;
  priority?: 'low' | 'normal' | undefined;
  expire_after_seconds?: number | undefined;
  storage_url?: string | undefined;
  /** Larger files are uploaded; default 256 KB. */
  max_data_url_bytes?: number | undefined;
  /** fal's Platform API, which has the prices. Without it costs stay unknown. */
  platform?: RemoteService | undefined;
  seeded_endpoints?: readonly string[] | undefined;
  /** Passed to fal, so that a request still queued after the deadline never starts. */
  deadlineMs?: number | undefined;
  max_output_bytes?: number | undefined;
}

/** https://fal.ai/docs: “Authenticate with the Key scheme”. */
export const falHeaders = (key: string): Record<string, string> => ({ authorization: `Key ${key}` });

/** Runs a model in fal's queue, which has no idempotency key; the official client repeats a lost submit. */
export function createFalAdapter(options: FalAdapterOptions): UpstreamAdapter {
  const { service, api_key, model, platform, seeded_endpoints } = options;
  const http = createUpstreamHttp({ service, api_key, headers: falHeaders, mapError: mapFalError });
  const resultHttp = createUpstreamHttp({ service, api_key, headers: falHeaders, mapError: mapFalResultError });
  const platformHttp =
    platform && createUpstreamHttp({ service: platform, api_key, headers: falHeaders, mapError: mapFalError });
  const measureCost = platformHttp && createFalCostMeter(platformHttp);

  return {
    supports_submit_key: false,
    async submit(job) {
      const { endpoint, input } = await beforeSubmit(() => buildRequest(job));
      const request = { method: 'POST', json: input, headers: submitHeaders(options), signal: job.signal };
      const handle = buildFalHandle(await http.requestJson(`/${endpoint}`, request), endpoint, service.base_url);
      return { status: 'accepted', handle: { ...handle }, progress: null };
    },
    async poll(job, handle) {
      const urls = parseFalHandle(handle);
      try {
        const status = await fetchStatus(urls, job.signal);
        if (status.status === 'COMPLETED') return await finish(urls, status, job);
        const providerStatus = toProviderStatus(status, http.redact);
        return { status: 'accepted', handle, progress: null, provider_status: providerStatus };
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return {
          status: 'unclear',
          reason: 'The provider no longer has this request or its result.',
          result: null,
        };
      }
    },
    ...(platformHttp && seeded_endpoints
      ? {
          async findLostSubmit(job: LostSubmit) {
            const found = await findFalRequest(platformHttp, seeded_endpoints, job);
            return found && { ...buildFalHandle(found, found.endpoint, service.base_url) };
          },
        }
      : {}),
    async cancel(handle, signal) {
      try {
        await http.requestVoid(parseFalHandle(handle).cancel_url, { method: 'PUT', signal });
      } catch (error) {
        // 400: the request is already complete. 404: fal does not know it.
        if (!(error instanceof EngineError && error.code === 'engine_failed')) throw error;
      }
    },
  };

  async function buildRequest(job: UpstreamEngineJob): Promise<{ endpoint: string; input: unknown }> {
    const { request, buildRequest: build } = options;
    const upload = { ...options, storage_url: options.storage_url ?? 'https://rest.fal.ai' };
    let endpoint = model;
    const input = await buildInputWithFiles(
      (nameReference) => {
        if (request) return request(withFileFunction(createMappingContext(job), job.references, nameReference));
        if (!build) return buildCommonInput(job, nameReference);
        const built = build(job, nameReference);
        ({ endpoint } = built);
        return built.input;
      },
      (reference) => uploadToFal(http, upload, reference, job.signal),
    );
    return { endpoint, input };
  }

  async function fetchStatus({ status_url }: FalHandle, signal: AbortSignal): Promise<FalStatus> {
    try {
      const { data, error } = falStatusSchema.safeParse(await http.requestJson(`${status_url}?logs=1`, { signal }));
      if (!data) throw unreadableResponseError(error);
      return data;
    } catch (error) {
      // The job runs on, whatever has happened to the key or the account since.
      if (!(error instanceof EngineError && error.code === 'model_unavailable')) throw error;
      throw new ResponseLostError(error.message, { cause: error });
    }
  }

  async function finish(urls: FalHandle, status: FalStatus, job: PolledJob): Promise<UpstreamState> {
    const limits = { signal: job.signal, maxResponseBytes: MAX_RESPONSE_BYTES };
    const fetched = resultHttp.requestJsonWithHeaders(urls.response_url, limits);
    const { body, headers } = await fetched.catch(async (error: unknown) => {
      if (error instanceof EngineError) throw withJobCost(error, await measureFailure(urls, error, job.signal));
      // The response usually has more detail; when it has none, the status has the error type.
      if (!status.error_type) throw error;
      const sentence = status.error ? http.redact(status.error) : null;
      throw falRequestError(status.error_type, sentence, error instanceof Error ? error : new Error('failed'));
    });
    const bill = (await measureCost?.(urls.endpoint, headers, job.signal)) ?? null;
    const cost = bill?.cost ?? null;
    const units = bill && options.toPriceUnits?.(bill);
    const inferenceSeconds = status.metrics?.inference_time;
    const handle = inferenceSeconds == null ? { ...urls } : { ...urls, inference_seconds: inferenceSeconds };
    const completion = { cost_micro_usd: null, ...cost, handle };
    const { outputs, data } = await chargedWork(
      cost,
      async () =>
        options.readResult?.(body) ?? { outputs: await readFalOutputs(body, job, options.output), data: null },
    );
    if (outputs.length === 0 && data === null) {
      const reason = 'The provider reported success but returned no file.';
      return { status: 'unclear', reason, result: null, ...completion };
    }
    const files = await chargedWork(cost, () => saveOutputs(resultHttp, outputs, job, options.max_output_bytes));
    return { status: 'succeeded', result: { files, data, ...(units == null ? {} : { units }) }, ...completion };
  }

  /**
   * fal may charge for a request that fails by its input, and never for errors of its servers: FAQ of fal.ai/docs, read
   * 2026-11-23.
   */
  async function measureFailure(urls: FalHandle, { cause }: EngineError, signal: AbortSignal) {
    const mayBeCharged = cause instanceof UpstreamStatusError && cause.status_code < 500;
    return mayBeCharged ? ((await measureCost?.(urls.endpoint, cause.headers, signal))?.cost ?? null) : null;
  }
}

const MAX_RESPONSE_BYTES = 64 * 1_048_576;

function submitHeaders({ priority, expire_after_seconds, deadlineMs }: FalAdapterOptions): Record<string, string> {
  const lifecycle = JSON.stringify({ expiration_duration_seconds: expire_after_seconds });
  return {
    ...(priority === undefined ? {} : { 'x-fal-queue-priority': priority }),
    ...(expire_after_seconds === undefined ? {} : { 'x-fal-object-lifecycle-preference': lifecycle }),
    ...(deadlineMs === undefined ? {} : { 'x-fal-request-timeout': String(Math.max(2, Math.ceil(deadlineMs / 1000))) }),
  };
}

const submitResponseSchema = z.object({
  request_id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
  response_url: z.optional(z.string()),
  status_url: z.optional(z.string()),
  cancel_url: z.optional(z.string()),
});
const handleSchema = z.object({
  request_id: z.string(),
  response_url: z.string(),
  status_url: z.string(),
  cancel_url: z.string(),
  endpoint: z.string(),
  /** Seconds of computing, once the job is complete. */
  inference_seconds: z.optional(z.number()),
});
type FalHandle = z.infer<typeof handleSchema>;

const NAMESPACES = ['workflows', 'comfy'];

/**
 * Builds the URLs as fal's own client does: those that fal returned would bypass a proxy. @throws {ResponseLostError}
 */
export function buildFalHandle(response: unknown, endpoint: string, baseUrl: string): FalHandle {
  const { data, error } = submitResponseSchema.safeParse(response);
  if (!data) throw unreadableResponseError(error);
  const { request_id } = data;
  const app = endpoint.split('/').slice(0, NAMESPACES.includes(endpoint.split('/')[0] ?? '') ? 3 : 2);
  const fallback = `${baseUrl}/${app.join('/')}/requests/${request_id}`;
  const sameOrigin = (url: string | undefined, suffix: string): string =>
    url !== undefined && URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin
      ? url
      : `${fallback}${suffix}`;
  return {
    request_id,
    endpoint,
    response_url: sameOrigin(data.response_url, ''),
    status_url: sameOrigin(data.status_url, '/status'),
    cancel_url: sameOrigin(data.cancel_url, '/cancel'),
  };
}

const parseFalHandle = (handle: UpstreamHandle): FalHandle => handleSchema.parse(handle);
