import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST, SERVICE_UNAVAILABLE } from '#contract/api/endpoint.ts';
import { creatorSchema, id, jsonObject, month, nano, pathId, timestamp, usd } from '../primitives.ts';
import { JOB_COST_BASES } from '../providers.ts';
import { BILLING_STATUSES, GENERATION_STATUSES } from '../statuses.ts';
import { SETTLE_ACTIONS } from './closing-finding.ts';
import { Asset, ReceivedFile } from './generation.ts';

/**
 * - `submitting`: sent or being sent, without a response so far.
 * - `waiting`: the upstream has not accepted it yet; it is submitted again.
 * - `accepted`: the upstream accepted it and issued a handle.
 * - `ended`: nothing is left to poll or cancel.
 */
const UPSTREAM_JOB_STATES = ['submitting', 'waiting', 'accepted', 'ended'] as const;
export type UpstreamJobState = (typeof UPSTREAM_JOB_STATES)[number];

/** A generation's job at a provider, and what the provider charges compared to the price here. */
export const UpstreamJob = z.strictObject({
  object: z.literal('upstream_job'),
  generation_id: id('gen'),
  engine: z.string(),
  state: z.enum(UPSTREAM_JOB_STATES),
  /** The provider's own job id and the like, as the adapter stores it. */
  handle: z.nullable(jsonObject()),
  /** By which the provider’s bill and support name the job; null while unknown (addition). */
  request_id: z.nullable(z.string()),
  submitted_at: timestamp(),
  updated_at: timestamp(),
  last_problem: z.nullable(z.string()),
  /** What the provider charges; null if it does not report a cost. */
  cost_usd: z.nullable(usd()),
  /** With corrections; null where neither is known. Decision: Closing */
  corrected_cost_usd: z.nullable(nano()),
  /** What settling bills of the provider has added, oldest first. */
  corrections: z.array(
    z.strictObject({
      amount_usd: nano(),
      /** In whose costs it counts. */
      month: month(),
      action: z.enum(SETTLE_ACTIONS),
      note: z.nullable(z.string()),
      by: creatorSchema(),
      at: timestamp(),
    }),
  ),
  /** How the cost is known; null while there is none. */
  cost_basis: z.nullable(z.enum(JOB_COST_BASES)),
  /** The connected provider; null for an engine of the operator’s file. */
  provider_id: z.nullable(z.string()),
  /** Who received it: “OpenAI” and its “GPT Image 2”; null for an engine of the operator’s file (addition). */
  provider: z.nullable(z.strictObject({ name: z.string(), model: z.nullable(z.string()) })),
  /** The reservation until settled, then the charge. */
  amount_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
});
export type UpstreamJob = z.infer<typeof UpstreamJob>;

const REVIEW_DECISIONS = ['approve', 'reject'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** Everything a person needs to decide on an outcome. Decision: Manual review */
export const Review = z.strictObject({
  object: z.literal('review'),
  generation_id: id('gen'),
  status: z.enum(GENERATION_STATUSES),
  reason: z.string(),
  opened_at: timestamp(),
  amount_usd: usd(),
  /** Charge on approval; never more than is reserved. */
  charge_usd: usd(),
  billing_status: z.enum(BILLING_STATUSES),
  /** Outputs held back until the decision; after an approval, the approved ones. */
  output: z.strictObject({
    assets: z.array(Asset),
    data: z.nullable(jsonObject()),
    /** Files that the service can't read as media. An approval keeps them, a rejection deletes them. */
    files: z.optional(z.array(ReceivedFile)),
  }),
  upstream: z.nullable(UpstreamJob),
  decision: z.nullable(
    z.strictObject({
      decision: z.enum(REVIEW_DECISIONS),
      note: z.string(),
      /** null: decided on the command line. */
      decided_by: z.nullable(z.strictObject({ id: id('key'), name: z.string() })),
      decided_at: timestamp(),
    }),
  ),
});
export type Review = z.infer<typeof Review>;

/** `upload_ids`: approves these uploads, in order, instead of the held outputs. */
export const ReviewDecisionRequest = z
  .strictObject({
    decision: z.enum(REVIEW_DECISIONS),
    note: z.string().check(z.minLength(1), z.maxLength(1000)),
    upload_ids: z.optional(z.array(id('upl')).check(z.minLength(1), z.maxLength(100))),
  })
  .check(
    z.refine(({ decision, upload_ids }) => decision === 'approve' || upload_ids === undefined, {
      path: ['upload_ids'],
      message: 'upload_ids is only allowed with an approval.',
    }),
  );
export type ReviewDecisionRequest = z.infer<typeof ReviewDecisionRequest>;

const generationParams = z.object({ generation_id: pathId() });

export const reviewEndpoints = defineEndpoints('Review', {
  get_upstream_job: {
    summary: 'Read a generation’s job at its provider, with its cost',
    params: generationParams,
    status: 200,
    response: UpstreamJob,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID_REQUEST },
  },
  get_review: {
    summary: 'Read a generation that needs review',
    params: generationParams,
    status: 200,
    response: Review,
    errors: { 404: ['generation_not_found', 'not_found'], 422: INVALID_REQUEST },
  },
  decide_review: {
    summary: 'Approve or reject a generation that needs review',
    params: generationParams,
    body: ReviewDecisionRequest,
    status: 200,
    response: Review,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found', 'not_found'],
      409: ['not_in_review'],
      422: INVALID_REQUEST,
      503: [...SERVICE_UNAVAILABLE, 'media_storage_unavailable'],
    },
  },
});
