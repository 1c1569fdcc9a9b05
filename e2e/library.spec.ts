import type { Page } from '@playwright/test';
import { call } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { expect, test } from './support/test.ts';

import { message, tiles, tile, open } from './support/library-page.ts';
let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  seed = await seedLibrary(await services.of(info.file, {}));
});

const viewer = (page: Page, name: string) => page.getByRole('dialog', { name });
const pixels = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^\d+%$/ });

test('finds an image, zooms it, shows its details and lineage, and restores the focus on close', async ({
  page,
  service,
}) => {
  await open(page, service);
  await expect(tiles(page)).toHaveCount(10);

  await test.step('filter the list and keep the filters in the URL', async () => {
    await page.getByRole('searchbox', { name: 'Search the library' }).fill('moon');
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
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
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
