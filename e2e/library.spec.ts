import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { call, postGeneration } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { fieldSources } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import type { Service } from './support/service.ts';

let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
});

const message = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text);
const tiles = (page: Page) => page.locator('[data-tile]');
const tile = (page: Page, name: string): Locator => tiles(page).and(page.getByLabel(name)).first();
const viewer = (page: Page, name: string) => page.getByRole('dialog', { name });
const pixels = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^\d+%$/ });

/** Opens the library and waits for what is in it. */
async function open(page: Page, service: Service, path = '/library'): Promise<void> {
  await openSignedIn(page, service, path);
  await expect(tiles(page).first()).toBeVisible();
}

test('finds an image, zooms it, shows its details and lineage, and restores the focus on close', async ({
  page,
  service,
}) => {
  await open(page, service);
  await expect(tiles(page)).toHaveCount(10);

  await test.step('filter the list and keep the filters in the URL', async () => {
    await page.getByRole('searchbox', { name: 'Search prompts and names' }).fill('moon');
    await expect(tiles(page)).toHaveCount(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('radio', { name: 'Videos' }).check({ force: true });
    await expect(tiles(page)).toHaveCount(2);
    await expect(page).toHaveURL(/kind=video/);
    await page.getByRole('radio', { name: 'Images' }).check({ force: true });
    await expect(tiles(page)).toHaveCount(8);
  });

  await test.step('open, zoom, step', async () => {
    await tile(page, 'Image: Make it night').click();
    await expect(viewer(page, 'Make it night')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`kind=image.*item=${seed.edited}`));
    const before = await pixels(page).innerText();
    await page.keyboard.press('+');
    await expect(pixels(page)).not.toHaveText(before);
    await page.keyboard.press('0');
    await expect(pixels(page)).toHaveText(before);
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page, 'sloe.png')).toBeVisible();
    await page.keyboard.press('ArrowLeft');
    await expect(viewer(page, 'Make it night')).toBeVisible();
  });

  await test.step('show details', async () => {
    const details = page.getByRole('complementary', { name: 'Details' });
    for (const words of [
      'Make it night',
      'ImgModel A 2',
      '$0.03',
      'Input of 1 generation',
      'Created from 2 files. Used for 1 file.',
    ])
      await expect(details).toContainText(words);
    await expect(details.getByRole('link', { name: 'Add a moon over the bay' })).toHaveAttribute(
      'href',
      /\/generations\/gen_/,
    );
  });

  await test.step('rename it, and find it by that name', async () => {
    const rename = async (from: string, name: string) => {
      await viewer(page, from).getByRole('button', { name: 'Rename' }).click();
      await viewer(page, 'Rename file').getByRole('textbox', { name: 'Name' }).fill(name);
      await page.keyboard.press('Enter');
      await expect(viewer(page, name)).toBeVisible();
    };
    await rename('Make it night', 'Harbour, final');
    const { data } = await call<{ data: { id: string }[] }>(service, 'GET', '/v1/media?q=harbour%20final');
    expect(data.map(({ id }) => id)).toEqual([seed.edited]);
    await rename('Harbour, final', 'Make it night');
  });

  await test.step('walk the lineage by keyboard', async () => {
    await page.keyboard.press('l');
    const lineage = page.getByRole('region', { name: 'Lineage' });
    await expect(lineage).toContainText('Total cost$0.06');
    await lineage.getByRole('link', { name: /This file/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(lineage.getByRole('link', { name: 'fig.png' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`item=${seed.pictures[0]?.id}&show=lineage`));
    await page.keyboard.press('Escape');
    await expect(viewer(page, 'fig.png')).toBeVisible();
  });

  await test.step('back', async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page).toHaveURL(/\/library\?kind=image$/);
    await expect(tile(page, 'Image: fig.png')).toBeFocused();
  });
});

test('moves, selects, stars and deletes by keyboard, and restores from the trash', async ({ page, service }) => {
  await open(page, service, '/library?kind=image');
  await page.keyboard.press('j');
  await expect(tiles(page).first()).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(tiles(page).nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowDown');
  const below = page.locator('[data-tile]:focus');
  const [top, row] = [await tiles(page).first().boundingBox(), await below.boundingBox()];
  expect(row?.y, 'a row further down').toBeGreaterThan((top?.y ?? 0) + 20);

  await test.step('star an image and filter by stars', async () => {
    await tile(page, 'Image: quince.png').focus();
    await page.keyboard.press('f');
    await expect(tile(page, 'Image: quince.png, starred')).toBeFocused();
    await page.getByRole('button', { name: 'Starred only' }).click();
    await expect(tiles(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Starred only' }).click();
    await expect(tiles(page)).toHaveCount(8);
  });

  await test.step('select two and delete them', async () => {
    await tile(page, 'Image: rowan.png').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await expect(page.getByText('selected')).toBeHidden();
    await page.keyboard.press('Space');
    await tile(page, 'Image: fig.png').focus();
    await page.keyboard.press('Space');
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected');
    await page.keyboard.press('Delete');
    await expect(message(page, '2 files moved to the trash')).toBeVisible();
    await expect(tiles(page)).toHaveCount(6);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(message(page, '2 files restored')).toBeVisible();
    await expect(tiles(page)).toHaveCount(8);
  });

  await test.step('delete in the viewer, and undo it there', async () => {
    await tile(page, 'Image: rowan.png').click();
    const viewer = page.getByRole('dialog', { name: 'rowan.png' });
    await viewer.getByRole('button', { name: 'Delete' }).click();
    await expect(viewer).toBeHidden();
    await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
    await expect(message(page, '1 file restored')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tiles(page)).toHaveCount(8);
  });

  await test.step('restore one file from the trash, and delete another forever', async () => {
    for (const name of ['rowan.png', 'fig.png']) {
      await tile(page, `Image: ${name}`).focus();
      await page.keyboard.press('Delete');
      await expect(tile(page, `Image: ${name}`)).toBeHidden();
    }
    await page.getByRole('link', { name: 'Trash' }).click();
    await expect(tiles(page)).toHaveCount(3);
    await expect(page.getByText('29 days left')).toHaveCount(3);
    await tile(page, 'Image: rowan.png').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(tiles(page)).toHaveCount(2);
    await page.keyboard.press('ControlOrMeta+a');
    await page.getByRole('button', { name: 'Delete forever…' }).click();
    const ask = page.getByRole('dialog', { name: 'Delete 2 images forever?' });
    await expect(ask).toContainText('This can’t be undone.');
    await ask.getByRole('button', { name: 'Delete forever' }).click();
    await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
    await page.getByRole('link', { name: 'Library', exact: true }).last().click();
    await expect(tile(page, 'Image: rowan.png')).toBeVisible();
    await expect(tile(page, 'Image: fig.png')).toBeHidden();
  });
});

test('selects a range, downloads a ZIP, compares two and uses them in a form', async ({ page, service }) => {
  await open(page, service, '/library?kind=image&origin=upload');
  await tiles(page)
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  await tiles(page)
    .nth(2)
    .click({ modifiers: ['Shift'] });
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('3 selected');

  await test.step('download', async () => {
    const coming = page.waitForEvent('download');
    await selection.getByRole('button', { name: 'Download ZIP' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    // One entry of the archive's directory for each file.
    expect(readFileSync(await download.path(), 'latin1').split('PK\x01\x02')).toHaveLength(4);
    await expect(page.getByRole('region', { name: 'Messages' }).getByText(/^Download started: 3 files/)).toBeVisible();
  });

  await test.step('compare two', async () => {
    await tiles(page).nth(2).click();
    await selection.getByRole('button', { name: 'Compare' }).click();
    const divider = page.getByRole('slider', { name: 'Divider between A and B' });
    await expect(divider).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(divider).toHaveAttribute('aria-valuetext', '51% A');
    await page.getByRole('radio', { name: 'Side by side' }).check({ force: true });
    await expect(page.getByRole('dialog').getByRole('img')).toHaveCount(2);
    await page.keyboard.press('Escape');
  });

  await test.step('use both as input', async () => {
    await selection.getByRole('button', { name: 'Continue with…' }).click();
    await page.getByRole('menuitem', { name: 'Edit an image' }).click();
    await expect(page.getByText('Added to Images')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(2);
  });

  await test.step('add a third from the library picker', async () => {
    await fieldSources(page, 'Images').getByRole('button', { name: 'Library' }).click();
    const picker = page.getByRole('dialog', { name: 'Choose images' });
    await picker.getByRole('searchbox').fill('moon');
    await expect(picker.getByRole('listitem')).toHaveCount(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await picker.getByRole('button', { name: 'Add 1 image' }).click();
    await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(3);
  });
});

test('steps a video by frames and plays two in sync', async ({ page, service }) => {
  await open(page, service, `/library?kind=video&item=${seed.ramp.id}`);
  const video = page.locator('video').first();
  const at = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThanOrEqual(2);
  for (const frame of [1, 2, 3]) {
    await page.keyboard.press('.');
    await expect.poll(async () => Math.floor((await at()) * 25)).toBe(frame);
  }
  await page.keyboard.press(',');
  await expect.poll(async () => Math.floor((await at()) * 25)).toBe(2);
  await page.keyboard.press('Escape');

  await tiles(page)
    .nth(0)
    .click({ modifiers: ['ControlOrMeta'] });
  await tiles(page).nth(1).click();
  await page.getByRole('button', { name: 'Compare' }).click();
  const clips = page.getByRole('dialog', { name: 'Compare' }).locator('video');
  await expect(clips).toHaveCount(2);
  const seconds = () => clips.evaluateAll((all: HTMLVideoElement[]) => all.map(({ currentTime }) => currentTime));
  await page.getByRole('slider').fill('0.6');
  await expect.poll(seconds).toEqual([0.6, 0.6]);
  await page.keyboard.press('Space');
  await expect.poll(async () => Math.max(...(await seconds())), { timeout: 20_000 }).toBeGreaterThan(1.5);
  // The shorter one has ended, and waits on its last frame.
  await expect.poll(async () => Math.min(...(await seconds()))).toBeCloseTo(1, 1);
  const file = (url: URL) => url.pathname === `/media/${seed.ramp.id}`;
  await page.route(file, (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('can’t be loaded');
  await page.unroute(file);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(clips).toHaveCount(2);
});

test('keeps files in use, reports errors and rolls back changes', async ({ page, service }) => {
  const [picture] = seed.pictures.slice(-1);
  if (!picture) throw new Error('No picture.');
  const input = {
    prompt: 'A very long pan',
    duration_seconds: 30,
    resolution: '1080p',
    reference_images: [{ url: picture.url }],
  };
  const { id } = await postGeneration(service, { task: 'video.create', model: 'vidmodel-c-2.5', input });
  await open(page, service, '/library?q=sloe');

  await tiles(page).first().focus();
  await page.keyboard.press('Delete');
  await expect(message(page, '1 file kept because unfinished work uses it.')).toBeVisible();
  await expect(tile(page, 'Image: sloe.png')).toBeVisible();
  await call(service, 'POST', `/v1/generations/${id}/cancel`);

  await page.route('**/favourite', (route) => route.abort());
  await tiles(page).first().focus();
  await page.keyboard.press('f');
  await expect(page.getByText('Not starred', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(tile(page, 'Image: sloe.png')).not.toHaveAccessibleName(/starred/);

  await page.route('**/v1/media?*', (route) => route.abort());
  await page.getByRole('searchbox').fill('anything');
  await expect(page.getByRole('heading', { name: 'Your library could not be loaded' })).toBeVisible({
    timeout: 30_000,
  });
  await page.unroute('**/v1/media?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('opens details and lineage and selects files on a phone', async ({ page, service }) => {
    await open(page, service);
    const widthPx = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await widthPx()).toBeLessThanOrEqual(390);
    await tile(page, 'Image: Make it night').tap();
    await page.getByRole('button', { name: /^Details/ }).tap();
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('ImgModel A 2');
    await page.getByRole('button', { name: /^Lineage/ }).tap();
    await expect(page.getByRole('region', { name: 'Sources' })).toContainText('pear.png');
    await page.getByRole('button', { name: 'Close', exact: true }).tap();
    await page.getByRole('button', { name: 'Select items' }).tap();
    for (const at of [0, 1]) await tiles(page).nth(at).tap();
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected');
    expect(await widthPx()).toBeLessThanOrEqual(390);
  });
});
