import type { Deps } from '#server/platform/deps.ts';
import { isDeepStrictEqual } from 'node:util';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { insecureOrigin } from '#server/platform/core/config.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseDefinition } from '#server/studio/workflows/definition/parse-definition.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import { type StepEstimate, estimateWorkflow } from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { type InputChange, affectedSteps } from './affected-steps.ts';
import { validateRunInput } from './create-run.ts';
import type { ReusedWork } from './insert-run.ts';
import { findReusableWork } from './find-reusable-work.ts';
import { type RunRow, type RunStep, readRunSteps } from './run-steps.ts';

export interface RetryPlan extends InputChange {
  workflow: Workflow;
  kept: ReusedWork;
  kept_keys: ReadonlySet<string>;
  estimates: StepEstimate[];
}

/**
 * @param inputs values that replace those of the run, by field
 * @throws {ApiError} 422 `invalid_request`, naming the field below `inputs`; 429; 503
 */
export async function planRetry(
  deps: Deps,
  caller: Caller,
  run: RunRow,
  inputs: Readonly<Record<string, unknown>> | undefined,
): Promise<RetryPlan> {
  const read = await parseDefinition(run.definition, insecureOrigin(deps.config), (templates) =>
    deps.expressions.readNames(templates, caller),
  );
  if (!read.ok) throw new ApiError('invalid_request', UNREADABLE, { status: 422 });
  const { workflow } = read;
  const plan = async (): Promise<RetryPlan> => {
    const change = changeInput(deps, workflow, run.input, inputs ?? {});
    const parts = (await readRunSteps(deps, [run.id])).get(run.id) ?? new Map<string, RunStep>();
    const affected = await affectedSteps(deps, caller, workflow, { run, parts }, change);
    const { kept, remaining } = await findReusableWork(deps, run, parts, affected);
    const known = { input: change.input, is_complete: true };
    const estimates = await estimateWorkflow(deps, caller, workflow, known, { remaining });
    for (const { step, maximum_count } of estimates) if (maximum_count > 0) assertInScope(caller, step);
    const kept_steps = workflow.steps.filter(
      (step) => remaining(step)?.indexes.length === 0 && parts.get(step.key)?.items.length,
    );
    return { ...change, workflow, kept, kept_keys: new Set(kept_steps.map(({ key }) => key)), estimates };
  };
  return inputs ? belowInputs(plan) : plan();
}

function changeInput(
  deps: Deps,
  workflow: Workflow,
  before: RunRow['input'],
  inputs: Readonly<Record<string, unknown>>,
): InputChange {
  const names = Object.keys(inputs);
  // The run's own input was validated when it started, and stays as it was.
  if (names.length === 0) return { input: before, changed: new Set() };
  const input = validateRunInput(deps, workflow, { ...before, ...inputs });
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], input[name]));
  return { input, changed: new Set(changed) };
}

/** Runs a check of a run's input and names its fields as the body of a retry does: below `inputs`. */
export async function belowInputs<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error;
    const details = error.details.map(({ path, message }) => ({
      path: path.replace(/^input(?=\.|$)/, 'inputs'),
      message,
    }));
    throw new ApiError(error.code, error.message, { status: error.status, details, cause: error });
  }
}

const UNREADABLE = 'This workflow no longer matches the tasks of this service. Edit it and start a new run.';
