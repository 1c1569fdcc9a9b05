import * as z from 'zod/mini';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import type { UpstreamCost } from '#server/models/engine/engine.ts';
import { type Bill, chargedWork, toUpstreamCost, withJobCost } from '#server/models/engine/job-cost.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import {
  beforeSubmit,
  type LostSubmit,
  type PolledJob,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamHandle,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, isNotFoundError, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  parsePrediction,
  type Prediction,
  predictionProgress,
  predictionStage,
  findLostPrediction,
} from './prediction.ts';
import { buildPredictionInput, type PredictionInputBuilder } from './prediction-input.ts';
import { mapReplicateError, predictionError } from './replicate-errors.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';

export interface ReplicateAdapterOptions {
  service: RemoteService;
  api_key: string | null;
  model: string;
  /** An official model, which has an endpoint of its own and no version. */
  is_official?: boolean | undefined;
  buildInput: PredictionInputBuilder;
  /** Fields of the input that no other job has, by which a lost submit is found; null if there are none. */
  uniqueInput?:
    | ((job: Pick<LostSubmit, 'submit_key' | 'input'>) => Readonly<Record<string, unknown>> | null)
    | undefined;
  output?: Mapping | undefined;
  /** Replaces `output`. */
  readOutputs?: ((prediction: Prediction) => PredictionOutputs) | undefined;
  /** @returns what a prediction costs by what Replicate measured; null if the metrics do not say */
  computeCost?: ((job: PolledJob, metrics: Readonly<Record<string, unknown>>) => Bill | null) | undefined;
  /** Passed to Replicate, so that no abandoned prediction keeps running. */
  deadlineMs?: number | undefined;
  max_output_bytes?: number | undefined;
}

const handleSchema = z.object({ prediction_id: z.string() });
const MAX_SENT_INPUTS = 1000;

export const createReplicateHttp = ({ service, api_key }: Pick<ReplicateAdapterOptions, 'service' | 'api_key'>) =>
  createUpstreamHttp({ service, api_key, mapError: mapReplicateError });

/** Replicate's HTTP API 1, without idempotency keys and prices. The official client repeats a lost create. */
export function createReplicateAdapter(options: ReplicateAdapterOptions): UpstreamAdapter {
  const http = createReplicateHttp(options);
  /** Inputs with uploaded files, by which a lost submit is found. */
  const sentInputs = new Map<string, Readonly<Record<string, unknown>>>();

  return {
    supports_submit_key: false,
    async submit(job) {
      const { input, has_uploads } = await beforeSubmit(() => buildPredictionInput(http, options.buildInput, job));
      if (has_uploads && isRecord(input)) rememberInput(sentInputs, job.submit_key, input);
      const prediction = await createPrediction(http, options, input, job);
      sentInputs.delete(job.submit_key);
      if (isFailed(prediction)) throw predictionError(prediction, http.redact);
      return acceptedState(prediction);
    },
    async findLostSubmit(job) {
      const { submit_key, submitted_at, signal } = job;
      const input = options.uniqueInput?.(job) ?? sentInputs.get(submit_key);
      if (!input) return null;
      const [model = ''] = options.model.split(':', 1);
      const prediction_id = await findLostPrediction(http, { model, input, submitted_at }, signal);
      return prediction_id === null ? null : { prediction_id };
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
    const cost = readCost(prediction, job);
    if (isFailed(prediction)) throw withJobCost(predictionError(prediction, http.redact), cost);
    if (prediction.status !== 'succeeded') return acceptedState(prediction);
    const completion = { cost_micro_usd: null, ...cost };
    const outputs =
      options.readOutputs?.(prediction) ??
      (await chargedWork(cost, () => readPredictionOutputs(prediction, job, options.output)));
    if (!outputs || (outputs.urls.length === 0 && !outputs.data))
      return { status: 'unclear', reason: noOutputMessage(prediction), result: null, ...completion };
    const urlOutputs = outputs.urls.map((url) => ({ url }));
    const files = await chargedWork(cost, () => saveOutputs(http, urlOutputs, job, options.max_output_bytes));
    return { status: 'succeeded', result: { files, data: outputs.data, units: outputs.units }, ...completion };
  }

  /**
   * Failed and canceled predictions are charged for the time that they ran, those that never started are not:
   * replicate.com/docs/topics/predictions/lifecycle, read 2026-11-23.
   */
  function readCost({ status, metrics }: Prediction, job: PolledJob): UpstreamCost | null {
    const bill = status === 'aborted' ? 0n : (options.computeCost?.(job, metrics ?? {}) ?? null);
    return toUpstreamCost(bill, 'computed');
  }

  function acceptedState(prediction: Prediction): UpstreamState {
    const stage = predictionStage(prediction);
    return {
      status: 'accepted',
      handle: { prediction_id: prediction.id },
      progress: predictionProgress(prediction),
      provider_status: stage === null ? null : { queue_position: null, stage: http.redact(stage) },
      ...(prediction.status === 'succeeded' ? { pollAfterMs: 0 } : {}),
    };
  }
}

async function createPrediction(
  http: UpstreamHttp,
  { model, is_official = false, deadlineMs }: ReplicateAdapterOptions,
  input: unknown,
  { signal }: UpstreamEngineJob,
): Promise<Prediction> {
  const response = await http.requestJson(is_official ? `/models/${model}/predictions` : '/predictions', {
    method: 'POST',
    json: is_official ? { input } : { version: model, input },
    headers: cancelAfter(deadlineMs),
    signal,
  });
  return parsePrediction(response);
}

function rememberInput<Input>(inputs: Map<string, Input>, submitKey: string, input: Input): void {
  inputs.set(submitKey, input);
  const [oldest] = inputs.keys();
  if (inputs.size > MAX_SENT_INPUTS && oldest !== undefined) inputs.delete(oldest);
}

const isFailed = ({ status }: Prediction): boolean =>
  status === 'failed' || status === 'canceled' || status === 'aborted';

const noOutputMessage = ({ data_removed }: Prediction): string =>
  data_removed
    ? 'Replicate reported success but has already removed the result.'
    : 'Replicate reported success but returned no file.';

const predictionId = (handle: UpstreamHandle): string => encodeURIComponent(handleSchema.parse(handle).prediction_id);

/** Replicate's minimum is 5 seconds. */
const cancelAfter = (deadlineMs: number | undefined): Record<string, string> =>
  deadlineMs === undefined ? {} : { 'cancel-after': `${Math.max(5, Math.ceil(deadlineMs / 1000))}s` };

export interface PredictionOutputs {
  urls: string[];
  data: Record<string, unknown> | null;
  /** See `EngineResult`. */
  units?: number | undefined;
}

const FILE_URL = /^(https?:\/\/|data:)/i;
const urlList = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((url) => [url]),
  ),
]);
const mappedOutputs = z.union([
  z.pipe(
    urlList,
    z.transform((urls) => ({ urls, data: null })),
  ),
  z.pipe(
    z.object({ files: z.optional(urlList), data: z.nullish(z.record(z.string(), z.unknown())) }),
    z.transform(({ files, data }) => ({ urls: files ?? [], data: data ?? null })),
  ),
]);

/**
 * Without a mapping: every URL in the output. @returns null when a mapping returns anything but files
 * @param mapping returns a URL, a list of URLs or `{ files, data }` @throws {EngineError} when it fails
 */
async function readPredictionOutputs(
  prediction: Prediction,
  job: PolledJob,
  mapping: Mapping | undefined,
): Promise<PredictionOutputs | null> {
  if (!mapping) return { urls: findUrls(prediction.output), data: null };
  const { id, output, metrics = null, logs = null } = prediction;
  const context = createMappingContext({ ...job, references: [] }, { prediction: { id, output, metrics, logs } });
  return mappedOutputs.safeParse(await mapping(context)).data ?? null;
}

function findUrls(output: unknown): string[] {
  if (typeof output === 'string') return FILE_URL.test(output) ? [output] : [];
  if (Array.isArray(output)) return output.flatMap(findUrls);
  return isRecord(output) ? Object.values(output).flatMap(findUrls) : [];
}
