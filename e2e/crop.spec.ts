import type { Locator, Page } from '@playwright/test';
import { fetchGeneration, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { generate, resultRegion, uploadToField } from './support/create-page.ts';
import { makePicture } from './support/files.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Crop' });
const pixels = (page: Page, name: string) => dialog(page).getByRole('spinbutton', { name, exact: true });
const corner = (page: Page) => dialog(page).getByRole('button', { name: /south east/i });

/** Width and height of the part to keep. */
const part = async (page: Page): Promise<[number, number]> => [
  Number(await pixels(page, 'Width').inputValue()),
  Number(await pixels(page, 'Height').inputValue()),
];

async function drag(page: Page, handle: Locator, byX: number, byY: number): Promise<void> {
  // Waits until the dialog no longer moves.
  await handle.hover();
  const box = await handle.boundingBox();
  if (!box) throw new Error('The handle is not shown.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + byX / 2, y + byY / 2);
  await page.mouse.move(x + byX, y + byY);
  await page.mouse.up();
}

test('crops the picture of a slot to the ratio that the model wants', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  await uploadToField(page, 'Start frame', makePicture(folder, 'harbor.png'));
  const slot = page.getByRole('list', { name: 'Start frame' });
  await expect(slot).toContainText('320 × 200');
  await page.getByRole('radio', { name: '9:16' }).check();
  await slot.getByRole('button', { name: /^Crop to 9:16/ }).click();
  await expect(dialog(page).getByRole('radio', { name: '9:16' })).toBeChecked();
  const [width, height] = await part(page);
  expect([height, Math.round((16 * width) / 9)]).toEqual([200, 201]);
  expect(await findA11yViolations(page)).toEqual([]);

  // Nothing is lost while the service refuses.
  await page.route('**/v1/generations', (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_request', message: 'Not now.', details: [] } } }),
  );
  await dialog(page).getByRole('button', { name: 'Use it' }).click();
  await expect(dialog(page)).toContainText('Not now. The picture and your changes are still here.');
  await page.unroute('**/v1/generations');
  // The dialog hides it from assistive technology.
  await expect(page.getByRole('list', { name: 'Start frame', includeHidden: true })).toContainText('320 × 200');
  await dialog(page).getByRole('button', { name: 'Use it' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(slot).toContainText('113 × 200');
  await expect(slot.getByRole('button', { name: /^Crop to/ })).toHaveCount(0);
  await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
});

test('crops by pointer and keys, turns, flips, resizes, and undoes', async ({ page, service }) => {
  const { id } = await uploadFile(service, makePicture(folder, 'boats.png'));
  await openSignedIn(page, service, `/library?item=${id}`);
  await page.getByRole('button', { name: 'Crop', exact: true }).click();
  const save = dialog(page).getByRole('button', { name: 'Save as new' });
  await expect(save).toBeDisabled();
  await drag(page, corner(page), -120, -60);
  const dragged = await part(page);
  expect(dragged[0]).toBeLessThan(320);
  expect(dragged[1]).toBeLessThan(200);

  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  expect(await part(page)).toEqual([320, 200]);
  await dialog(page).getByRole('button', { name: 'Redo' }).click();
  expect(await part(page)).toEqual(dragged);
  await dialog(page).getByRole('button', { name: 'Reset' }).click();

  // The viewer below stays on its file.
  await corner(page).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  const moved = await part(page);
  expect(moved[0]).toBeLessThan(320);
  expect(moved[1]).toBeLessThan(200);
  await expect(page).toHaveURL(new RegExp(id));

  await pixels(page, 'Width').fill('200');
  await pixels(page, 'Height').fill('100');
  await dialog(page).getByRole('button', { name: 'Turn right' }).click();
  expect(await part(page)).toEqual([100, 200]);
  await dialog(page).getByRole('button', { name: 'Flip left to right' }).click();
  await pixels(page, 'Result width').fill('50');
  await expect(pixels(page, 'Result height')).toHaveValue('100');
  await save.click();
  await expect(page).toHaveURL(/item=ast_/);
  await expect(page.getByRole('dialog', { name: /boats/ })).toContainText('50 × 100');
});

test('says what was done in the credentials of the result', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A red boat');
  await generate(page);
  await resultRegion(page).getByRole('button', { name: 'Crop', exact: true }).click();
  await dialog(page).getByRole('radio', { name: '16:9' }).check();
  await dialog(page).getByRole('button', { name: 'Flip upside down' }).click();
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/v1/generations'),
  );
  await dialog(page).getByRole('button', { name: 'Save as new' }).click();
  const { id } = (await (await created).json()) as { id: string };
  await expect(page).toHaveURL(/item=ast_/);
  expect(await fetchGeneration(service, id)).toMatchObject({
    task: 'image.transform',
    status: 'succeeded',
    usage: { amount_usd: '0.00' },
  });
  await page.locator('summary').filter({ hasText: 'Content credentials' }).click();
  await expect(page.getByText('Cropped')).toBeVisible();
});
