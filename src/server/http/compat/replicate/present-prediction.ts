import type { Generation } from '#contract/resources/generation.ts';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { CompatDeps } from '#server/http/compat/compat-adapter.ts';
import { failureOf, hasResult } from '#server/http/compat/place-orders.ts';
import { presentInput } from './compat-prediction-input.ts';
import { presentOutput } from './prediction-output.ts';
import { nameWork } from './replicate-models.ts';

export const REPLICATE_PREFIX = '/compat/replicate/v1';

/** A result that waits for a review may still come. */
const STATUSES = {
  queued: 'starting',
  running: 'processing',
  manual_review: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
} as const satisfies Record<GenerationStatus, string>;

type PredictionStatus = (typeof STATUSES)[GenerationStatus];

const predictionStatus = (generation: Generation): PredictionStatus =>
  generation.status === 'succeeded' && !hasResult(generation) ? 'failed' : STATUSES[generation.status];

export const isFinished = (generation: Generation): boolean =>
  !['starting', 'processing'].includes(predictionStatus(generation));

const secondsBetween = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / 1_000;

/** A generation in the form of Replicate’s predictions, with names of inputs as the model’s schema has them here. */
export function presentPrediction(
  deps: Pick<CompatDeps, 'config' | 'offering'>,
  generation: Generation,
  status: PredictionStatus = predictionStatus(generation),
) {
  const { id, input, output, created_at, started_at, completed_at } = generation;
  const { slug, version, output: shape } = nameWork(deps, generation);
  const { assets } = output;
  const dataRemoved = assets.length > 0 && assets.every(({ removed_at }) => removed_at != null);
  const get = `${deps.config.publicUrl}${REPLICATE_PREFIX}/predictions/${id}`;
  return {
    id,
    model: slug,
    version,
    input: presentInput(input),
    output: status === 'succeeded' && !dataRemoved ? presentOutput(shape, output) : null,
    logs: '',
    error: status === 'failed' ? (failureOf(generation)?.message ?? 'The prediction failed.') : null,
    status,
    source: 'api',
    data_removed: dataRemoved,
    created_at,
    started_at,
    completed_at: isFinished(generation) ? completed_at : null,
    metrics:
      started_at !== null && completed_at !== null
        ? {
            predict_time: secondsBetween(started_at, completed_at),
            total_time: secondsBetween(created_at, completed_at),
          }
        : {},
    urls: { get, cancel: `${get}/cancel`, web: `${deps.config.publicUrl}/generations/${id}` },
  };
}
