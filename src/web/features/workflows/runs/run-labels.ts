import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';

type RunHead = Pick<WorkflowRun, 'starter_slug' | 'starter_name'>;

export const workflowRunName = ({ starter_name, starter_slug }: RunHead): string => starter_name ?? starter_slug;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Returns a text input that distinguishes the runs of a workflow: one that changed since the run before. */
export function runSummary({
  input,
  changed_inputs = [],
}: Pick<WorkflowRun, 'input' | 'changed_inputs'>): string | undefined {
  const changed = Object.entries(input).flatMap(([name, value]) => (changed_inputs.includes(name) ? [value] : []));
  const changedTexts = changed.filter(isText);
  const texts = changedTexts.length > 0 ? changedTexts : Object.values(input).filter(isText);
  // Choices are single words; texts usually have more.
  return texts.find((text) => text.includes(' ')) ?? texts[0];
}

/** "Changed: prompt 2, sound"; null for the first run, or if nothing did. */
export function formatChangedInputs({ changed_inputs = [] }: Pick<WorkflowRun, 'changed_inputs'>): string | null {
  if (changed_inputs.length === 0) return null;
  return `Changed: ${changed_inputs.map((name) => name.replaceAll('_', ' ')).join(', ')}`;
}

export function formatStepCount(steps: readonly Pick<WorkflowRunStep, 'status'>[]): string {
  const activeSteps = steps.filter(({ status }) => status !== 'skipped');
  const finishedCount = activeSteps.filter(({ status }) => status === 'succeeded').length;
  return `${finishedCount} of ${activeSteps.length} ${activeSteps.length === 1 ? 'step' : 'steps'} done`;
}
