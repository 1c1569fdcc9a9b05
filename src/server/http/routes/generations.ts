import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cancelBatch, pauseBatch, resumeBatch, retryBatch } from '#server/studio/batches/change-batch.ts';
import { createBatch } from '#server/studio/batches/create-batch.ts';
import { estimateBatch } from '#server/studio/batches/estimate-orders.ts';
import { exportBatch } from '#server/studio/batches/export-batch.ts';
import { listOrders } from '#server/studio/batches/list-orders.ts';
import { findBatch, listBatches, readBatch } from '#server/studio/batches/read-batch.ts';
import { cancelGeneration } from '#server/studio/generations/cancel-generation.ts';
import { cancelGenerations } from '#server/studio/generations/cancel-generations.ts';
import { createGeneration } from '#server/studio/generations/create/create-generation.ts';
import { readGeneration } from '#server/studio/generations/read/find-generation.ts';
import { listGenerations } from '#server/studio/generations/read/list-generations.ts';
import { readActiveGenerations } from '#server/studio/generations/read/read-activity.ts';
import { retryGeneration } from '#server/studio/generations/retry/retry-generation.ts';
import { decideReview } from '#server/studio/generations/review/decide-review.ts';
import { readReview } from '#server/studio/generations/review/read-review.ts';
import { findUpstreamJob } from '#server/studio/generations/upstream/present-upstream-job.ts';
import { createUsualDurations } from '#server/studio/generations/read/usual-durations.ts';
import { createPreset, deletePreset, updatePreset } from '#server/studio/prompts/change-presets.ts';
import { createPromptImprover } from '#server/studio/prompts/improve/improve-prompt.ts';
import { listPresets, readPreset } from '#server/studio/prompts/read-presets.ts';
import { listRecentPrompts } from '#server/studio/prompts/recent-prompts.ts';
import { listActiveRuns } from '#server/studio/workflows/runs/list-active-runs.ts';
import { completeList, type Handlers, toReply } from '#server/http/handler.ts';

export const generationRoutes = (deps: Deps) =>
  ({
    list_generations({ caller, query: { person_id, ...query } }) {
      const seesCosts = caller.permissions.has('costs.read');
      return listGenerations(deps, { ...scopeWork(caller, person_id), seesCosts }, query);
    },

    get_generation: ({ caller, params }) => readGeneration(deps, caller.organization_id, params.generation_id),

    create_generation: async ({ caller, body, idempotentRequest, signal }) =>
      toReply(await createGeneration(deps, caller, body, idempotentRequest, signal)),

    cancel_generation: ({ caller, params }) => cancelGeneration(deps, caller, params.generation_id),

    cancel_generations: ({ caller, body }) => cancelGenerations(deps, caller, body),

    retry_generation: async ({ caller, params, idempotentRequest, signal }) =>
      toReply(await retryGeneration(deps, caller, params.generation_id, idempotentRequest, signal)),

    get_upstream_job: ({ caller, params }) => findUpstreamJob(deps.db, caller.organization_id, params.generation_id),

    get_review: ({ caller, params }) => readReview(deps, caller.organization_id, params.generation_id),

    decide_review: ({ caller, params, body }) => decideReview(deps, caller, params.generation_id, body),

    ...activityRoutes(deps),
    ...batchRoutes(deps),
    ...promptRoutes(deps),
  }) satisfies Handlers;

/** Decision: Activity, Usual durations */
function activityRoutes(deps: Deps) {
  const readDurations = createUsualDurations(deps);
  return {
    async get_activity({ caller }) {
      const work = await readActiveGenerations(deps, caller, await readDurations(caller.organization_id));
      const workflowRuns = await listActiveRuns(deps, caller);
      const countRuns = (status: 'queued' | 'running') => workflowRuns.filter((run) => run.status === status).length;
      return {
        object: 'activity',
        ...work,
        running: work.running + countRuns('running'),
        queued: work.queued + countRuns('queued'),
        // How long a workflow run takes is unknown until its steps exist.
        seconds_left: workflowRuns.length > 0 ? null : work.seconds_left,
        workflow_runs: workflowRuns,
      };
    },

    list_usual_durations: async ({ caller }) => completeList(await readDurations(caller.organization_id)),
  } satisfies Handlers;
}

/** Decision: Batches */
const batchRoutes = (deps: Deps) =>
  ({
    list_batches: ({ caller, query: { person_id, ...query } }) =>
      listBatches(deps, scopeWork(caller, person_id), query),

    create_batch: async ({ caller, body, idempotentRequest, signal }) =>
      toReply(await createBatch(deps, caller, body, idempotentRequest, signal)),

    estimate_batch: ({ caller, body }) => estimateBatch(deps, caller, body),

    get_batch: ({ caller, params }) => readBatch(deps, caller.organization_id, params.batch_id),

    async list_batch_orders({ caller, params: { batch_id }, query }) {
      await findBatch(deps, caller.organization_id, batch_id);
      return listOrders(deps, caller.organization_id, batch_id, query);
    },

    pause_batch: ({ caller, params }) => pauseBatch(deps, caller, params.batch_id),

    resume_batch: ({ caller, params, body }) => resumeBatch(deps, caller, params.batch_id, body),

    cancel_batch: ({ caller, params, body }) => cancelBatch(deps, caller, params.batch_id, body),

    retry_batch: ({ caller, params }) => retryBatch(deps, caller, params.batch_id),

    async export_batch({ caller, params: { batch_id } }) {
      await findBatch(deps, caller.organization_id, batch_id);
      await recordExport(deps, caller, 'batch', { batch_id });
      return { filename: 'results.csv', lines: exportBatch(deps, batch_id) };
    },
  }) satisfies Handlers;

/** Decision: Presets */
function promptRoutes(deps: Deps) {
  const improvePrompt = createPromptImprover(deps);
  return {
    list_presets: ({ caller, query }) => listPresets(deps, caller, query),
    create_preset: async ({ caller, body, idempotentRequest }) =>
      toReply(await createPreset(deps, caller, body, idempotentRequest)),
    get_preset: ({ caller, params }) => readPreset(deps, caller, params.preset_id),
    update_preset: ({ caller, params, body }) => updatePreset(deps, caller, params.preset_id, body),
    delete_preset: ({ caller, params }) => deletePreset(deps, caller, params.preset_id),
    list_recent_prompts: ({ caller, query }) => listRecentPrompts(deps.db, caller, query),
    improve_prompt: ({ caller, body, signal }) => improvePrompt(caller, body, signal),
  } satisfies Handlers;
}
