import { textProblems } from '../../http/text-problems.ts';
import type { Part } from '../definition/workflow.ts';
import type { Scope } from '../expression/template.ts';
import { stepOutputs } from '../runs/step-outputs.ts';
import type { StepCase } from './run-state.ts';
import { StepError } from './step-problem.ts';

/** What parts of a step see, but for the item of its list. What other steps gave is read where it is looked at. */
export async function scopeOf(one: StepCase, parts: readonly Part[]): Promise<Scope> {
  const looks = parts.some(({ names }) => names.all_steps || names.steps.size > 0);
  return looks ? wholeScope(one) : { input: one.state.run.input, steps: {} };
}

function wholeScope({ deps, state, step }: StepCase): Promise<Scope> {
  const known = state.scopes.get(step.key) ?? readScope(deps, state, step.ancestors);
  state.scopes.set(step.key, known);
  return known;
}

async function readScope(
  deps: StepCase['deps'],
  { run, parts }: StepCase['state'],
  keys: Iterable<string>,
): Promise<Scope> {
  return { input: run.input, steps: await stepOutputs(deps, run, parts, keys) };
}

/**
 * What templates of a step give, in order.
 * @throws {StepError}
 */
export async function fillParts(
  { deps, state }: Pick<StepCase, 'deps' | 'state'>,
  parts: readonly Pick<Part, 'template'>[],
  scope: Scope,
): Promise<unknown[]> {
  const filled = await deps.expressions.workOut(
    parts.map(({ template }) => template),
    scope,
    { key_id: state.run.created_by, is_run: true },
  );
  return filled.map((one) => {
    if (!one.ok) throw new StepError('expression_failed', one.message);
    const [problem] = textProblems(one.value);
    if (problem) throw new StepError('expression_failed', problem.message);
    return one.value;
  });
}
