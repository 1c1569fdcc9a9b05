import * as z from 'zod/mini';
import { ResponseLostError } from '../upstream.ts';

const predictionSchema = z.object({
  id: z.string().check(z.minLength(1)),
  status: z.enum(['starting', 'processing', 'succeeded', 'failed', 'canceled', 'aborted']),
  output: z.optional(z.unknown()),
  error: z.nullish(z.unknown()),
  logs: z.nullish(z.string()),
  metrics: z.nullish(z.record(z.string(), z.unknown())),
  data_removed: z.nullish(z.boolean()),
  completed_at: z.nullish(z.string()),
  /** When Replicate stops it by itself, as `Cancel-After` asked. */
  deadline: z.nullish(z.string()),
});

/** The part of Replicate's prediction that we read. */
export type Prediction = z.infer<typeof predictionSchema>;

/** @throws {ResponseLostError} where the answer is no prediction */
export function parsePrediction(answer: unknown): Prediction {
  const { data, error } = predictionSchema.safeParse(answer);
  if (data) return data;
  throw new ResponseLostError('The answer of the engine can’t be understood.', { cause: error });
}

/** As the official client reads it: the percentage of the last progress bar that tqdm wrote into the log. */
const PROGRESS_BAR = /^\s*(\d{1,3})%\s*\|.*?\|\s*\d+\/\d+/;

/** @returns 0 to 1; null where the log shows no progress */
export function predictionProgress({ status, logs }: Prediction): number | null {
  if (status === 'starting') return 0;
  const bar = (logs ?? '')
    .split(/[\r\n]+/)
    .map((line) => PROGRESS_BAR.exec(line)?.[1])
    .findLast((percentage) => percentage !== undefined);
  return bar === undefined ? null : Math.min(Number(bar), 100) / 100;
}
