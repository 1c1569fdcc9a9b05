import type { GenerationStatus } from '#contract/generation-status.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition } from '#contract/workflow-definition.ts';
import type { Studio } from '../../generations/testing/both-databases.ts';
import { waitFor } from '../../generations/testing/wait-for.ts';

type Definition = Partial<WorkflowDefinition> & Pick<WorkflowDefinition, 'steps'>;
type StepText = Partial<WorkflowDefinition['steps'][number]> & { key: string };

/** A picture, from its prompt. */
export const picture = (
  key: string,
  prompt: string,
  more: Partial<StepText> = {},
): WorkflowDefinition['steps'][number] => ({
  key,
  name: key,
  task: 'image.create',
  model: 'imgmodel-a-2',
  input: { prompt },
  ...more,
});

/** A workflow with what every definition must have. */
export const workflow = ({ steps, ...more }: Definition): WorkflowDefinition => ({
  slug: 'a-workflow',
  name: 'A workflow',
  description: '',
  input_schema: { type: 'object', properties: {}, required: [] },
  steps,
  ...more,
});

let saved = 0;

/** Saves a workflow under a slug of its own. @returns the slug */
export async function save(studio: Studio, definition: Definition): Promise<string> {
  saved += 1;
  const slug = `workflow-${saved}`;
  await studio.call('create_workflow_starter', { body: { ...workflow(definition), slug } });
  return slug;
}

export async function start(
  studio: Studio,
  definition: Definition,
  input: Record<string, unknown> = {},
): Promise<WorkflowRun> {
  const starter_slug = await save(studio, definition);
  return (await studio.call('create_workflow_run', { body: { starter_slug, input } })).body;
}

export const readRun = async (studio: Studio, id: string): Promise<WorkflowRun> =>
  (await studio.call('get_workflow_run', { params: { workflow_run_id: id } })).body;

/** Waits for a status. */
export const reach = (
  studio: Studio,
  id: string,
  status: GenerationStatus,
  longest_ms?: number,
): Promise<WorkflowRun> =>
  waitFor(
    `${id} to be ${status}`,
    async () => {
      const run = await readRun(studio, id);
      return run.status === status && run;
    },
    longest_ms,
  );

export const stepOf = (run: WorkflowRun, key: string): WorkflowRunStep => {
  const step = run.steps.find((each) => each.key === key);
  if (!step) throw new Error(`${run.id} has no step ${key}.`);
  return step;
};

export const statusesOf = (run: WorkflowRun): Record<string, string> =>
  Object.fromEntries(run.steps.map(({ key, status }) => [key, status]));

export const entriesOf = async (studio: Studio, id: string): Promise<LedgerEntry[]> =>
  (await studio.call('list_ledger', { query: { workflow_run_id: id, limit: 100 } })).body.data;
