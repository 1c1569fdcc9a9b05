import type { Deps } from '#server/platform/deps.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { validateTaskAndModel } from '#server/models/catalog/validate-request.ts';
import { estimateBudget, estimateWorkflow } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { presentEstimate } from '#server/studio/workflows/estimate/present-estimate.ts';
import { validateRunInput } from '#server/studio/workflows/runs/create-run.ts';
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
import type { Handlers } from '#server/http/handler.ts';

export const workflowStarterRoutes = (deps: Deps) =>
  ({
    async list_workflow_starters({ caller }) {
      const starters = await listStarters(deps, caller);
      const data: WorkflowStarter[] = [];
      const budget = estimateBudget();
      for (const starter of starters) data.push(await presentStarter(deps, caller, starter, { whole: false, budget }));
      return { object: 'list', data, has_more: false, next_cursor: null };
    },

    create_workflow_starter: ({ caller, body }) => createStarter(deps, caller, body),

    get_workflow_starter: ({ caller, params }) => readStarter(deps, caller, params.slug),

    update_workflow_starter: ({ caller, params, body }) => updateStarter(deps, caller, params.slug, body),

    async delete_workflow_starter({ caller, params }) {
      await deleteStarter(deps, caller, params.slug);
      return undefined;
    },

    async estimate_workflow({ caller, params, body }) {
      const starter = await findStarter(deps, caller, params.slug);
      if (!starter) throw new ApiError('not_found', 'Starter not found.');
      const { workflow } = starter;
      const known = { input: validateRunInput(deps, workflow, body.input), is_complete: true };
      const estimates = await estimateWorkflow(deps, caller, workflow, known);
      for (const { step, maximum_count } of estimates)
        if (maximum_count > 0) validateTaskAndModel(deps, step.task, step.model);
      return presentEstimate(workflow.definition.slug, estimates);
    },

    validate_workflow: ({ caller, body }) => validateWorkflow(deps, caller, body),

    draft_workflow: ({ caller, params }) => draftWorkflow(deps, caller.organization_id, params.generation_id),
  }) satisfies Handlers;
