import { createTempDirectory, makeClip } from './support/clips.ts';
import { generate, generateButton, nextStep, resultRegion, uploadToField } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();

test('makes a clip of a picture in two clicks', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Three pears on a table');
  await page.getByRole('radio', { name: '16:9' }).check();
  await generate(page);

  await nextStep(page, 'Animate').click();
  await expect(page).toHaveURL(/\/create\/video\.create\/vidmodel-c-2$/);
  await expect(page.getByText('Added to First frame and Prompt · on VidModel C 2')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Three pears on a table');
  await expect(page.getByRole('radio', { name: '16:9' })).toBeChecked();
  await expect(page.getByRole('list', { name: 'First frame' })).toContainText('Three pears on a table');

  await generateButton(page).click();
  await expect(resultRegion(page).getByLabel('Result', { exact: true })).toBeVisible({ timeout: 90_000 });
});

test('continues a clip from its last frame, and keeps the draft if that fails', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A long walk');
  await page.goto('/create/video.trim');
  await uploadToField(page, 'Video', makeClip(folder, 'walk.mp4', { seconds: 2 }));
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('2');
  await generate(page);

  const extend = nextStep(page, 'Extend from the last frame');
  await expect(extend).toHaveAttribute('aria-description', /on VidModel C 2$/);
  const error = { error: { code: 'invalid_request', message: 'Not now.', details: [] } };
  await page.route('**/v1/generations', (route) => route.fulfill({ status: 400, json: error }));
  await extend.click();
  await expect(page.getByRole('heading', { name: 'The last frame could not be saved' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue without it' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A long walk');
  await page.unroute('**/v1/generations');

  await extend.click();
  await expect(page.getByText('Added to First frame · on VidModel C 2')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: 'First frame' })).toContainText('320 × 180');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A long walk');
  await expect(page).toHaveURL(/\/create\/video\.create\/vidmodel-c-2$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('list', { name: 'First frame' })).toBeHidden();
});

test('asks before an address saves a frame', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.trim');
  await uploadToField(page, 'Video', makeClip(folder, 'asked.mp4', { seconds: 1 }));
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('1');
  await generate(page);
  const href = await nextStep(page, 'Extend from the last frame').getAttribute('href');
  await page.goto(href ?? '');
  await expect(page.getByRole('heading', { name: 'Continue from the last frame?' })).toBeVisible();
  await page.getByRole('button', { name: 'Save the last frame' }).click();
  await expect(page.getByRole('list', { name: 'First frame' })).toContainText('320 × 180', { timeout: 60_000 });
});
