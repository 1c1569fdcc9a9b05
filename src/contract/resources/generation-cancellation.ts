import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { id, pathId } from '../primitives.ts';

/** The most generations that one request cancels. */
const MAX_CANCELED = 500;

/**
 * `ids`: these generations, queued or running. `status`: all queued ones of the caller (their keys included) that belong
 * to no workflow run, the newest first.
 */
export const GenerationCancellationRequest = z
  .strictObject({
    ids: z.optional(z.array(pathId()).check(z.minLength(1), z.maxLength(MAX_CANCELED))),
    status: z.optional(z.literal('queued')),
  })
  .check(
    z.refine(({ ids, status }) => (ids === undefined) !== (status === undefined), {
      message: 'Send either ids or status.',
      path: ['ids'],
    }),
  );
export type GenerationCancellationRequest = z.infer<typeof GenerationCancellationRequest>;

export const GenerationCancellation = z.strictObject({
  object: z.literal('generation_cancellation'),
  canceled: z.array(id('gen')),
  kept: z.array(
    z.strictObject({
      id: z.string(),
      /** Why it was not canceled: it is complete or in review; null: it is unknown. */
      status: z.nullable(z.enum(GENERATION_STATUSES)),
    }),
  ),
  /** There are more queued ones than one request cancels. */
  has_more: z.boolean(),
});
export type GenerationCancellation = z.infer<typeof GenerationCancellation>;
