import { expect, type Page } from '@playwright/test';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { call } from './api-client.ts';
import type { Service } from './service.ts';
import { dialog, heading, type View } from './view.ts';

/** An endpoint where nobody responds, and a delivery to it that failed once. */
export interface WebhookSeed {
  endpoint: string;
  delivery: string;
}

/** Environment of a service for `seedWebhooks`: it may reach this machine. */
export const webhookEnvironment = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };

const UNREACHABLE_ENDPOINT = {
  url: 'https://127.0.0.1:1/hooks/shop',
  events: ['generation.succeeded', 'generation.failed'],
};

export async function seedWebhooks(service: Service): Promise<WebhookSeed> {
  const { id: endpoint } = await call<{ id: string }>(service, 'POST', '/v1/webhooks/endpoints', UNREACHABLE_ENDPOINT);
  const { id: delivery } = await call<WebhookDelivery>(service, 'POST', `/v1/webhooks/endpoints/${endpoint}/test`);
  await expect
    .poll(async () => (await call<WebhookDelivery>(service, 'GET', `/v1/webhooks/deliveries/${delivery}`)).attempts)
    .toHaveLength(1);
  return { endpoint, delivery };
}

const chooseAction = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

export const signedOutWebhookViews: readonly View[] = [
  { name: 'webhooks, signed out', path: '/webhooks', reach: heading('Sign in to manage webhooks') },
  {
    name: 'a signature that is wrong',
    path: '/webhooks/check',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Body' }).fill('{}');
      await page.getByRole('textbox', { name: 'Signature header' }).fill('t=1767225600123,v1=abc');
      await page.getByRole('button', { name: 'Verify signature' }).click();
    },
    reach: (page) => expect(page.getByText('Invalid: header, secret.')).toBeVisible(),
  },
];

export const emptyWebhookViews: readonly View[] = [
  { name: 'no webhooks', path: '/webhooks', reach: heading('No endpoints yet') },
];

export const webhookViews = ({ endpoint, delivery }: WebhookSeed): View[] => [
  {
    name: 'webhooks',
    path: '/webhooks',
    reach: async (page) => expect(page.getByText('Failing').first()).toBeVisible(),
  },
  {
    name: 'a new endpoint, with problems',
    path: '/webhooks',
    open: async (page) => {
      await page.getByRole('button', { name: 'New endpoint' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      for (const box of await page.getByRole('dialog').getByRole('checkbox').all()) await box.uncheck();
      await page.getByRole('button', { name: 'Add endpoint' }).click();
    },
    reach: (page) => expect(page.getByText('Select at least one event.')).toBeVisible(),
  },
  { name: 'an endpoint', path: `/webhooks/${endpoint}`, reach: heading('Deliveries') },
  {
    name: 'an endpoint, no match',
    path: `/webhooks/${endpoint}?deliveries=succeeded`,
    reach: heading('Nothing matches'),
  },
  {
    name: 'a delivery',
    path: `/webhooks/${endpoint}/${delivery}`,
    reach: async (page) => expect(page.getByText(/^Attempt 2 at/).first()).toBeVisible(),
  },
  {
    name: 'failed ones to be sent again',
    path: `/webhooks/${endpoint}`,
    open: (page) => chooseAction(page, 'Resend failed deliveries…'),
    reach: (page) => dialog(page, 'Resend failed deliveries?'),
  },
  {
    name: 'a new secret',
    path: `/webhooks/${endpoint}`,
    open: async (page) => {
      await chooseAction(page, 'Rotate secret…');
      await dialog(page, 'Rotate the secret?');
      await page.getByRole('button', { name: 'Rotate secret' }).click();
    },
    reach: (page) => expect(page.getByText('You will see this only once')).toBeVisible(),
  },
  {
    name: 'an endpoint to be deleted',
    path: `/webhooks/${endpoint}`,
    open: (page) => chooseAction(page, 'Delete…'),
    reach: (page) => dialog(page, 'Delete this endpoint?'),
  },
];
