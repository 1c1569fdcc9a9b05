import type { Page } from '@playwright/test';
import type { Share } from '#contract/resources/share.ts';
import { call, postGeneration, waitForGeneration } from './support/api-client.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import { expect, test } from './support/test.ts';

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

test('the public pages are accessible at any width and theme', async ({ page, service }) => {
  const share = await call<Share>(service, 'POST', '/v1/shares', { media_id: made.id, allow_downloads: true });
  await page.goto(share.url ?? '');
  const link = page.getByRole('link', { name: /content credentials of Image/i });
  await expect(link).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await link.click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Valid: unchanged since it was signed');
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  const inspect = async () => {
    for (const width of [1440, 390])
      for (const scheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 });
        await turn(page, scheme);
        expect(await findA11yViolations(page), `${width} ${scheme}`).toEqual([]);
        expect(await isTooWide()).toBe(false);
      }
  };
  await inspect();
  await page.getByRole('link', { name: 'Back to the shared files' }).click();
  await page.getByRole('link', { name: 'Check the content credentials of a file' }).click();
  await check(page, made.bytes);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Valid');
  await inspect();
});
