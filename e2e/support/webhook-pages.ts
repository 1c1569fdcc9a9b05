import type { Page } from '@playwright/test';
import { call } from './api-client.ts';
import type { FakeWebhookRequest } from './fake-webhook-receiver.ts';
import type { Service } from './service.ts';

const EVENTS = ['generation.succeeded', 'generation.failed'];

export const openPanel = (page: Page) => page.getByRole('complementary', { name: 'Open delivery' });

export const deliveries = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');

export const signatureOf = ({ headers }: FakeWebhookRequest) => String(headers['service-signature']);

/** Registers an endpoint. @returns its id */
export async function register(service: Service, url: string): Promise<string> {
  const { id } = await call<{ id: string }>(service, 'POST', '/v1/webhooks/endpoints', { url, events: EVENTS });
  return id;
}
