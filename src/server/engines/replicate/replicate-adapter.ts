import * as z from 'zod/mini';
import type { RemoteService } from '#server/net/remote-service.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { saveOutputs } from '../save-outputs.ts';
import {
  beforeSubmit,
  type PolledJob,
  UpstreamBusyError,
  type UpstreamAdapter,
  type UpstreamHandle,
  type UpstreamState,
} from '../upstream.ts';
import { type UpstreamErrorResponse, isRecord, parseRetryAfter, contentRefusedError } from '../upstream-errors.ts';
import { createUpstreamHttp, isNotFoundError } from '../upstream-http.ts';
import { parsePrediction, type Prediction, predictionProgress } from './prediction.ts';
import { readPredictionOutputs } from './prediction-outputs.ts';
import { buildPredictionInput } from './prediction-input.ts';
import { EngineError } from '../engine.ts';

/** Codes of a model's own content filter. Four-digit codes are Replicate's and documented. */
const CONTENT_FILTER = /\bE005\b|\bNSFW\b|flagged as sensitive/i;
const OUT_OF_MEMORY = /\bE1001\b|out of memory/i;
/** Failures that the input did not cause: unknown, start timeout, interruption. */
const REPLICATE_ERRORS = /\bE(1000|6716|8367|8765|9243|9825)\b|prediction interrupted/i;

function predictionError(prediction: Prediction, redact: (text: string) => string): EngineError {
  const { error } = prediction;
  const text = redact(typeof error === 'string' ? error : error ? JSON.stringify(error) : '');
  const cause = new Error(`Prediction ${prediction.id} is ${prediction.status}: ${text}`);
  if (prediction.status !== 'failed') return stoppedError(prediction, cause);
  if (CONTENT_FILTER.test(text)) return contentRefusedError(text, cause);
  if (OUT_OF_MEMORY.test(text)) {
    return new EngineError('engine_failed', 'The model ran out of memory. Try a smaller size or fewer references.', {
      cause,
    });
  }
  const detail = text === '' ? ' without an error message.' : `: ${/[.!?…]$/.test(text) ? text : `${text}.`}`;
  return new EngineError('engine_failed', `The model failed${detail}`, {
    retryable: REPLICATE_ERRORS.test(text),
    cause,
  });
}

function stoppedError({ status, deadline, completed_at }: Prediction, cause: Error): EngineError {
  const is_late = deadline && completed_at && Date.parse(completed_at) >= Date.parse(deadline);
  if (status === 'aborted' || is_late) {
    return new EngineError('timeout', 'The model did not finish before the deadline.', { retryable: true, cause });
  }
  return new EngineError('engine_failed', 'The prediction was stopped at Replicate before it completed.', {
    retryable: true,
    cause,
  });
}

export interface ReplicateAdapterOptions {
  service: RemoteService;
  api_key: string;
  model: string;
  request: Mapping;
  output?: Mapping | undefined;
  /** Passed to Replicate, so that no abandoned prediction keeps running. */
  deadline_ms?: number | undefined;
  max_output_bytes?: number | undefined;
}

const handleSchema = z.object({ prediction_id: z.string() });

/**
 * Runs a model at Replicate (HTTP API version 1), which has no idempotency key and reports no price. The official
 * client is not used because it repeats a create whose response was lost, and can't be told not to.
 */
export function createReplicateAdapter(options: ReplicateAdapterOptions): UpstreamAdapter {
  const { service, api_key } = options;
  const http = createUpstreamHttp({ service, api_key, mapError });

  return {
    supports_submit_key: false,
    async submit(job) {
      const input = await beforeSubmit(() => buildPredictionInput(http, options.request, job));
      const response = await http.requestJson('/predictions', {
        method: 'POST',
        json: { version: options.model, input },
        headers: cancelAfter(options.deadline_ms),
        signal: job.signal,
      });
      const prediction = parsePrediction(response);
      if (isFailed(prediction)) throw predictionError(prediction, http.redact);
      return acceptedState(prediction);
    },
    async poll(job, handle) {
      const id = predictionId(handle);
      try {
        return await readState(
          parsePrediction(await http.requestJson(`/predictions/${id}`, { signal: job.signal })),
          job,
        );
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return {
          status: 'unclear',
          reason: 'Replicate no longer has this prediction or its result.',
          result: null,
        };
      }
    },
    async cancel(handle, signal) {
      try {
        await http.requestVoid(`/predictions/${predictionId(handle)}/cancel`, { method: 'POST', signal });
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
      }
    },
  };

  async function readState(prediction: Prediction, job: PolledJob): Promise<UpstreamState> {
    if (isFailed(prediction)) throw predictionError(prediction, http.redact);
    if (prediction.status !== 'succeeded') return acceptedState(prediction);
    const outputs = await readPredictionOutputs(prediction, job, options.output);
    if (!outputs || (outputs.urls.length === 0 && !outputs.data))
      return { status: 'unclear', reason: noOutputMessage(prediction), result: null };
    const url_outputs = outputs.urls.map((url) => ({ url }));
    const files = await saveOutputs(http, url_outputs, job, options.max_output_bytes);
    return { status: 'succeeded', result: { files, data: outputs.data }, cost_micro_usd: null };
  }
}

const isFailed = ({ status }: Prediction): boolean =>
  status === 'failed' || status === 'canceled' || status === 'aborted';

const acceptedState = (prediction: Prediction): UpstreamState => ({
  status: 'accepted',
  handle: { prediction_id: prediction.id },
  progress: predictionProgress(prediction),
  ...(prediction.status === 'succeeded' ? { poll_after_ms: 0 } : {}),
});

const noOutputMessage = ({ data_removed }: Prediction): string =>
  data_removed
    ? 'Replicate reported success but has already removed the result.'
    : 'Replicate reported success but returned no file.';

const predictionId = (handle: UpstreamHandle): string => encodeURIComponent(handleSchema.parse(handle).prediction_id);

/** Replicate's minimum is 5 seconds. */
const cancelAfter = (deadline_ms: number | undefined): Record<string, string> =>
  deadline_ms === undefined ? {} : { 'cancel-after': `${Math.max(5, Math.ceil(deadline_ms / 1000))}s` };

function mapError({ status, headers, body, cause }: UpstreamErrorResponse): Error | null {
  if (status === 429) {
    // “Request was throttled. Your rate limit resets in ~30s.”
    const seconds = /(?:resets|available) in ~?(\d{1,5})\s*s/.exec(readDetail(body))?.[1];
    const retry_after_ms = parseRetryAfter(headers) ?? (seconds === undefined ? null : Number(seconds) * 1000);
    return new UpstreamBusyError('The provider is busy right now.', { retry_after_ms, cause });
  }
  return null;
}

const readDetail = (body: unknown): string =>
  isRecord(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
