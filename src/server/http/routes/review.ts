import type { Deps } from '#server/platform/deps.ts';
import { decideReview } from '#server/studio/generations/review/decide-review.ts';
import { readReview } from '#server/studio/generations/review/read-review.ts';
import { findUpstreamJob } from '#server/studio/generations/upstream/present-upstream-job.ts';
import type { Handlers } from '#server/http/handler.ts';

export const reviewRoutes = (deps: Deps) =>
  ({
    get_upstream_job: ({ caller, params }) => findUpstreamJob(deps.db, caller.organization_id, params.generation_id),

    get_review: ({ caller, params }) => readReview(deps, caller.organization_id, params.generation_id),

    decide_review: ({ caller, params, body }) => decideReview(deps, caller, params.generation_id, body),
  }) satisfies Handlers;
