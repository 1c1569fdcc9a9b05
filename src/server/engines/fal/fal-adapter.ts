import * as z from 'zod/mini';
import type { RemoteService } from '#server/net/remote-service.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { buildInputWithFiles } from '../mapping/build-input-with-files.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import { saveOutputs, type UpstreamOutput } from '../save-outputs.ts';
import {
  beforeSubmit,
  type PolledJob,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamState,
  unreadableResponseError,
} from '../upstream.ts';
import { createUpstreamHttp, isNotFoundError } from '../upstream-http.ts';
import { EngineError } from '../engine.ts';
import { mapFalError, mapFalResultError, falRequestError } from './fal-errors.ts';
import { type FalHandle, buildFalHandle, parseFalHandle } from './fal-handle.ts';
import { buildFalRequest } from './fal-request.ts';
import { uploadToFal } from './fal-storage.ts';
import { TASKS } from '#contract/catalog.ts';
import { parseOutputs } from '../http/parse-response.ts';
import { contentRefusedError, isRecord } from '../upstream-errors.ts';

const OUTPUT_FIELDS = {
  image: ['images', 'image'],
  video: ['video', 'videos'],
  audio: ['audio', 'audio_file'],
} as const;

/**
 * Reads the files of a result, without those that the safety checker blackened.
 * @param mapping returns a URL or a list of them; reads `result` beside the job
 * @returns an empty list when there are no files or they are unreadable
 * @throws {EngineError} when the checker left no file, or the mapping fails
 */
async function readFalOutputs(
  result: unknown,
  job: PolledJob,
  mapping: Mapping | undefined,
): Promise<UpstreamOutput[]> {
  if (mapping) return parseOutputs(await mapping(createMappingContext(job, { result }))) ?? [];
  if (!isRecord(result)) return [];
  const { media_type } = TASKS[job.task];
  const fields: readonly string[] = media_type === null ? [] : OUTPUT_FIELDS[media_type];
  const outputs =
    fields.map((field) => parseOutputs(result[field]) ?? []).find((candidates) => candidates.length > 0) ?? [];
  const flags = result['has_nsfw_concepts'];
  const safe_outputs = Array.isArray(flags) ? outputs.filter((_output, index) => flags[index] !== true) : outputs;
  if (outputs.length > 0 && safe_outputs.length === 0) throw contentRefusedError(null);
  return safe_outputs;
}

export interface FalAdapterOptions {
  service: RemoteService;
  api_key: string;
  /** `fal-ai/flux/dev`. */
  model: string;
  /** Builds the endpoint's input; default: the names that most endpoints share. */
  request?: Mapping | undefined;
  output?: Mapping | undefined;
  priority?: 'low' | 'normal' | undefined;
  expire_after_seconds?: number | undefined;
  storage_url?: string | undefined;
  /** Passed to fal, so that a request still queued after the deadline never starts. */
  deadline_ms?: number | undefined;
  max_output_bytes?: number | undefined;
}

const statusSchema = z.object({
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  error: z.nullish(z.string()),
  error_type: z.nullish(z.string()),
});

/**
 * Runs a model in fal's queue. It has no idempotency key and reports no price. The official client is not used because
 * it repeats a submit whose response was lost.
 */
export function createFalAdapter(options: FalAdapterOptions): UpstreamAdapter {
  const { service, api_key, model } = options;
  const headers = (key: string) => ({ authorization: `Key ${key}` });
  const http = createUpstreamHttp({ service, api_key, headers, mapError: mapFalError });
  const resultHttp = createUpstreamHttp({ service, api_key, headers, mapError: mapFalResultError });

  return {
    supports_submit_key: false,
    async submit(job) {
      const input = await beforeSubmit(() => buildInput(job));
      const request = { method: 'POST', json: input, headers: submitHeaders(options), signal: job.signal };
      return acceptedState(buildFalHandle(await http.requestJson(`/${model}`, request), model, service.base_url));
    },
    async poll(job, handle) {
      const urls = parseFalHandle(handle);
      try {
        const { data, error } = statusSchema.safeParse(await http.requestJson(urls.status_url, { signal: job.signal }));
        if (!data) throw unreadableResponseError(error);
        if (data.status !== 'COMPLETED') return acceptedState(urls);
        return await finish(urls, data, job);
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return {
          status: 'unclear',
          reason: 'The provider no longer has this request or its result.',
          result: null,
        };
      }
    },
    async cancel(handle, signal) {
      try {
        await http.requestVoid(parseFalHandle(handle).cancel_url, { method: 'PUT', signal });
      } catch (error) {
        // 400: the request is already complete. 404: fal does not know it.
        if (!(error instanceof EngineError && error.code === 'engine_failed')) throw error;
      }
    },
  };

  function buildInput(job: UpstreamEngineJob): Promise<unknown> {
    const storage = {
      storage_url: options.storage_url ?? 'https://rest.fal.ai',
      expire_after_seconds: options.expire_after_seconds,
    };
    const { request } = options;
    return buildInputWithFiles(
      (nameReference) =>
        request
          ? request(withFileFunction(createMappingContext(job), job.references, nameReference))
          : buildFalRequest(job, nameReference),
      (reference) => uploadToFal(http, storage, reference, job.signal),
    );
  }

  async function finish(urls: FalHandle, status: z.infer<typeof statusSchema>, job: PolledJob): Promise<UpstreamState> {
    const pending_response = resultHttp.requestJson(urls.response_url, {
      signal: job.signal,
      max_response_bytes: MAX_RESPONSE_BYTES,
    });
    const result = await pending_response.catch((error: unknown) => {
      // The response usually has more detail; when it has none, the status has the error type.
      if (error instanceof EngineError || !status.error_type) throw error;
      const sentence = status.error ? http.redact(status.error) : null;
      throw falRequestError(status.error_type, sentence, error instanceof Error ? error : new Error('failed'));
    });
    const outputs = await readFalOutputs(result, job, options.output);
    if (outputs.length === 0) {
      return {
        status: 'unclear',
        reason: 'The provider reported success but returned no file.',
        result: null,
      };
    }
    const files = await saveOutputs(resultHttp, outputs, job, options.max_output_bytes);
    return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null };
  }
}

const MAX_RESPONSE_BYTES = 64 * 1_048_576;

const acceptedState = (handle: FalHandle): UpstreamState => ({
  status: 'accepted',
  handle: { ...handle },
  progress: null,
});

function submitHeaders({ priority, expire_after_seconds, deadline_ms }: FalAdapterOptions): Record<string, string> {
  const lifecycle = JSON.stringify({ expiration_duration_seconds: expire_after_seconds });
  return {
    ...(priority === undefined ? {} : { 'x-fal-queue-priority': priority }),
    ...(expire_after_seconds === undefined ? {} : { 'x-fal-object-lifecycle-preference': lifecycle }),
    ...(deadline_ms === undefined
      ? {}
      : { 'x-fal-request-timeout': String(Math.max(2, Math.ceil(deadline_ms / 1000))) }),
  };
}
