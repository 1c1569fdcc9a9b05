import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { fieldSources, uploadToField } from './support/create-page.ts';
import { makePicture } from './support/files.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import {
  dragOver,
  maskEditor,
  maskStage,
  maskTile,
  newestMask,
  openMaskEditor,
  paintAcross,
  pictureSpot,
  saveMask,
  STAGE_KEYS,
} from './support/mask-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();
const FORM = '/create/image.edit/imgmodel-a-2';

test('places a rectangle by keyboard alone', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await uploadToField(page, 'Images', makePicture(folder, 'keys.png'));
  const button = fieldSources(page, 'Mask').getByRole('button', { name: 'Paint mask' });
  await expect(button).toBeEnabled();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(maskEditor(page).getByRole('button', { name: 'Clear' })).toBeEnabled();
  await expect(maskStage(page)).toBeFocused();
  // A quarter of 320 × 200 in the middle, then steps of a fiftieth of the longer side.
  await page.keyboard.press('ArrowLeft');
  await expect(maskStage(page).getByRole('status')).toContainText('Rectangle 80 × 50 at 120, 75.');
  await page.keyboard.press('Escape');
  await expect(maskStage(page).getByRole('status')).toBeEmpty();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Alt+ArrowUp'])
    await page.keyboard.press(key);
  await expect(maskStage(page).getByRole('status')).toContainText('Rectangle 86 × 56 at 114, 74.');
  await page.keyboard.press('Enter');
  await expect(maskStage(page).getByRole('status')).toBeEmpty();
  await saveMask(page);
  const mask = await newestMask(service);
  const at = (x: number, y: number) => mask.at((x + 0.5) / 320, (y + 0.5) / 200);
  expect([at(114, 74), at(199, 129), at(113, 74), at(114, 73), at(200, 129), at(199, 130)]).toEqual([
    255, 255, 0, 0, 0, 0,
  ]);
  expect(mask.whiteShare).toBeCloseTo((86 * 56) / (320 * 200), 6);
});

test('fills a lasso, inverts, undoes and redoes', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await uploadToField(page, 'Images', makePicture(folder, 'lasso.png'));
  await openMaskEditor(page);
  await page.keyboard.press('l');
  await dragOver(page, [0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]);
  await page.keyboard.press('r');
  // With Alt it takes away.
  await page.keyboard.down('Alt');
  await dragOver(page, [0.4, 0.4], [0.6, 0.6]);
  await page.keyboard.up('Alt');
  await page.keyboard.press('i');
  await maskEditor(page).getByRole('button', { name: 'Clear' }).click();
  await maskEditor(page).getByRole('button', { name: 'Use mask' }).click();
  await expect(page.getByText('The mask is empty.')).toBeVisible();
  for (let at = 0; at < 4; at += 1) await page.keyboard.press(STAGE_KEYS.undo);
  await expect(maskEditor(page).getByRole('button', { name: 'Undo' })).toBeDisabled();
  await expect(maskEditor(page).getByRole('button', { name: 'Use mask' })).toBeDisabled();
  for (let at = 0; at < 3; at += 1) await page.keyboard.press(STAGE_KEYS.redo);
  await saveMask(page);
  const mask = await newestMask(service);
  expect([mask.at(0.05, 0.5), mask.at(0.5, 0.5), mask.at(0.2, 0.5), mask.at(0.8, 0.2)]).toEqual([255, 255, 0, 0]);

  await test.step('the size of the brush has keys', async () => {
    await openMaskEditor(page, maskTile(page).getByRole('button', { name: 'Edit mask' }));
    const size = maskEditor(page).getByRole('slider', { name: 'Brush size' });
    await expect(size).toHaveValue('48');
    await page.keyboard.press(']');
    await expect(size).toHaveValue('60');
    for (let at = 0; at < 2; at += 1) await page.keyboard.press('[');
    await expect(size).toHaveValue('38');
  });

  await test.step('a mask that cannot be loaded stays', async () => {
    await page.keyboard.press('Escape');
    await page.route(/\/media\/upl_/, (route) => route.abort());
    await maskTile(page).getByRole('button', { name: 'Edit mask' }).click();
    await expect(page.getByText('The mask could not be loaded')).toBeVisible();
    await page.unroute(/\/media\/upl_/);
    await maskEditor(page).getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('The mask could not be loaded')).toBeHidden();
    await expect(maskEditor(page).getByRole('button', { name: 'Clear' })).toBeEnabled();
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('paints with one finger, zooms with two, and does not scroll', async ({ page, service }) => {
    await openSignedIn(page, service, FORM);
    await uploadToField(page, 'Images', makePicture(folder, 'touch.png'));
    await openMaskEditor(page);
    for (const scheme of ['light', 'dark'] as const) {
      await turn(page, scheme);
      expect(await findA11yViolations(page)).toEqual([]);
    }
    const buttons = await maskEditor(page).getByRole('button').all();
    for (const button of buttons) await expect(button).toBeInViewport({ ratio: 1 });
    const spot = await pictureSpot(page);
    const readView = () => page.evaluate(() => [scrollX, scrollY, visualViewport?.scale]);
    const view = await readView();
    await touch(page, [[spot(0.2, 0.5)], [spot(0.3, 0.5)], [spot(0.5, 0.5)]]);
    // The second finger takes back what the first has begun.
    const [left, right] = [spot(0.4, 0.9), spot(0.6, 0.9)];
    await touch(page, [[left], [left, right], [spot(0.2, 0.9), spot(0.8, 0.9)], [spot(0.1, 0.9), spot(0.9, 0.9)]]);
    await expect(maskEditor(page).getByText(/^[34]\d\d%$/)).toBeVisible();
    expect(await readView()).toEqual(view);
    await saveMask(page);
    const mask = await newestMask(service);
    expect([mask.at(0.2, 0.5), mask.at(0.4, 0.5), mask.at(0.4, 0.95), mask.at(0.9, 0.5)]).toEqual([255, 255, 0, 0]);
  });
});

test('paints on 50 megapixels, and stores all of them', async ({ page, service }) => {
  const size = { width: 8_660, height: 5_773 };
  const file = path.join(folder, 'large.jpg');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = await sharp({ create: { width: 866, height: 577, channels: 3, background: '#777', noise } })
    .png()
    .toBuffer();
  // Stored on its side, as cameras do.
  const rotated = sharp(small).resize(size.height, size.width, { fit: 'fill' }).withMetadata({ orientation: 6 });
  await writeFile(file, await rotated.jpeg().toBuffer());
  const { width, height } = await uploadFile(service, file);
  expect({ width, height }).toEqual(size);

  await openSignedIn(page, service, '/uploads');
  await page.getByRole('list', { name: 'Uploads' }).getByRole('link', { name: 'large.jpg', exact: true }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Images' })).toContainText('8660 × 5773');
  await openMaskEditor(page);
  await expect
    .poll(() =>
      maskStage(page)
        .getByRole('img')
        .last()
        .evaluate((image: HTMLImageElement) => image.complete),
    )
    .toBe(true);
  await paintAcross(page, await pictureSpot(page));
  await saveMask(page);
  const mask = await newestMask(service);
  expect(mask).toMatchObject({ format: 'png', channels: 1, ...size });
  expect([mask.at(0.1, 0.1), mask.at(0.5, 0.65), mask.at(0.1, 0.8), mask.at(0.05, 0.3)]).toEqual([255, 255, 0, 0]);
});

interface Spot {
  x: number;
  y: number;
}

/** Moves fingers through places; each step has those of all that touch. */
async function touch(page: Page, steps: readonly (readonly Spot[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  let count = 0;
  for (const step of steps) {
    const type = step.length > count ? 'touchStart' : 'touchMove';
    count = step.length;
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: step.map((spot, id) => ({ ...spot, id })) });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
