import type { Page } from '@playwright/test';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { test } from './support/fake-webhook-receiver-test.ts';
import { expect, openSignedIn } from './support/test.ts';

import { openPanel, deliveries, signatureOf, register } from './support/webhook-pages.ts';
const PICTURE = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'A heron at dawn' } } as const;

const attempts = (page: Page) => openPanel(page).getByRole('list', { name: 'Attempts' }).getByRole('listitem');
/** Registers an endpoint in the dashboard. @returns the secret, as shown once */
async function addEndpoint(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  const shown = page.getByRole('dialog', { name: 'Signing secret' });
  await expect(shown.getByText(/^whsec_•+$/)).toBeVisible();
  await expect(shown.getByRole('button', { name: 'Close' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'Show the secret' }).click();
  const secret = await shown.getByText(/^whsec_[\w-]{20,}$/).innerText();
  await shown.getByRole('checkbox', { name: 'I have stored it' }).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await expect(shown).toBeHidden();
  return secret;
}

/** Pastes a received delivery into the signature check and submits it. */
async function check(page: Page, body: string, header: string, secret: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Body' }).fill(body);
  await page.getByRole('textbox', { name: 'Signature header' }).fill(header);
  await page.getByRole('textbox', { name: 'Secret' }).fill(secret);
  await page.getByRole('button', { name: 'Verify signature' }).click();
}

test('rejects an endpoint URL that cannot be reached at its field', async ({ page, service }) => {
  await openSignedIn(page, service, '/webhooks');
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const address = page.getByRole('textbox', { name: 'Endpoint URL' });
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' });
  await add.click();
  await expect(address).toHaveAccessibleDescription(/Enter a URL/);
  await expect(address).toBeFocused();
  await address.fill('http://shop.example/hooks');
  await add.click();
  await expect(address).toHaveAccessibleDescription(/must start with https/);
  await address.fill('https://10.1.2.3/hooks');
  await add.click();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(address).not.toHaveAccessibleDescription(/must start with https/);
});

test('delivers an event and verifies its signature', async ({ page, service, receiver }) => {
  const address = receiver.url('/shop');
  await openSignedIn(page, service, '/webhooks');
  const secret = await addEndpoint(page, address);
  const { id } = await waitForGeneration(service, (await postGeneration(service, PICTURE)).id);
  await expect.poll(() => receiver.requestsAt('/shop').length).toBe(1);
  await page.getByRole('link', { name: address }).click();
  await expect(deliveries(page)).toContainText(['generation.succeeded']);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(openPanel(page).getByText('Delivered')).toBeVisible();
  await expect(attempts(page)).toContainText(['HTTP 204']);
  await expect(openPanel(page).getByLabel('Payload', { exact: true })).toContainText(id);
  await expect(page.getByText('The only attempt in 7 days succeeded')).toBeVisible();

  const [received] = receiver.requestsAt('/shop');
  if (!received) throw new Error('nothing was received');
  const { body } = received;
  const header = signatureOf(received);
  await openPanel(page).getByRole('link', { name: 'Verify signature' }).click();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const result = page.getByRole('region', { name: 'Result' });
  await expect(page.getByText('Compared with event')).toBeVisible();
  await check(page, body, header, secret);
  await expect(result).toContainText('Valid: a receiver would accept this');
  await check(page, body.replace('A heron at dawn', 'A heron at dusk'), header, secret);
  await expect(result).toContainText('Invalid: body.');
  await expect(result).toContainText(
    'data.object.input.prompt was sent as "A heron at dawn", and is "A heron at dusk"',
  );
  await check(page, body, header, `${secret}x`);
  await expect(result).toContainText('Invalid: secret.');
  await check(page, body, header.replace(/t=\d+/, 't=1700000000'), secret);
  await expect(result).toContainText('too old');
  expect(sent.filter((line) => line.includes(secret) || line.includes(header))).toEqual([]);
});

test('explains a failed attempt, retries it and resends it on demand', async ({ page, service, receiver }) => {
  receiver.response = { status: 500, body: '<b>out of order</b>' };
  await openSignedIn(page, service, `/webhooks/${await register(service, receiver.url('/out-of-order'))}`);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect(attempts(page)).toContainText(['HTTP 500', /Attempt 2 at .* in 0:\d\d/]);
  await attempts(page).first().getByText('Response body').click();
  await expect(attempts(page).first()).toContainText('<b>out of order</b>');
  await expect(page.getByText('Recent deliveries failed')).toBeVisible();
  await expect(openPanel(page).getByText('Retrying', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Resend failed deliveries' }).click();
  await expect(page.getByRole('button', { name: 'Resend 1 delivery' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  receiver.response = { status: 200, body: '' };
  await openPanel(page).getByRole('button', { name: 'Send now' }).click();
  await expect(openPanel(page).getByText('Delivered')).toBeVisible();
  const [first, second] = receiver.requestsAt('/out-of-order');
  expect(second?.headers['service-event-id']).toBe(first?.headers['service-event-id']);
  await expect(page.getByText('Recent deliveries failed')).toBeHidden();
  await page.getByRole('radio', { name: 'Failed' }).check();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(openPanel(page)).toBeHidden();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Resend failed deliveries' }).click();
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(page.getByText('No failed deliveries since then').first()).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toContainText('including deliveries that are pending or being retried');
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(page).toHaveURL('/webhooks');
  await expect(page.getByRole('link', { name: receiver.url('/out-of-order') })).toHaveCount(0);
});

test('tells a member key that it can’t manage webhooks', async ({ page, service }) => {
  const { key } = await call<ApiKey & { key: string }>(service, 'POST', '/v1/api-keys', {
    name: 'Ana',
    kind: 'member',
  });
  await openSignedIn(page, { url: service.url, key }, '/webhooks');
  await expect(page.getByRole('heading', { name: 'You can’t manage webhooks' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Webhooks', exact: true })).toHaveCount(0);
});
