import { call } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { expect, openSignedIn, test } from './support/test.ts';

let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
});

interface ShareList {
  data: { url: string; expires_at: string | null }[];
}

test('copies a link that is listed, and uses it again', async ({ page, service, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { generation } = await call<{ generation: { id: string } }>(service, 'GET', `/v1/media/${seed.edited}`);
  await openSignedIn(page, service, `/generations/${generation.id}`);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copy = page.getByRole('button', { name: 'Copy link' });
  const message = page.getByRole('region', { name: 'Messages' });
  await copy.click();
  await expect(message.getByText(/It works until \w+/)).toBeVisible();
  const link = await copied();
  expect(link).toMatch(/\/s\/[\w-]{43}$/);
  await message.getByRole('button', { name: 'Dismiss' }).click();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await copy.click();
  await expect.poll(copied).toBe(link);
  const { data } = await call<ShareList>(service, 'GET', `/v1/shares?media_id=${seed.edited}`);
  expect(data.map(({ url }) => url)).toEqual([link]);
  await message.getByRole('button', { name: 'Shared links' }).click();
  await expect(page.getByRole('list', { name: 'Shared links' }).getByRole('listitem')).toHaveCount(1);
});

test('shares a result from Create', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create');
  await page.locator('[data-tile]').first().click();
  await page.getByRole('main').getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this file' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByRole('dialog', { name: 'Link created' }).locator('code')).toContainText('/s/');
});
