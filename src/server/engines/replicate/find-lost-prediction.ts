import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { UpstreamHttp } from '../upstream-http.ts';
import { isRecord } from '../upstream-errors.ts';
import { type Prediction, predictionSchema } from './prediction.ts';

const listSchema = z.object({
  results: z.array(z.extend(predictionSchema, { model: z.nullish(z.string()), input: z.nullish(z.unknown()) })),
});

export interface LostPrediction {
  /** `owner/name`. */
  model: string;
  input: unknown;
  /** When the request was sent. */
  sent_at: Date;
  /** Predictions of other requests. */
  known_ids: ReadonlySet<string>;
}

/**
 * Finds the prediction of a submit whose response was lost, as Replicate has no idempotency key.
 * @returns null unless exactly one prediction since then has the same model and input
 * @throws like `requestJson`
 */
export async function findLostPrediction(
  http: UpstreamHttp,
  { model, input, sent_at, known_ids }: LostPrediction,
  signal: AbortSignal,
): Promise<Prediction | null> {
  const query = new URLSearchParams({ created_after: sent_at.toISOString(), source: 'api' });
  const { data } = listSchema.safeParse(await http.requestJson(`/predictions?${query}`, { signal }));
  const found = (data?.results ?? []).filter(
    (prediction) => !known_ids.has(prediction.id) && prediction.model === model && hasInput(prediction.input, input),
  );
  const [only = null] = found;
  return found.length === 1 ? only : null;
}

/** Replicate adds the defaults of options that were not sent. */
const hasInput = (stored: unknown, sent: unknown): boolean =>
  isRecord(stored) &&
  isRecord(sent) &&
  Object.entries(sent).every(([name, value]) => isDeepStrictEqual(stored[name], value));
