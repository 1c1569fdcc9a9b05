import type { Deps } from '#server/platform/deps.ts';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { WorkflowEstimate, WorkflowValidation } from '#contract/resources/workflow-starter.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import { usableModels } from '#server/studio/workflows/definition/step-models.ts';
import type { Workflow, WorkflowProblem } from '#server/studio/workflows/definition/workflow.ts';
import { estimateWorkflow } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { presentEstimate } from '#server/studio/workflows/estimate/present-estimate.ts';
import { validateRunInput } from '#server/studio/workflows/runs/create-run.ts';

export async function validateWorkflow(
  deps: Deps,
  caller: Caller,
  { definition, input }: BodyOf<'validate_workflow'>,
): Promise<WorkflowValidation> {
  const read = await parseDefinition(
    definition,
    ownMediaOrigin(deps.config),
    (templates) => deps.expressions.readNames(templates, caller),
    usableModels(deps.offering.current(), caller),
  );
  const object = 'workflow_validation' as const;
  if (!read.ok) return { object, valid: false, problems: read.problems, steps: read.steps, estimate: null };
  const { workflow } = read;
  const steps = workflow.steps.map(({ key, needs }) => ({ key, needs: [...needs] }));
  const priced = await estimateRun(deps, caller, workflow, input ?? null);
  if ('estimate' in priced) return { object, valid: true, problems: [], steps, estimate: priced.estimate };
  return { object, valid: input == null, problems: input == null ? [] : priced.problems, steps, estimate: null };
}

async function estimateRun(
  deps: Deps,
  caller: Caller,
  workflow: Workflow,
  input: Record<string, unknown> | null,
): Promise<{ estimate: WorkflowEstimate } | { problems: WorkflowProblem[] }> {
  try {
    const runInput = validateRunInput(deps, workflow, input ?? workflow.definition.example_input ?? {});
    const known = { input: runInput, is_complete: true };
    const estimates = await estimateWorkflow(deps, caller, workflow, known);
    return { estimate: presentEstimate(workflow.definition.slug, estimates) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const details = error.details ?? [{ path: 'input', message: error.message }];
    return { problems: details.map((detail) => ({ ...detail, step_key: null })) };
  }
}
