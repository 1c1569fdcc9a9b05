import type { Page } from '@playwright/test';
import type { MediaArchive } from '#contract/resources/media.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';

let made: { id: string; bytes: Buffer };
test.beforeAll(async ({ services }, info) => {
  const service = await services.of(info.file, {});
  const input = { prompt: 'A secret harbor at dawn' };
  const { id } = await postGeneration(service, { task: 'image.create', model: 'imgmodel-a-2', input });
  const [asset] = (await waitForGeneration(service, id)).output.assets;
  if (!asset) throw new Error('Nothing was made.');
  made = { id: asset.id, bytes: Buffer.from(await (await fetch(asset.url)).arrayBuffer()) };
});

async function check(page: Page, buffer: Buffer, name = 'result.png'): Promise<void> {
  await page.getByLabel('Image, video or audio file').setInputFiles({ name, mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Check file' }).click();
}

test('shows the content credentials of a result in its details', async ({ page, service }) => {
  let checks = 0;
  page.on('request', (request) => (checks += request.url().endsWith('/credentials') ? 1 : 0));
  await openSignedIn(page, service, `/library?item=${made.id}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  const summary = details.locator('summary').filter({ hasText: 'Content credentials' });
  await expect(summary).toBeVisible();
  expect(checks, 'checks before it is opened').toBe(0);
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect(details.getByText('Valid: unchanged since it was signed')).toBeVisible();
  await expect(details.getByText('Matches the record of this generation.')).toBeVisible();
  const history = details.getByRole('list', { name: 'History, the newest first' });
  await expect(history.getByRole('listitem').first()).toContainText('Created by Emulsion preview');
  await expect(history).toContainText('Signed by this installation');
  await expect(history).not.toContainText('secret harbor');
  for (const scheme of ['light', 'dark'] as const) {
    await turn(page, scheme);
    expect(await findA11yViolations(page), scheme).toEqual([]);
  }
});

test('downloads a file without its credentials, as the audit log says', async ({ page, service }) => {
  await openSignedIn(page, service, `/library?item=${made.id}`);
  const created = page.waitForResponse('**/v1/media/archive-without-credentials');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More downloads' }).click();
  await expect(page.getByText('Recorded in the audit log')).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Download without content credentials' }).click();
  const { filename } = (await (await created).json()) as MediaArchive;
  expect((await download).suggestedFilename()).toBe(filename);
  await page.goto('/audit');
  await expect(page.getByRole('main')).toContainText('without content credentials');
});

test('checks files on a public page without script', async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/verify`);
  await check(page, made.bytes);
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Valid: unchanged since it was signed');
  await expect(result).toContainText('Signed by this installation');
  await expect(result).not.toContainText('secret harbor');

  const changed = Buffer.from(made.bytes);
  const at = changed.lastIndexOf('IDAT') + 20;
  changed[at] = (changed[at] ?? 0) ^ 1;
  await check(page, changed);
  await expect(result).toContainText('This file was changed after it was signed.');

  await check(page, Buffer.from('%PDF-1.7'), 'a.pdf');
  await expect(page.getByRole('alert')).toContainText('This is a PDF.');
  await expect(result).toHaveCount(0);
  await context.close();
});

test('settings state the certificate and switch the prompt on', async ({ page, service }) => {
  await openSignedIn(page, service, '/settings');
  const prompt = page.getByRole('switch', { name: 'State the prompt in content credentials' });
  await expect(prompt).not.toBeChecked();
  await expect(page.getByText('not who signed it')).toBeVisible();
  await prompt.click();
  await expect(prompt).toBeChecked();
  await expect
    .poll(
      async () =>
        (await call<{ prompt_in_credentials: boolean }>(service, 'GET', '/v1/settings')).prompt_in_credentials,
    )
    .toBe(true);
  expect(await findA11yViolations(page)).toEqual([]);
});
