import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import type { ReferencedNames } from '#server/studio/workflows/expression/template-names.ts';
import type { Template } from '#server/studio/workflows/expression/template.ts';

export interface ParsedTemplate {
  template: Template;
  names: ReferencedNames;
}

export interface WorkflowStep {
  key: string;
  name: string;
  task: TaskId;
  model: AnyModelId | null;
  contract: InputContract;
  needs: readonly string[];
  ancestors: ReadonlySet<string>;
  when: ParsedTemplate | null;
  for_each: ParsedTemplate | null;
  max_items: number | ParsedTemplate;
  input: Readonly<Record<string, ParsedTemplate>>;
}

export interface Workflow {
  definition: WorkflowDefinition;
  contract: InputContract;
  steps: readonly WorkflowStep[];
  /** The steps whose files are the result: those that the output names, else those that no other step needs. */
  result_steps: ReadonlySet<string>;
}

export interface WorkflowProblem {
  path: string;
  message: string;
  step_key: string | null;
}
