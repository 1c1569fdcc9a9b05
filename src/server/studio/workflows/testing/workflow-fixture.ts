import type { GenerationStatus } from '#contract/statuses.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import type { TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

type Definition = Partial<WorkflowDefinition> & Pick<WorkflowDefinition, 'steps'>;
type StepText = Partial<WorkflowDefinition['steps'][number]> & { key: string };

export const imageStep = (
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

export const createDefinition = ({ steps, ...more }: Definition): WorkflowDefinition => ({
  slug: 'a-workflow',
  name: 'A workflow',
  description: '',
  input_schema: { type: 'object', properties: {}, required: [] },
  steps,
  ...more,
});

let saved = 0;

export async function saveStarter(organization: TestOrganization, definition: Definition): Promise<string> {
  saved += 1;
  const slug = `workflow-${saved}`;
  await organization.call('create_workflow_starter', { body: { ...createDefinition(definition), slug } });
  return slug;
}

export async function startTestRun(
  organization: TestOrganization,
  definition: Definition,
  input: Record<string, unknown> = {},
): Promise<WorkflowRun> {
  const starter_slug = await saveStarter(organization, definition);
  return (await organization.call('create_workflow_run', { body: { starter_slug, input } })).body;
}

export const getRun = async (organization: TestOrganization, id: string): Promise<WorkflowRun> =>
  (await organization.call('get_workflow_run', { params: { workflow_run_id: id } })).body;

export const waitForRunStatus = (
  organization: TestOrganization,
  id: string,
  status: GenerationStatus,
): Promise<WorkflowRun> =>
  waitFor(`${id} to be ${status}`, async () => {
    const run = await getRun(organization, id);
    return run.status === status && run;
  });

export const findStep = (run: WorkflowRun, key: string): WorkflowRunStep => {
  const step = run.steps.find((each) => each.key === key);
  if (!step) throw new Error(`${run.id} has no step ${key}.`);
  return step;
};

export const stepStatuses = (run: WorkflowRun): Record<string, string> =>
  Object.fromEntries(run.steps.map(({ key, status }) => [key, status]));

export const listRunEntries = async (organization: TestOrganization, id: string): Promise<LedgerEntry[]> =>
  (await organization.call('list_ledger', { query: { workflow_run_id: id, limit: 100 } })).body.data;
