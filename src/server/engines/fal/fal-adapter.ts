import * as z from 'zod/mini';
import type { RemoteService } from '#server/net/remote-service.ts';
import { withFileFunction } from '../mapping/file-function.ts';
import { buildInputWithFiles } from '../mapping/build-input-with-files.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { createMappingContext } from '../mapping/mapping-context.ts';
import { beforeSubmit } from '../before-submit.ts';
import { saveOutputs, type UpstreamOutput } from '../save-outputs.ts';
import {
  ResponseLostError,
  type PolledJob,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamState,
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

/** Where endpoints put their files, by what a task makes. */
const OUTPUT_FIELDS = {
  image: ['images', 'image'],
  video: ['video', 'videos'],
  audio: ['audio', 'audio_file'],
} as const;

/**
 * The files of an endpoint's answer, without those that its safety checker blackened.
 * @param mapping gives an address or a list of them; reads `result` beside the job
 * @returns none where there are none, or they can't be understood
 * @throws {EngineError} where the checker left nothing, or the mapping fails
 */
async function falOutputs(result: unknown, job: PolledJob, mapping: Mapping | undefined): Promise<UpstreamOutput[]> {
  if (mapping) return parseOutputs(await mapping(createMappingContext(job, { result }))) ?? [];
  if (!isRecord(result)) return [];
  const { media_type } = TASKS[job.task];
  const fields: readonly string[] = media_type === null ? [] : OUTPUT_FIELDS[media_type];
  const found = fields.map((field) => parseOutputs(result[field]) ?? []).find((outputs) => outputs.length > 0) ?? [];
  const flags = result['has_nsfw_concepts'];
  const kept = Array.isArray(flags) ? found.filter((_output, index) => flags[index] !== true) : found;
  if (found.length > 0 && kept.length === 0) throw contentRefusedError(null);
  return kept;
}

export interface FalAdapterOptions {
  /** `https://queue.fal.run`. */
  service: RemoteService;
  api_key: string;
  /** `fal-ai/flux/dev`. */
  model: string;
  /** Gives the endpoint's input; ours goes under the names that most endpoints share where there is none. */
  request?: Mapping | undefined;
  /** Gives the addresses of the files. */
  output?: Mapping | undefined;
  priority?: 'low' | 'normal' | undefined;
  expire_after_seconds?: number | undefined;
  storage_url?: string | undefined;
  /** fal then gives up by itself on what still waits, so that nothing is begun that nobody asks for any more. */
  deadline_ms?: number | undefined;
  max_output_bytes?: number | undefined;
}

const statusSchema = z.object({
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  error: z.nullish(z.string()),
  error_type: z.nullish(z.string()),
});

/**
 * Runs a model by fal's queue: submit, status, response and cancel, as its Inference API describes them. It takes no
 * submit key and names no price. The official client is not used: it repeats a submit whose answer was lost.
 */
export function createFalAdapter(options: FalAdapterOptions): UpstreamAdapter {
  const { service, api_key, model } = options;
  const headers = (key: string) => ({ authorization: `Key ${key}` });
  const http = createUpstreamHttp({ service, api_key, headers, mapError: mapFalError });
  const results = createUpstreamHttp({ service, api_key, headers, mapError: mapFalResultError });

  return {
    supports_submit_key: false,
    async submit(job) {
      const input = await beforeSubmit(() => inputOf(job));
      const send = { method: 'POST', json: input, headers: submitHeaders(options), signal: job.signal };
      return acceptedState(buildFalHandle(await http.requestJson(`/${model}`, send), model, service.base_url));
    },
    async poll(job, handle) {
      const urls = parseFalHandle(handle);
      try {
        const { data, error } = statusSchema.safeParse(await http.requestJson(urls.status_url, { signal: job.signal }));
        if (!data) throw new ResponseLostError('The answer of the engine can’t be understood.', { cause: error });
        if (data.status !== 'COMPLETED') return acceptedState(urls);
        return await finish(urls, data, job);
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return {
          status: 'unclear',
          reason: 'The engine does not have this request, or its result, any more.',
          result: null,
        };
      }
    },
    async cancel(handle, signal) {
      try {
        await http.requestVoid(parseFalHandle(handle).cancel_url, { method: 'PUT', signal });
      } catch (error) {
        // 400: it has ended already. 404: it is not known.
        if (!(error instanceof EngineError && error.code === 'engine_failed')) throw error;
      }
    },
  };

  function inputOf(job: UpstreamEngineJob): Promise<unknown> {
    const storage = {
      storage_url: options.storage_url ?? 'https://rest.fal.ai',
      expire_after_seconds: options.expire_after_seconds,
    };
    const { request } = options;
    return buildInputWithFiles(
      (nameOf) =>
        request
          ? request(withFileFunction(createMappingContext(job), job.references, nameOf))
          : buildFalRequest(job, nameOf),
      (reference) => uploadToFal(http, storage, reference, job.signal),
    );
  }

  async function finish(urls: FalHandle, status: z.infer<typeof statusSchema>, job: PolledJob): Promise<UpstreamState> {
    const answer = results.requestJson(urls.response_url, {
      signal: job.signal,
      max_response_bytes: MAX_RESPONSE_BYTES,
    });
    const result = await answer.catch((error: unknown) => {
      // The response says more, as a rule; where it says nothing, the status does.
      if (error instanceof EngineError || !status.error_type) throw error;
      const sentence = status.error ? http.redact(status.error) : null;
      throw falRequestError(status.error_type, sentence, error instanceof Error ? error : new Error('failed'));
    });
    const outputs = await falOutputs(result, job, options.output);
    if (outputs.length === 0) {
      return {
        status: 'unclear',
        reason: 'The engine says that it is done, but there is no file in its result.',
        result: null,
      };
    }
    const files = await saveOutputs(results, outputs, job, options.max_output_bytes);
    return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null };
  }
}

const MAX_RESPONSE_BYTES = 64 * 1_048_576;

const acceptedState = (handle: FalHandle): UpstreamState => ({
  status: 'accepted',
  handle: { ...handle },
  progress: null,
});

/** fal’s Inference API, “Submit a request”. */
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
