import * as z from 'zod/mini';
import type { RemoteService } from '#server/net/remote-service.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { beforeSubmit } from '../before-submit.ts';
import { saveOutputs } from '../save-outputs.ts';
import {
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

/** The codes of a model's own filter; the numbers of four digits are of Replicate itself and documented. */
const CONTENT_FILTER = /\bE005\b|\bNSFW\b|flagged as sensitive/i;
const OUT_OF_MEMORY = /\bE1001\b|out of memory/i;
/** Unknown, not started in time, broken off: none of them is because of the input. */
const REPLICATE_ERRORS = /\bE(1000|6716|8367|8765|9243|9825)\b|prediction interrupted/i;

/** What became of a prediction that ended without success, for the person. @param clean makes its words fit for them */
function predictionError(prediction: Prediction, clean: (text: string) => string): EngineError {
  const { error } = prediction;
  const said = clean(typeof error === 'string' ? error : error ? JSON.stringify(error) : '');
  const cause = new Error(`Prediction ${prediction.id} is ${prediction.status}: ${said}`);
  if (prediction.status !== 'failed') return stoppedError(prediction, cause);
  if (CONTENT_FILTER.test(said)) return contentRefusedError(said, cause);
  if (OUT_OF_MEMORY.test(said)) {
    return new EngineError('engine_failed', 'The model ran out of memory. Try a smaller size or fewer references.', {
      cause,
    });
  }
  const why = said === '' ? 'without saying why.' : `and says: ${/[.!?…]$/.test(said) ? said : `${said}.`}`;
  return new EngineError('engine_failed', `The model failed ${why}`, { retryable: REPLICATE_ERRORS.test(said), cause });
}

function stoppedError({ status, deadline, completed_at }: Prediction, cause: Error): EngineError {
  const late = deadline && completed_at && Date.parse(completed_at) >= Date.parse(deadline);
  if (status === 'aborted' || late) {
    return new EngineError('timeout', 'The model did not finish in the time it had.', { retryable: true, cause });
  }
  return new EngineError('engine_failed', 'The work was stopped at Replicate before it ended.', {
    retryable: true,
    cause,
  });
}

export interface ReplicateAdapterOptions {
  service: RemoteService;
  api_key: string;
  /** `owner/name`, `owner/name:version` or a version's id. */
  model: string;
  /** Gives the prediction's `input`. */
  request: Mapping;
  /** Gives an address, a list of addresses or `{ files, data }`. */
  output?: Mapping | undefined;
  /** Replicate then ends the prediction by itself, so that none runs on that nobody asks for any more. */
  deadline_ms?: number | undefined;
  max_output_bytes?: number | undefined;
}

const handleSchema = z.object({ prediction_id: z.string() });

/**
 * Runs a model at Replicate, as its HTTP reference (version 1) describes predictions and files. It takes no submit key
 * and names no price. The official client is not used: it repeats a create whose answer was lost, and can't be told not to.
 */
export function createReplicateAdapter(options: ReplicateAdapterOptions): UpstreamAdapter {
  const { service, api_key } = options;
  const http = createUpstreamHttp({ service, api_key, mapError: mapError });

  return {
    supports_submit_key: false,
    async submit(job) {
      const input = await beforeSubmit(() => buildPredictionInput(http, options.request, job));
      const answer = await http.requestJson('/predictions', {
        method: 'POST',
        json: { version: options.model, input },
        headers: cancelAfter(options.deadline_ms),
        signal: job.signal,
      });
      const prediction = parsePrediction(answer);
      if (isFailed(prediction)) throw predictionError(prediction, http.redact);
      return acceptedState(prediction);
    },
    async poll(job, handle) {
      const id = predictionId(handle);
      try {
        return await judge(parsePrediction(await http.requestJson(`/predictions/${id}`, { signal: job.signal })), job);
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        return {
          status: 'unclear',
          reason: 'Replicate does not have this prediction, or its result, any more.',
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

  async function judge(prediction: Prediction, job: PolledJob): Promise<UpstreamState> {
    if (isFailed(prediction)) throw predictionError(prediction, http.redact);
    if (prediction.status !== 'succeeded') return acceptedState(prediction);
    const found = await readPredictionOutputs(prediction, job, options.output);
    if (!found || (found.urls.length === 0 && !found.data))
      return { status: 'unclear', reason: noOutputMessage(prediction), result: null };
    const outputs = found.urls.map((url) => ({ url }));
    const files = await saveOutputs(http, outputs, job, options.max_output_bytes);
    return { status: 'succeeded', result: { files, data: found.data }, cost_micro_usd: null };
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
    ? 'Replicate says that it is done, but has already removed the result.'
    : 'Replicate says that it is done, but there is no file in its result.';

const predictionId = (handle: UpstreamHandle): string => encodeURIComponent(handleSchema.parse(handle).prediction_id);

/** At least 5 seconds, as the reference says. */
const cancelAfter = (deadline_ms: number | undefined): Record<string, string> =>
  deadline_ms === undefined ? {} : { 'cancel-after': `${Math.max(5, Math.ceil(deadline_ms / 1000))}s` };

function mapError({ status, headers, body, cause }: UpstreamErrorResponse): Error | null {
  if (status === 429) {
    // “Request was throttled. Your rate limit resets in ~30s.”
    const seconds = /(?:resets|available) in ~?(\d{1,5})\s*s/.exec(readDetail(body))?.[1];
    const retry_after_ms = parseRetryAfter(headers) ?? (seconds === undefined ? null : Number(seconds) * 1000);
    return new UpstreamBusyError('The engine takes no more work right now.', { retry_after_ms, cause });
  }
  return null;
}

const readDetail = (body: unknown): string =>
  isRecord(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
