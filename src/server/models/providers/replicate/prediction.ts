import { isDeepStrictEqual } from 'node:util';
import type { Prediction as ReplicatePrediction } from 'replicate';
import * as z from 'zod/mini';
import { isRecord } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';

/** All that the official client knows. Its types say nothing of the inputs of models. */
const STATUSES = {
  starting: 'starting',
  processing: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
  aborted: 'aborted',
} as const satisfies { [S in ReplicatePrediction['status']]: S };

const predictionSchema = z.object({
  id: z.string().check(z.minLength(1)),
  status: z.enum(STATUSES),
  output: z.optional(z.unknown()),
  error: z.nullish(z.unknown()),
  logs: z.nullish(z.string()),
  metrics: z.nullish(z.record(z.string(), z.unknown())),
  data_removed: z.nullish(z.boolean()),
  completed_at: z.nullish(z.string()),
  /** When Replicate stops the prediction, set by `Cancel-After`. */
  deadline: z.nullish(z.string()),
});

export type Prediction = z.infer<typeof predictionSchema>;

export function parsePrediction(response: unknown): Prediction {
  const { data, error } = predictionSchema.safeParse(response);
  if (data) return data;
  throw unreadableResponseError(error);
}

/** As the official client reads it. */
const PROGRESS_BAR = /^\s*(\d{1,3})%\s*\|.*?\|\s*\d+\/\d+/;

/** @returns 0 to 1; null when the log has no progress bar */
export function predictionProgress({ status, logs }: Prediction): number | null {
  if (status === 'starting') return 0;
  const bar = (logs ?? '')
    .split(/[\r\n]+/)
    .map((line) => PROGRESS_BAR.exec(line)?.[1])
    .findLast((percentage) => percentage !== undefined);
  return bar === undefined ? null : Math.min(Number(bar), 100) / 100;
}

/** What the prediction does now, as people read it: the last line of its log, else its status. */
export function predictionStage({ status, logs }: Prediction): string | null {
  const line = (logs ?? '')
    .split(/[\r\n]+/)
    .findLast((text) => text.trim() !== '' && !PROGRESS_BAR.test(text))
    ?.trim();
  if (line) return line;
  return status === 'starting' ? 'Starting' : null;
}

const listSchema = z.object({
  results: z.array(z.object({ id: z.string(), model: z.nullish(z.string()), input: z.nullish(z.unknown()) })),
});

const CLOCK_TOLERANCE_MS = 60_000;

interface LostPrediction {
  model: string;
  /** Fields of the input, at least one of which no other job has. */
  input: Readonly<Record<string, unknown>>;
  submitted_at: Date;
}

/**
 * Looks for a lost submit among the latest predictions; inputs are removed after an hour. @throws like `requestJson`
 * @returns its id; null unless exactly one prediction has the input
 */
export async function findLostPrediction(
  http: Pick<UpstreamHttp, 'requestJson'>,
  { model, input, submitted_at }: LostPrediction,
  signal: AbortSignal,
): Promise<string | null> {
  const createdAfter = new Date(submitted_at.getTime() - CLOCK_TOLERANCE_MS).toISOString();
  const query = new URLSearchParams({ created_after: createdAfter });
  const { data, error } = listSchema.safeParse(await http.requestJson(`/predictions?${query}`, { signal }));
  if (!data) throw unreadableResponseError(error);
  const found = data.results.filter((prediction) => prediction.model === model && hasInput(prediction.input, input));
  const [only = null] = found;
  return found.length === 1 && only ? only.id : null;
}

/** Replicate adds the defaults of options that were not sent. */
const hasInput = (stored: unknown, sent: Readonly<Record<string, unknown>>): boolean =>
  isRecord(stored) && Object.entries(sent).every(([name, value]) => isDeepStrictEqual(stored[name], value));
