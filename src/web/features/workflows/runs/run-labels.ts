import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';

type RunHead = Pick<WorkflowRun, 'starter_slug' | 'starter_name'>;

export const workflowRunName = ({ starter_name, starter_slug }: RunHead): string => starter_name ?? starter_slug;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Returns the first text input, which distinguishes the runs of a workflow. */
export function runSummary({ input }: Pick<WorkflowRun, 'input'>): string | undefined {
  const texts = Object.values(input).filter(isText);
  // Choices are single words; texts usually have more.
  return texts.find((text) => text.includes(' ')) ?? texts[0];
}

export function formatStepCount(steps: readonly Pick<WorkflowRunStep, 'status'>[]): string {
  const activeSteps = steps.filter(({ status }) => status !== 'skipped');
  const finishedCount = activeSteps.filter(({ status }) => status === 'succeeded').length;
  return `${finishedCount} of ${activeSteps.length} ${activeSteps.length === 1 ? 'step' : 'steps'} done`;
}
