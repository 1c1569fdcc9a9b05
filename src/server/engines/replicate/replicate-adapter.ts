import * as z from 'zod/mini';
import type { Service } from '../../net/service.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { nothingTaken } from '../nothing-taken.ts';
import { saveOutputs } from '../save-outputs.ts';
import {
  type PolledJob,
  UpstreamBusy,
  type UpstreamAdapter,
  type UpstreamHandle,
  type UpstreamState,
} from '../upstream.ts';
import { type Refusal, isRecord, retryAfter } from '../upstream-answers.ts';
import { createUpstreamHttp, isGone } from '../upstream-http.ts';
import { parsePrediction, type Prediction, progressOf } from './prediction.ts';
import { predictionFailure } from './prediction-failure.ts';
import { predictionOutputs } from './prediction-outputs.ts';
import { predictionInput } from './send-references.ts';

export interface ReplicateAdapterOptions {
  service: Service;
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
  const http = createUpstreamHttp({ service, api_key, explain });

  return {
    takes_submit_key: false,
    async submit(job) {
      const input = await nothingTaken(() => predictionInput(http, options.request, job));
      const answer = await http.json('/predictions', {
        method: 'POST',
        json: { version: options.model, input },
        headers: cancelAfter(options.deadline_ms),
        signal: job.signal,
      });
      const prediction = parsePrediction(answer);
      if (isFailed(prediction)) throw predictionFailure(prediction, http.clean);
      return accepted(prediction);
    },
    async poll(job, handle) {
      const id = idOf(handle);
      try {
        return await judge(parsePrediction(await http.json(`/predictions/${id}`, { signal: job.signal })), job);
      } catch (error) {
        if (!isGone(error)) throw error;
        return {
          status: 'unclear',
          reason: 'Replicate does not have this prediction, or its result, any more.',
          result: null,
        };
      }
    },
    async cancel(handle, signal) {
      try {
        await http.tell(`/predictions/${idOf(handle)}/cancel`, { method: 'POST', signal });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
  };

  async function judge(prediction: Prediction, job: PolledJob): Promise<UpstreamState> {
    if (isFailed(prediction)) throw predictionFailure(prediction, http.clean);
    if (prediction.status !== 'succeeded') return accepted(prediction);
    const found = await predictionOutputs(prediction, job, options.output);
    if (!found || (found.urls.length === 0 && !found.data))
      return { status: 'unclear', reason: nothingIn(prediction), result: null };
    const outputs = found.urls.map((url) => ({ url }));
    const files = await saveOutputs(http, outputs, job, options.max_output_bytes);
    return { status: 'succeeded', result: { files, data: found.data }, cost_micro_usd: null };
  }
}

const isFailed = ({ status }: Prediction): boolean =>
  status === 'failed' || status === 'canceled' || status === 'aborted';

const accepted = (prediction: Prediction): UpstreamState => ({
  status: 'accepted',
  handle: { prediction_id: prediction.id },
  progress: progressOf(prediction),
  ...(prediction.status === 'succeeded' ? { poll_after_ms: 0 } : {}),
});

const nothingIn = ({ data_removed }: Prediction): string =>
  data_removed
    ? 'Replicate says that it is done, but has already removed the result.'
    : 'Replicate says that it is done, but there is no file in its result.';

const idOf = (handle: UpstreamHandle): string => encodeURIComponent(handleSchema.parse(handle).prediction_id);

/** At least 5 seconds, as the reference says. */
const cancelAfter = (deadline_ms: number | undefined): Record<string, string> =>
  deadline_ms === undefined ? {} : { 'cancel-after': `${Math.max(5, Math.ceil(deadline_ms / 1000))}s` };

function explain({ status, headers, body, cause }: Refusal): Error | null {
  if (status === 429) {
    // “Request was throttled. Your rate limit resets in ~30s.”
    const seconds = /(?:resets|available) in ~?(\d{1,5})\s*s/.exec(detailOf(body))?.[1];
    const retry_after_ms = retryAfter(headers) ?? (seconds === undefined ? null : Number(seconds) * 1000);
    return new UpstreamBusy('The engine takes no more work right now.', { retry_after_ms, cause });
  }
  return null;
}

const detailOf = (body: unknown): string =>
  isRecord(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
