import type { ModelId, TaskId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import type { WorkflowDefinition } from '#contract/workflow-definition.ts';
import type { ReferencedNames } from '../expression/template-names.ts';
import type { Template } from '../expression/template.ts';

/** What a template needs to be known before it can be filled in. */
export interface ParsedTemplate {
  template: Template;
  names: ReferencedNames;
}

/** A step that was judged. */
export interface WorkflowStep {
  key: string;
  name: string;
  task: TaskId;
  /** null for tasks without models. */
  model: ModelId | null;
  /** Of the task. */
  contract: InputContract;
  /** What it waits for, named by its author or by its expressions. */
  needs: readonly string[];
  /** What it waits for, and what that waits for. */
  ancestors: ReadonlySet<string>;
  when: ParsedTemplate | null;
  for_each: ParsedTemplate | null;
  /** Of the list. */
  max_items: number | ParsedTemplate;
  /** By field of the task's input. */
  input: Readonly<Record<string, ParsedTemplate>>;
}

/** A definition that holds together. */
export interface Workflow {
  definition: WorkflowDefinition;
  /** Of the run's input. */
  contract: InputContract;
  /** In the order of the definition. */
  steps: readonly WorkflowStep[];
  /** The steps whose files a run gives: those that its output names, else those that no other waits for. */
  result_steps: ReadonlySet<string>;
}

export interface WorkflowProblem {
  /** Dotted, below the definition. */
  path: string;
  /** A sentence. */
  message: string;
  step_key: string | null;
}
