import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import type { WorkflowProblem } from './workflow.ts';

/** Judges the values that a form begins with; any may be missing. */
export function validateExample(
  contract: InputContract,
  example: Readonly<Record<string, unknown>> | null,
  local_origin: string | null,
): WorkflowProblem[] {
  if (example === null) return [];
  const parsed = parseInput(contract, example, local_origin);
  if (parsed.ok) return [];
  return parsed.details.flatMap(({ path, message }) => {
    const below = path.replace(/^input\.?/, '');
    const [name = ''] = below.split('.');
    return Object.hasOwn(example, name) ? [{ path: `example_input.${below}`, message, step_key: null }] : [];
  });
}
