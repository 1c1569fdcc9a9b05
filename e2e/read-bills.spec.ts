import { readFile } from 'node:fs/promises';
import type { Generation } from '#contract/resources/generation.ts';
import type { List } from '#contract/primitives.ts';
import type { ProviderBill } from '#contract/resources/provider-bill.ts';
import { call } from './support/api-client.ts';
import { BILLING_KEY, connectFal, test } from './support/fake-fal-test.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn } from './support/test.ts';

test('an order appears on the bill that is read from its provider', async ({ page, service, fal }) => {
  await connectFal(service, fal);
  const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A pear' } };
  const { id } = await call<Generation>(service, 'POST', '/v1/generations', order);
  await expect
    .poll(async () => (await call<Generation>(service, 'GET', `/v1/generations/${id}`)).status)
    .toBe('succeeded');

  await openSignedIn(page, service, '/providers');
  await page.getByRole('button', { name: 'Actions for fal' }).click();
  await page.getByRole('menuitem', { name: 'Billing key…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Billing key of fal' });
  await expect(dialog).toContainText('used for nothing else');
  await dialog.getByLabel('Billing key').fill('fal-of-somebody-else');
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog.getByText(/This key is not valid\. fal responded/)).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await dialog.getByLabel('Billing key').fill(BILLING_KEY);
  await dialog.getByRole('button', { name: 'Save key' }).click();
  await expect(dialog).toBeHidden();

  const month = new Date().toISOString().slice(0, 7);
  await page.goto(`/billing?part=close&month=${month}`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: /^Read now: the bill of fal/ }).click();
  await expect(main.getByRole('list', { name: 'Bills that are read' })).toContainText(/read (now|.* ago)/);
  await expect(main.getByText('$0.50', { exact: true }).first()).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  const { data } = await call<List<ProviderBill>>(service, 'GET', `/v1/billing/bills?month=${month}`);
  await page.goto(`/billing?part=close&month=${month}&bill=${data[0]?.id}`);
  const request_id = fal.upstream.jobs[0]?.id ?? '';
  await expect(main.getByRole('link', { name: request_id })).toBeVisible();
  await expect(main.getByText('read from the provider')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: 'Download file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`fal-${month}.jsonl`);
  expect(await readFile(await download.path(), 'utf8')).toContain(request_id);
});
