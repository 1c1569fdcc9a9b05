import * as z from 'zod/mini';
import { BILLING_STATUSES, GENERATION_STATUSES } from '../generation-status.ts';
import { id, jsonObject, timestamp, usd } from '../primitives.ts';
import { Asset } from './generation.ts';

/**
 * - `submitting`: it was sent, or is being sent, and no answer is known.
 * - `waiting`: the upstream took nothing so far; it is sent again.
 * - `accepted`: the upstream has it, under its handle.
 * - `ended`: there is nothing more to ask or to stop.
 */
const UPSTREAM_JOB_STATES = ['submitting', 'waiting', 'accepted', 'ended'] as const;
export type UpstreamJobState = (typeof UPSTREAM_JOB_STATES)[number];

/** A generation's job at another service, and what that service charges beside what we do. */
export const UpstreamJob = z.strictObject({
  object: z.literal('upstream_job'),
  generation_id: id('gen'),
  engine: z.string(),
  state: z.enum(UPSTREAM_JOB_STATES),
  /** The upstream's own id and the like, as its engine keeps it. */
  handle: z.nullable(jsonObject()),
  submitted_at: timestamp(),
  updated_at: timestamp(),
  /** What went wrong last; null while all is well. */
  last_problem: z.nullable(z.string()),
  /** What the upstream charges; null where it has not said. */
  cost_usd: z.nullable(usd()),
  /** The reservation until settled, then the charge. */
  amount_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
});
export type UpstreamJob = z.infer<typeof UpstreamJob>;

const REVIEW_DECISIONS = ['approve', 'reject'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** Everything that a person needs to decide on an outcome. Decision: Manual review */
export const Review = z.strictObject({
  object: z.literal('review'),
  generation_id: id('gen'),
  status: z.enum(GENERATION_STATUSES),
  /** A sentence. */
  reason: z.string(),
  opened_at: timestamp(),
  /** The reservation until settled, then the charge. */
  amount_usd: usd(),
  /** What approving charges; never more than is reserved. */
  charge_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
  /** What is held until it is decided; once approved, what was approved. */
  output: z.strictObject({ assets: z.array(Asset), data: z.nullable(jsonObject()) }),
  upstream: z.nullable(UpstreamJob),
  decision: z.nullable(
    z.strictObject({
      decision: z.enum(REVIEW_DECISIONS),
      note: z.string(),
      /** null: from the shell. */
      decided_by: z.nullable(z.strictObject({ id: id('key'), name: z.string() })),
      decided_at: timestamp(),
    }),
  ),
});
export type Review = z.infer<typeof Review>;

/** `upload_ids`: these uploads, in order, are the result instead of what is held. */
export const ReviewDecisionRequest = z
  .strictObject({
    decision: z.enum(REVIEW_DECISIONS),
    note: z.string().check(z.minLength(1), z.maxLength(1000)),
    upload_ids: z.optional(z.array(id('upl')).check(z.minLength(1), z.maxLength(100))),
  })
  .check(
    z.refine(({ decision, upload_ids }) => decision === 'approve' || upload_ids === undefined, {
      path: ['upload_ids'],
      message: 'Uploads are named only to approve them.',
    }),
  );
export type ReviewDecisionRequest = z.infer<typeof ReviewDecisionRequest>;
