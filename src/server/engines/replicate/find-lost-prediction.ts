import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { unreadableResponseError } from '../upstream.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import { isRecord } from '../upstream-errors.ts';

const listSchema = z.object({
  results: z.array(z.object({ id: z.string(), model: z.nullish(z.string()), input: z.nullish(z.unknown()) })),
});

const CLOCK_TOLERANCE_MS = 60_000;

export interface LostPrediction {
  /** `owner/name`. */
  model: string;
  /** Fields of the input, at least one of which no other job has. */
  input: Readonly<Record<string, unknown>>;
  submitted_at: Date;
}

/**
 * Looks for the prediction of a lost submit among the latest of the account, as Replicate has no idempotency key.
 * Inputs are removed an hour after a prediction.
 * @returns its id; null unless exactly one prediction has the input
 * @throws like `requestJson`
 */
export async function findLostPrediction(
  http: Pick<UpstreamHttp, 'requestJson'>,
  { model, input, submitted_at }: LostPrediction,
  signal: AbortSignal,
): Promise<string | null> {
  const created_after = new Date(submitted_at.getTime() - CLOCK_TOLERANCE_MS).toISOString();
  const query = new URLSearchParams({ created_after });
  const { data, error } = listSchema.safeParse(await http.requestJson(`/predictions?${query}`, { signal }));
  if (!data) throw unreadableResponseError(error);
  const found = data.results.filter((prediction) => prediction.model === model && hasInput(prediction.input, input));
  const [only = null] = found;
  return found.length === 1 && only ? only.id : null;
}

/** Replicate adds the defaults of options that were not sent. */
const hasInput = (stored: unknown, sent: Readonly<Record<string, unknown>>): boolean =>
  isRecord(stored) && Object.entries(sent).every(([name, value]) => isDeepStrictEqual(stored[name], value));
