import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';

type RunHead = Pick<WorkflowRun, 'starter_slug' | 'starter_name'>;

/** What a run is called: its starter's name as it was then. */
export const workflowRunName = ({ starter_name, starter_slug }: RunHead): string => starter_name ?? starter_slug;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** What tells a run from others of its starter: the first text that it was given; undefined where it has none. */
export function runSummary({ input }: Pick<WorkflowRun, 'input'>): string | undefined {
  const texts = Object.values(input).filter(isText);
  // A choice is a word, a text usually more.
  return texts.find((text) => text.includes(' ')) ?? texts[0];
}

/** "3 of 5 steps done"; what is left out is not counted. */
export function formatStepCount(steps: readonly Pick<WorkflowRunStep, 'status'>[]): string {
  const wanted = steps.filter(({ status }) => status !== 'skipped');
  const done = wanted.filter(({ status }) => status === 'succeeded').length;
  return `${done} of ${wanted.length} ${wanted.length === 1 ? 'step' : 'steps'} done`;
}
