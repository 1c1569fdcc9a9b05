import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { validateTaskAndModel } from '#server/models/catalog/validate-request.ts';
import { assertFound } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { estimateBudget, estimateWorkflow } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { presentEstimate } from '#server/studio/workflows/estimate/present-estimate.ts';
import { cancelRun } from '#server/studio/workflows/runs/cancel-run.ts';
import { createRun, validateRunInput } from '#server/studio/workflows/runs/create-run.ts';
import { readRun } from '#server/studio/workflows/runs/find-run.ts';
import { listRuns } from '#server/studio/workflows/runs/list-runs.ts';
import { estimateRetry, retryRun } from '#server/studio/workflows/runs/retry-run.ts';
import { draftWorkflow } from '#server/studio/workflows/starters/draft-workflow.ts';
import { findStarter, listStarters } from '#server/studio/workflows/starters/find-starter.ts';
import { presentStarter } from '#server/studio/workflows/starters/present-starter.ts';
import {
  createStarter,
  deleteStarter,
  readStarter,
  updateStarter,
} from '#server/studio/workflows/starters/save-starter.ts';
import { validateWorkflow } from '#server/studio/workflows/starters/validate-workflow.ts';
import { completeList, type Handlers, toReply } from '#server/http/handler.ts';

export const workflowRoutes = (deps: Deps) =>
  ({
    async list_workflow_starters({ caller }) {
      const starters = await listStarters(deps, caller);
      const data: WorkflowStarter[] = [];
      const budget = estimateBudget();
      for (const starter of starters) data.push(await presentStarter(deps, caller, starter, { whole: false, budget }));
      return completeList(data);
    },

    create_workflow_starter: ({ caller, body }) => createStarter(deps, caller, body),

    get_workflow_starter: ({ caller, params }) => readStarter(deps, caller, params.slug),

    update_workflow_starter: ({ caller, params, body }) => updateStarter(deps, caller, params.slug, body),

    delete_workflow_starter: ({ caller, params }) => deleteStarter(deps, caller, params.slug),

    async estimate_workflow({ caller, params, body }) {
      const starter = await findStarter(deps, caller, params.slug);
      assertFound(starter, 'Starter');
      const { workflow } = starter;
      const known = { input: validateRunInput(deps, workflow, body.input), is_complete: true };
      const estimates = await estimateWorkflow(deps, caller, workflow, known);
      for (const { step, maximum_count } of estimates)
        if (maximum_count > 0) validateTaskAndModel(deps, caller, step.task, step.model);
      return presentEstimate(workflow.definition.slug, estimates);
    },

    validate_workflow: ({ caller, body }) => validateWorkflow(deps, caller, body),

    draft_workflow: ({ caller, params }) => draftWorkflow(deps, caller.organization_id, params.generation_id),

    list_workflow_runs: ({ caller, query: { person_id, ...query } }) =>
      listRuns(deps, scopeWork(caller, person_id), query),

    create_workflow_run: async ({ caller, body, idempotentRequest }) =>
      toReply(await createRun(deps, caller, body, idempotentRequest)),

    get_workflow_run: ({ caller, params }) => readRun(deps, caller.organization_id, params.workflow_run_id),

    cancel_workflow_run: ({ caller, params, body }) =>
      cancelRun(deps, caller, params.workflow_run_id, body.reason ?? null),

    retry_workflow_run: async ({ caller, params: { workflow_run_id: id }, body, idempotentRequest }) =>
      toReply(await retryRun(deps, caller, { id, inputs: body?.inputs }, idempotentRequest)),

    estimate_workflow_run_retry: ({ caller, params, body: { inputs } }) =>
      estimateRetry(deps, caller, { id: params.workflow_run_id, inputs }),
  }) satisfies Handlers;
