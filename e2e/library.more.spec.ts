import { readFileSync } from 'node:fs';
import { call, postGeneration } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { fieldSources } from './support/create-page.ts';
import { expect, test } from './support/test.ts';

import { message, tiles, tile, open } from './support/library-page.ts';
let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
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
  await expect.poll(async () => Math.max(...(await seconds()))).toBeGreaterThan(1.5);
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

test('stays closed when it is closed before a deletion is done', async ({ page, service }) => {
  await open(page, service, '/library?kind=image');
  const deletion = Promise.withResolvers<void>();
  await page.route('**/v1/media/delete', async (route) => {
    await deletion.promise;
    await route.continue();
  });
  await tile(page, 'Image: rowan.png').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  deletion.resolve();
  await expect(tile(page, 'Image: rowan.png')).toHaveCount(0);
  await expect(message(page, '1 file moved to the trash')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
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
  await expect(page.getByText('Not starred', { exact: true })).toBeVisible();
  await expect(tile(page, 'Image: sloe.png')).not.toHaveAccessibleName(/starred/);

  await page.route('**/v1/media?*', (route) => route.abort());
  await page.getByRole('searchbox').fill('anything');
  await expect(page.getByRole('heading', { name: 'Your library could not be loaded' })).toBeVisible();
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
