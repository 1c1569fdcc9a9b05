import * as z from 'zod/mini';
import { modelId, taskId } from '../primitives.ts';

/** How long a task on a model usually takes this organization, in the queue and running. */
export const UsualDuration = z.strictObject({
  object: z.literal('usual_duration'),
  task: taskId(),
  model: modelId(),
  /** Whether the generations were previews or made by a provider; the two are never mixed. */
  engine: z.enum(['preview', 'upstream']),
  /** Median, rounded to tenths. */
  seconds: z.number(),
  /** The same for the time after the queue. */
  run_seconds: z.number(),
});
export type UsualDuration = z.infer<typeof UsualDuration>;
