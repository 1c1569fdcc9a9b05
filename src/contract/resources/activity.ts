import * as z from 'zod/mini';
import { defineEndpoints } from '#contract/api/endpoint.ts';
import { id, listSchema, modelId, taskId } from '../primitives.ts';
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

export const activityEndpoints = defineEndpoints('Generations', {
  get_activity: {
    summary: 'Get own running and queued work, with queue positions and estimated times',
    status: 200,
    response: Activity,
    errors: {},
  },
  list_usual_durations: {
    summary: 'List how long each task and model usually takes',
    status: 200,
    response: listSchema(UsualDuration),
    errors: {},
  },
});
