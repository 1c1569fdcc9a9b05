import type { List } from '#contract/primitives.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { call } from './support/api-client.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test('an alert appears at the bell, leads to its cause, and is acknowledged', async ({ page, service }) => {
  await openSignedIn(page, service, '/alerts');
  await page.getByRole('button', { name: 'Change alerts' }).click();
  const settings = page.getByRole('dialog', { name: 'Alerts' });
  await settings.getByLabel(/^Low balance/).fill('500');
  await settings.getByLabel(/^Further addresses/).fill('nobody');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByLabel(/^Further addresses/)).toHaveAccessibleDescription(/Enter a mail address/);
  await settings.getByLabel(/^Further addresses/).fill('ops@example.com');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Below $500.00')).toBeVisible();
  await expect(page.getByText('Administrators, ops@example.com')).toBeVisible();
  await expect.poll(async () => (await call<List<Alert>>(service, 'GET', '/v1/alerts')).data.length).toBe(1);

  await page.goto('/keys');
  const bell = page.getByRole('button', { name: 'Alerts: 1 open' }).filter({ visible: true });
  await bell.click();
  const newest = page.getByRole('dialog', { name: 'Alerts' });
  await newest.getByRole('link', { name: /^Low balance/ }).click();
  await expect(page.getByRole('heading', { name: 'Billing', level: 1 })).toBeVisible();
  await expect(newest).toBeHidden();
  await bell.click();
  await newest.getByRole('link', { name: 'All alerts' }).click();

  const list = page.getByRole('list', { name: 'Alerts' });
  await expect(list.getByText('$100.00 are available, less than $500.00.')).toBeVisible();
  await list.getByRole('button', { name: 'Acknowledge Low balance' }).click();
  await expect(page.getByRole('heading', { name: 'No open alerts' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Alerts', exact: true }).filter({ visible: true })).toBeVisible();
  await page.getByRole('button', { name: 'Show all alerts' }).click();
  await expect(list.getByText('Acknowledged by Bootstrap key')).toBeVisible();
  await expect(page).toHaveURL(/\/alerts\?show=all$/);
});
