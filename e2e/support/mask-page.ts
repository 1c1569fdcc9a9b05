import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { List } from '#contract/primitives.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { call } from './api-client.ts';
import { fieldSources } from './create-page.ts';
import type { Service } from './service.ts';

export const STAGE_KEYS = { undo: 'ControlOrMeta+z', redo: 'ControlOrMeta+Shift+z' } as const;

export const maskEditor = (page: Page): Locator => page.getByRole('dialog', { name: /^Mask of/ });
export const maskStage = (page: Page): Locator => page.getByRole('application', { name: 'Picture to mask' });
export const paintButton = (page: Page): Locator =>
  fieldSources(page, 'Mask').getByRole('button', { name: 'Paint mask' });
export const maskTile = (page: Page): Locator => page.getByRole('list', { name: 'Mask', exact: true });

/** Opens the editor, and waits until it can be painted in. */
export async function openMaskEditor(page: Page, button = paintButton(page)): Promise<void> {
  await button.click();
  await expect(maskEditor(page).getByRole('button', { name: 'Clear' })).toBeEnabled();
}

/** Where a place of the picture, in shares of its sides, is on the page. */
export async function pictureSpot(page: Page): Promise<Place> {
  const box = await maskStage(page).getByRole('img').last().boundingBox();
  if (!box) throw new Error('The picture is not visible.');
  return (x: number, y: number) => ({ x: box.x + x * box.width, y: box.y + y * box.height });
}

/** Drags the mouse over places of the picture, in shares of its sides. */
export async function dragOver(page: Page, ...places: readonly [x: number, y: number][]): Promise<void> {
  const spot = await pictureSpot(page);
  for (const [at, [x, y]] of places.entries()) {
    const to = spot(x, y);
    await page.mouse.move(to.x, to.y, { steps: 5 });
    if (at === 0) await page.mouse.down();
  }
  await page.mouse.up();
}

export type Place = (x: number, y: number) => { x: number; y: number };

/** Paints eight strokes across the picture, inverts the mask, and undoes three steps. */
export async function paintAcross(page: Page, spot: Place): Promise<void> {
  for (let row = 1; row < 9; row += 1) {
    const [from, middle, to] = [spot(0.1, row / 10), spot(0.5, row / 10 + 0.05), spot(0.9, row / 10)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const { x, y } of [middle, to]) await page.mouse.move(x, y, { steps: 5 });
    await page.mouse.up();
  }
  await page.keyboard.press('i');
  for (let at = 0; at < 3; at += 1) await page.keyboard.press(STAGE_KEYS.undo);
}

export async function saveMask(page: Page): Promise<void> {
  await maskEditor(page).getByRole('button', { name: 'Use mask' }).click();
  await expect(maskEditor(page)).toBeHidden();
  await expect(maskTile(page).getByRole('button', { name: 'Edit mask' })).toBeEnabled();
}

/** The mask that was uploaded last. `at` has the gray of a place, in shares of the sides. */
export async function newestMask(service: Service) {
  const { data } = await call<List<Upload>>(service, 'GET', '/v1/uploads?q=mask&limit=1');
  return readMask(data[0]?.url ?? '');
}

export const readMask = async (url: string) => readPixels(Buffer.from(await (await fetch(url)).arrayBuffer()));

export async function readPixels(png: Buffer) {
  const { format, channels } = await sharp(png).metadata();
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const at = (x: number, y: number) =>
    data[(Math.floor(y * height) * width + Math.floor(x * width)) * info.channels] ?? Number.NaN;
  const whiteShare = data.filter((value) => value > 127).length / data.length;
  return { format, channels, width, height, at, whiteShare };
}
