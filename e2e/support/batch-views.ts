import { expect } from '@playwright/test';
import type { Batch } from '#contract/resources/batch.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';
import { dialog, heading, press, text, type View } from './view.ts';

/** A batch with a result and a failed order, and one that is paused. */
export interface BatchSeed {
  mixed: string;
  paused: string;
}

async function postBatch(service: Service, body: object, status: Batch['status']): Promise<string> {
  const { id } = await call<Batch>(service, 'POST', '/v1/batches', { mode: 'list', ...body });
  await expect.poll(async () => (await call<Batch>(service, 'GET', `/v1/batches/${id}`)).status).toBe(status);
  return id;
}

export async function seedBatches(service: Service): Promise<BatchSeed> {
  const order = (prompt: string) => ({ task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt } });
  const orders = [order('A kite over dunes'), order('')];
  return {
    mixed: await postBatch(service, { name: 'Kites', orders }, 'completed'),
    paused: await postBatch(service, { orders, stop_at_usd: '0.001' }, 'paused'),
  };
}

export const signedOutBatchViews: readonly View[] = [
  { name: 'batches, signed out', path: '/batches', reach: heading('Sign in to see batches') },
];

export const emptyBatchViews: readonly View[] = [
  { name: 'no batches', path: '/batches', reach: heading('No batches yet') },
  { name: 'a new batch', path: '/batches/new', reach: heading('No orders yet') },
];

const CSV = 'prompt,aspect ratio,notes\n"A kite, red",16:9,first\nA kite,4:7,\n';

export const batchViews = ({ mixed, paused }: BatchSeed): View[] => [
  { name: 'batches', path: '/batches', reach: text('Kites') },
  {
    name: 'results of a batch',
    path: `/batches/${mixed}`,
    reach: async (page) => {
      await expect(page.getByRole('link', { name: /^Image of order 1/ })).toBeVisible();
    },
  },
  { name: 'orders of a batch', path: `/batches/${mixed}?orders=failed`, reach: text('Failed') },
  {
    name: 'a batch to resume',
    path: `/batches/${paused}`,
    open: (page) => press(page, 'Resume…'),
    reach: (page) => dialog(page, 'Resume this batch'),
  },
  {
    name: 'a batch to cancel',
    path: `/batches/${paused}`,
    open: (page) => press(page, 'Cancel…'),
    reach: (page) => dialog(page, 'Cancel this batch?'),
  },
  { name: 'unknown batch', path: '/batches/bat_nobody', reach: heading('Batch not found') },
  {
    name: 'a CSV file with a problem',
    path: '/batches/new?task=image.create&model=imgmodel-a-2',
    open: async (page) => {
      await page.getByText('CSV file', { exact: true }).click();
      const file = { name: 'kites.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
      await page.getByLabel('CSV file', { exact: true }).and(page.locator('[type=file]')).setInputFiles(file);
    },
    reach: text('is not an option'),
  },
  {
    name: 'a grid of models',
    path: '/batches/new?task=image.create&model=imgmodel-a-2',
    open: async (page) => {
      await page.getByText('Grid', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'ImgModel B 2', exact: true }).check();
      await page.getByRole('checkbox', { name: '16:9' }).check();
    },
    reach: (page) => expect(page.getByRole('list', { name: 'Orders' }).getByRole('listitem').first()).toBeVisible(),
  },
];
