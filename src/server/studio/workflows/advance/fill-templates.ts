import { validateJsonValue } from '#server/platform/core/validate-json-value.ts';
import type { ParsedTemplate } from '#server/studio/workflows/definition/workflow.ts';
import type { Scope } from '#server/studio/workflows/expression/template.ts';
import { readStepOutputs } from '#server/studio/workflows/runs/step-outputs.ts';
import type { StepContext } from './run-state.ts';
import { StepError } from './step-errors.ts';

/** Returns what expressions of a step can read; loads outputs of other steps only if one names them. */
export async function buildScope(context: StepContext, parts: readonly ParsedTemplate[]): Promise<Scope> {
  const readsSteps = parts.some(({ names }) => names.allSteps || names.steps.size > 0);
  return readsSteps ? fullScope(context) : { input: context.state.run.input, steps: {} };
}

function fullScope({ deps, state, step }: StepContext): Promise<Scope> {
  const known = state.scopes.get(step.key) ?? readScope(deps, state, step.ancestors);
  state.scopes.set(step.key, known);
  return known;
}

async function readScope(
  deps: StepContext['deps'],
  { run, parts }: StepContext['state'],
  keys: Iterable<string>,
): Promise<Scope> {
  return { input: run.input, steps: await readStepOutputs(deps, run, parts, keys) };
}

/** @throws {StepError} */
export async function fillTemplates(
  { deps, state }: Pick<StepContext, 'deps' | 'state'>,
  parts: readonly Pick<ParsedTemplate, 'template'>[],
  scope: Scope,
): Promise<unknown[]> {
  const filled = await deps.expressions.evaluate(
    parts.map(({ template }) => template),
    scope,
    { key_id: state.run.created_by, isRun: true },
  );
  return filled.map((result) => {
    if (!result.ok) throw new StepError('expression_failed', result.message);
    const [problem] = validateJsonValue(result.value);
    if (problem) throw new StepError('expression_failed', problem.message);
    return result.value;
  });
}
