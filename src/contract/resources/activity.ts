import * as z from 'zod/mini';
import { id } from '../primitives.ts';
import { Generation } from './generation.ts';

/** What runs and waits of the caller, their keys included. Generations of workflow runs count with their run. */
export const Activity = z.strictObject({
  object: z.literal('activity'),
  running: z.int(),
  queued: z.int(),
  /** Estimated time until all of it is complete; null while unknown. */
  seconds_left: z.nullable(z.number()),
  /** Running ones first, then by place in the queue; at most 100. */
  generations: z.array(
    z.strictObject({
      generation: Generation,
      /** 1: the next to start. null: it runs, or more than 1,000 are ahead. */
      queue_position: z.nullable(z.int()),
      seconds_left: z.nullable(z.number()),
    }),
  ),
  /** Newest first, at most 50. */
  workflow_runs: z.array(
    z.strictObject({
      id: id('run'),
      starter_name: z.string(),
      status: z.enum(['queued', 'running']),
      /** 0 to 1, by steps. */
      progress: z.nullable(z.number()),
    }),
  ),
});
export type Activity = z.infer<typeof Activity>;
