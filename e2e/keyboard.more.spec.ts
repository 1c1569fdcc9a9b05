import type { Locator } from '@playwright/test';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { call } from './support/api-client.ts';
import { expect, openSignedIn, test } from './support/test.ts';

import { tabTo } from './support/tab-to.ts';
test('never hides the focused control behind the order bar on a small screen', async ({ page, service }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  const upload = (field: string) =>
    page.getByRole('group', { name: field, exact: true }).getByRole('button', { name: 'Upload' });
  await tabTo(page, upload('Start frame'));
  for (const chosen of ['9:16', '720p']) await tabTo(page, page.getByRole('radio', { name: chosen }));
  await tabTo(page, page.getByText('Add references').locator('xpath=ancestor::summary'));
  await page.keyboard.press('Enter');
  for (const field of ['Reference images', 'Reference audio']) await tabTo(page, upload(field));
});

test('focuses invalid fields in dialogs, announces results and restores the focus', async ({ page, service }) => {
  const ana = { name: 'Ana Silva', kind: 'member' };
  const [first] = await Promise.all([1, 2].map(() => call<ApiKeyCreated>(service, 'POST', '/v1/api-keys', ana)));
  await openSignedIn(page, service, '/keys');

  await test.step('reject a decimal comma and suggest an amount', async () => {
    const opener = page.getByRole('button', { name: 'Set budget' }).first();
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByRole('textbox', { name: 'Dollars per month' });
    await amount.fill('3,50');
    await dialog.getByRole('spinbutton', { name: 'Warn at' }).fill('0');
    await page.keyboard.press('Enter');
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(amount).toHaveAccessibleDescription(/Write cents after a point. Did you mean 3.50\?/);
    await expect(dialog.getByRole('alert')).toHaveText('2 fields need attention.');
    await dialog.getByRole('button', { name: 'Did you mean 3.50?' }).press('Enter');
    await expect(amount).toBeFocused();
    await dialog.getByRole('button', { name: 'Set budget · $3.50' }).press('Enter');
    await expect(dialog.getByRole('spinbutton', { name: 'Warn at' })).toBeFocused();
    await dialog.getByRole('spinbutton', { name: 'Warn at' }).fill('80');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().endsWith('/budgets')) sent.push(request.method());
    });
    await dialog.locator('form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(dialog).toBeHidden();
    expect(sent).toHaveLength(1);
    await expect(page.locator('output[aria-live=polite]')).toHaveText(/^Budget set to \$3\.50 a month/);
    await expect(page.getByRole('button', { name: 'Change budget' })).toBeFocused();
  });

  await test.step('tell keys of one name apart and keep the focus in the list after revoking', async () => {
    const end = `…${first?.id.slice(-4)}`;
    await page.getByRole('button', { name: `Revoke Ana Silva, ID ${end}` }).press('Enter');
    await expect(page.getByRole('dialog')).toContainText(`Ana Silva · ID ${end}`);
    await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await expect(page.getByRole('list', { name: 'Keys', exact: true })).toBeFocused();
  });

  await test.step('close the open generation with Escape while a toast is shown', async () => {
    await call(service, 'POST', '/v1/generations', {
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: 'A kettle' },
    });
    // A toast stays while it is pointed at.
    const toast = page.getByRole('region', { name: 'Messages' }).getByText('Key revoked');
    await toast.hover();
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    const link = page.getByRole('link', { name: 'A kettle' });
    await expect(link).toBeVisible();
    // Its time goes on when the new page takes the focus.
    await toast.hover();
    await link.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Open generation' });
    await expect(panel).toBeVisible();
    await expect(toast).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(toast).toBeVisible();
  });

  await test.step('mark the selected tab in forced colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    const line = (tab: Locator) => tab.evaluate((element) => getComputedStyle(element).borderBottomColor);
    const tabs = page.getByRole('tab');
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
    expect(await line(tabs.first())).not.toBe(await line(tabs.nth(1)));
    expect(await line(tabs.nth(1))).toBe(await line(tabs.nth(2)));
  });
});
