import type { WorkflowDefinition } from '#contract/workflow-definition.ts';
import { parseWorkflowTemplate } from './parse-step.ts';
import type { LookupNames } from './read-templates.ts';
import type { WorkflowProblem } from './workflow.ts';

/** Judges what a workflow says that it gives. @returns the steps that it names, too */
export function validateOutput(
  { output, steps }: WorkflowDefinition,
  input_names: ReadonlySet<string> | null,
  namesOf: LookupNames,
): { named: Set<string>; problems: WorkflowProblem[] } {
  const problems: WorkflowProblem[] = [];
  const named = new Set<string>();
  const keys = new Set(steps.map(({ key }) => key));
  for (const [name, json] of Object.entries(output ?? {})) {
    const path = `output.${name}`;
    const say = (_at: string, message: string) => problems.push({ path, message, step_key: null });
    const { names } = parseWorkflowTemplate({ json }, name, { input_names, namesOf }, say);
    for (const key of names.steps) {
      named.add(key);
      if (!keys.has(key)) say(name, `There is no step “${key.slice(0, 80)}”.`);
    }
  }
  return { named, problems };
}
