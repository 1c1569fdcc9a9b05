import { expect, type Page } from '@playwright/test';
import { call, uploadFile } from './api-client.ts';
import { makeClip, createTempDirectory } from './clips.ts';
import type { Service } from './service.ts';
import { heading, press, text, type View } from './view.ts';
import { FAILING_WORKFLOW, waitForRunEnd, ensureStarter, SLOW_WORKFLOW, postRun } from './workflow-fixture.ts';

/** A run that failed in the middle, one that is running, and one with several results. */
export interface WorkflowSeed {
  failed: string;
  running: string;
  several: string;
}

const IDEAS = { topic: 'street food', style: 'bright', ideas: 2 };

export async function seedWorkflows(service: Service): Promise<WorkflowSeed> {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'short.mp4', { seconds: 1 }));
  await ensureStarter(service, FAILING_WORKFLOW);
  await ensureStarter(service, SLOW_WORKFLOW);
  const failed = await postRun(service, FAILING_WORKFLOW.slug, {
    prompt: 'A fox in the snow',
    video: { url: clip.url },
  });
  const several = await postRun(service, 'ideas-to-pictures', IDEAS);
  await waitForRunEnd(service, failed.id);
  await waitForRunEnd(service, several.id);
  const running = await postRun(service, SLOW_WORKFLOW.slug, {});
  return { failed: failed.id, running: running.id, several: several.id };
}

/** Cancels the run that would otherwise go on creating a clip. */
export const cancelSeededRun = (service: Service, { running }: WorkflowSeed) =>
  call(service, 'POST', `/v1/workflow-runs/${running}/cancel`, {});

export const signedOutWorkflowViews: readonly View[] = [
  { name: 'workflows, signed out', path: '/workflows', reach: heading('Sign in to see and run workflows') },
];

export const emptyWorkflowViews: readonly View[] = [
  { name: 'no runs', path: '/workflows?part=runs', reach: heading('No runs yet') },
];

const problems = (page: Page) => expect(page.getByRole('list', { name: 'Problems' })).toBeVisible();

export const workflowViews = ({ failed, running, several }: WorkflowSeed): View[] => [
  { name: 'workflows', path: '/workflows', reach: text('Breaks in the middle') },
  { name: 'runs', path: '/workflows?part=runs', reach: text('A fox in the snow') },
  {
    name: 'a workflow, price opened',
    path: '/workflows/ideas-to-pictures',
    open: (page) => press(page, /^Price$/),
    reach: text('At most'),
  },
  { name: 'unknown workflow', path: '/workflows/nobody', reach: heading('Workflow not found') },
  { name: 'a run that failed', path: `/workflows/runs/${failed}`, reach: text('Run failed') },
  {
    name: 'a run, a step opened',
    path: `/workflows/runs/${several}?step=pictures`,
    reach: async (page) => expect(page.getByRole('list', { name: 'Items', exact: true })).toBeVisible(),
  },
  {
    name: 'a run under way, to be canceled',
    path: `/workflows/runs/${running}`,
    open: (page) => press(page, 'Cancel…'),
    reach: (page) => expect(page.getByRole('dialog', { name: 'Cancel this run?' })).toBeVisible(),
  },
  {
    name: 'a workflow being edited, with problems',
    path: '/workflows/new?like=product-clip',
    open: async (page) => {
      await press(page, /^Product photo/);
      await page.getByRole('textbox', { name: 'Label' }).fill('');
      await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('');
    },
    reach: (page) => problems(page),
  },
  {
    name: 'a workflow as JSON',
    path: '/workflows/new',
    open: async (page) => {
      await page.getByText('Advanced', { exact: true }).last().click();
      await press(page, 'Edit as JSON');
      await page.getByRole('textbox', { name: 'Workflow JSON' }).fill('{ "slug": ');
    },
    reach: text(/^Invalid JSON/),
  },
];
