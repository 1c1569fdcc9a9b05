import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { call } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { fieldSources, generateButton, resultRegion, uploadToField } from './support/create-page.ts';
import { makePicture } from './support/files.ts';
import { findA11yViolations, turn } from './support/find-a11y-violations.ts';
import {
  dragOver,
  maskEditor,
  maskTile,
  newestMask,
  openMaskEditor,
  paintButton,
  readMask,
  saveMask,
} from './support/mask-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();
const FORM = '/create/image.edit/imgmodel-a-2';

test('paints a mask by mouse and orders a masked edit, in five actions from the picture on', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, FORM);
  await expect(paintButton(page)).toHaveAccessibleDescription('Add the picture first.');
  await uploadToField(page, 'Images', makePicture(folder, 'pears.png'));
  await expect(page.getByRole('list', { name: 'Images' })).toContainText('320 × 200');

  await openMaskEditor(page);
  await dragOver(page, [0.25, 0.25], [0.5, 0.25]);
  await maskEditor(page).getByRole('button', { name: 'Use mask' }).click();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A red pear');
  await expect(maskTile(page)).toContainText('Mask of pears.png');
  await generateButton(page).click();

  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  const { data } = await call<List<Generation>>(service, 'GET', '/v1/generations?limit=1');
  const input = data[0]?.input as { mask: { url: string } } | undefined;
  const mask = await readMask(input?.mask.url ?? '');
  expect(mask).toMatchObject({ format: 'png', channels: 1, width: 320, height: 200 });
  expect([mask.at(0.25, 0.25), mask.at(0.4, 0.25), mask.at(0.5, 0.3)]).toEqual([255, 255, 255]);
  expect([mask.at(0.25, 0.75), mask.at(0.8, 0.25), mask.at(0.99, 0.99)]).toEqual([0, 0, 0]);
});

test('edits a mask again, asks before it discards, and drops it with its picture', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await uploadToField(page, 'Images', makePicture(folder, 'plums.png'));
  await openMaskEditor(page);
  expect(await findA11yViolations(page)).toEqual([]);
  await turn(page, 'light');
  expect(await findA11yViolations(page)).toEqual([]);
  await page.keyboard.press('r');
  await dragOver(page, [0.1, 0.1], [0.9, 0.5]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Discard your changes?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await saveMask(page);

  await test.step('what was masked is there again, and can be erased', async () => {
    await openMaskEditor(page, maskTile(page).getByRole('button', { name: 'Edit mask' }));
    await page.keyboard.press('e');
    await dragOver(page, [0.5, 0.3], [0.51, 0.3]);
    await saveMask(page);
    const mask = await newestMask(service);
    expect([mask.at(0.2, 0.2), mask.at(0.5, 0.3), mask.at(0.8, 0.4), mask.at(0.5, 0.6)]).toEqual([255, 0, 255, 0]);
  });

  await test.step('another picture drops it, and Undo brings both back', async () => {
    await page.getByRole('button', { name: 'Remove plums.png' }).first().click();
    await expect(page.getByText('Mask removed', { exact: true })).toBeVisible();
    await expect(fieldSources(page, 'Mask')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(maskTile(page)).toContainText('Mask of plums.png');
    await expect(page.getByRole('list', { name: 'Images' })).toContainText('plums.png');
  });
});
