import type { Page } from '@playwright/test';
import type { Share } from '#contract/resources/share.ts';
import { call } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { expect, openSignedIn, test } from './support/test.ts';

let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
});

const message = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text);
const tiles = (page: Page) => page.locator('[data-tile]');
const tile = (page: Page, name: string) => tiles(page).and(page.getByLabel(name)).first();
const rail = (page: Page) => page.getByRole('navigation', { name: 'Library' });
const collection = (page: Page, name: string, count: number) =>
  rail(page).getByRole('link', { name: `${name} ${count}` });

test('collects files by dialog and by dragging, changes the collection and deletes it', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  await expect(tiles(page)).toHaveCount(10);

  await test.step('create a collection with the text that was typed', async () => {
    await tile(page, 'Image: fig.png').focus();
    await page.keyboard.press('x');
    await tile(page, 'Image: pear.png').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Add to collection', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to collection' });
    await expect(dialog).toContainText('2 files');
    await dialog.getByRole('combobox', { name: 'Find or create a collection' }).fill('Orchard');
    await page.keyboard.press('Enter');
    await expect(message(page, '2 files added to “Orchard”')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(collection(page, 'Orchard', 2)).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('drag a tile onto it', async () => {
    await tile(page, 'Image: plum.png').dragTo(collection(page, 'Orchard', 2));
    await expect(message(page, '1 file added to “Orchard”')).toBeVisible();
    await expect(collection(page, 'Orchard', 3)).toBeVisible();
  });

  await test.step('open it, rename it and write notes', async () => {
    await collection(page, 'Orchard', 3).click();
    await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible();
    await expect(tiles(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name of the collection' }).fill('Autumn orchard');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Autumn orchard' })).toBeVisible();
    await page.getByRole('button', { name: 'Add notes' }).click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('For the poster.');
    await page.getByRole('button', { name: 'Save notes' }).click();
    await expect(page.getByText('For the poster.')).toBeVisible();
  });

  await test.step('remove a file, undo it, and choose a cover', async () => {
    await tile(page, 'Image: plum.png').focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Use as cover' }).click();
    await expect(message(page, 'Cover of “Autumn orchard” changed')).toBeVisible();
    await page.getByRole('button', { name: 'Remove from “Autumn orchard”' }).click();
    await expect(tiles(page)).toHaveCount(2);
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).last().click();
    await expect(tiles(page)).toHaveCount(3);
  });

  await test.step('tag a selection and filter by it', async () => {
    for (const name of ['Image: fig.png', 'Image: pear.png']) {
      await tile(page, name).focus();
      await page.keyboard.press('x');
    }
    await page.getByRole('button', { name: 'Tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tags' });
    const field = dialog.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('Nordlicht GmbH');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('list', { name: 'Tags' })).toContainText('Nordlicht GmbH');
    await field.fill('Hero  shot');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Tags' }).click();
    await expect(dialog.getByRole('list', { name: 'Tags' })).toContainText('Hero shot');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Tag of the file' }).fill('hero');
    await page.getByRole('option', { name: 'Hero shot' }).click();
    await page.keyboard.press('Escape');
    await expect(tiles(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove filter Tag: Hero shot' }).click();
    await expect(tiles(page)).toHaveCount(3);
  });

  await test.step('delete it; its files stay', async () => {
    await page.getByRole('button', { name: 'Delete collection' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete collection' }).click();
    await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible();
    await expect(tiles(page)).toHaveCount(10);
    await expect(rail(page).getByRole('link', { name: /orchard/ })).toBeHidden();
  });
});

test('shares a file by a link that opens without signing in, until it is ended', async ({ page, service, browser }) => {
  await openSignedIn(page, service, `/library?item=${seed.edited}`);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this file' });
  await dialog.getByRole('textbox', { name: 'Heading' }).fill('First night');
  await dialog.getByRole('switch', { name: 'Show prompts' }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const created = page.getByRole('dialog', { name: 'Link created' });
  const url = await created.locator('code').innerText();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const visitor = await context.newPage();
  await test.step('a visitor sees the picture and its prompt, without script', async () => {
    await visitor.goto(url);
    await expect(visitor.getByRole('heading', { name: 'First night' })).toBeVisible();
    await expect(visitor.getByText('Make it night')).toBeVisible();
    const picture = visitor.getByRole('img', { name: 'Make it night' });
    await expect.poll(() => picture.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
    await expect(visitor.getByRole('link', { name: 'Download Image' })).toBeVisible();
  });

  await test.step('the list counts the visit and ends the link', async () => {
    await created.getByRole('button', { name: 'Done' }).click();
    await page.goto('/library/shares');
    const row = page.getByRole('list', { name: 'Shared links' }).getByRole('listitem').first();
    await expect(row).toContainText('First night');
    await expect(row).toContainText('1 view');
    await row.getByRole('button', { name: 'End link' }).click();
    await page.getByRole('dialog', { name: 'End this link?' }).getByRole('button', { name: 'End link' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing is shared' })).toBeVisible();
    expect((await visitor.reload())?.status()).toBe(404);
    await expect(visitor.getByRole('heading', { name: 'This link opens nothing' })).toBeVisible();
  });
  await context.close();
});

test('plays a shared clip under the policy of its page', async ({ page, service }) => {
  const body = { media_id: seed.clip.id, allow_downloads: true };
  const { url } = await call<Share>(service, 'POST', '/v1/shares', body);
  const problems: string[] = [];
  page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
  await page.goto(url ?? '');
  const video = page.locator('video');
  await video.evaluate(async (each: HTMLVideoElement) => {
    each.muted = true;
    await each.play();
  });
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.currentTime)).toBeGreaterThan(0.2);
  expect(problems.filter((text) => !text.includes('favicon'))).toEqual([]);
});
