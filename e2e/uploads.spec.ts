import type { List } from '#contract/primitives.ts';
import { type Upload } from '#contract/resources/upload.ts';
import { call, postGeneration, waitForGeneration, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { dragFiles, dropFiles, makeLargeClip, makePicture, makeText, pasteFiles } from './support/files.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { navigateTo } from './support/create-page.ts';
import { CREDENTIAL, expect, openSignedIn, test } from './support/test.ts';
import { chooseFiles, uploadDock, throttleUploads, mainRegion, openUpload, uploadRows } from './support/upload-page.ts';

const MAX_BYTES = 12_000_000;
const MAX_OPEN = 4;
test.use({ environment: { MAX_UPLOAD_BYTES: String(MAX_BYTES), MAX_OPEN_UPLOADS: String(MAX_OPEN) } });

const folder = createTempDirectory();
test('uploads files that are dropped or pasted on any page, uses one in a form and deletes it', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/billing');
  const [pear, note] = [makePicture(folder, 'pear.png'), makeText(folder, 'note.txt')];

  await test.step('the overlay says what dropping does', async () => {
    await expect(async () => {
      await dragFiles(mainRegion(page), [pear, note]);
      await expect(page.getByText('They go to your uploads.')).toBeVisible({ timeout: 500 });
    }).toPass();
    expect(await findA11yViolations(page)).toEqual([]);
  });

  await test.step('an image is uploaded, a text file is rejected', async () => {
    await dropFiles(mainRegion(page), [pear, note]);
    await expect(uploadDock(page)).toContainText('1 file uploaded · 1 problem');
    await expect(uploadDock(page)).toContainText('This is not an image, video or audio file.');
    await expect(page.getByText('They go to your uploads.')).toBeHidden();
    await pasteFiles(page, [makePicture(folder, 'image.png')]);
    await expect(uploadDock(page)).toContainText('2 files uploaded');
    await expect(uploadDock(page)).toContainText(/Pasted \d{4}-\d\d-\d\d at [\d.]+\.png/);
    expect(await findA11yViolations(page)).toEqual([]);
  });

  await test.step('the table finds it by name', async () => {
    await uploadDock(page).getByRole('link', { name: 'View uploads' }).click();
    await expect(uploadRows(page)).toHaveCount(2);
    await uploadDock(page).getByRole('button', { name: 'Clear list' }).click();
    await expect(uploadDock(page)).toBeHidden();
    await page.getByRole('searchbox', { name: 'Search uploads' }).fill('pear');
    await expect(uploadRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\/uploads\?q=pear$/);
    await expect(uploadRows(page)).toContainText('Image · 320 × 200');
    await uploadRows(page).getByRole('link', { name: 'pear.png', exact: true }).click();
    await expect(openUpload(page)).toContainText('Not used yet.');
    await expect(openUpload(page).getByRole('img', { name: 'pear.png' })).toBeVisible();
  });

  await test.step('it continues in a form', async () => {
    await openUpload(page).getByRole('link', { name: 'Edit', exact: true }).click();
    await expect(page).toHaveURL(/\/create\/image\.edit/);
    await expect(page.getByRole('form').getByText('pear.png')).toBeVisible();
  });

  await test.step('it shows where it was used, and is deleted', async () => {
    const { data } = await call<List<Upload>>(service, 'GET', '/v1/uploads?q=pear');
    const images = [{ url: data[0]?.url ?? '' }];
    const order = { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'Riper', images } };
    await waitForGeneration(service, (await postGeneration(service, order)).id);
    await navigateTo(page, 'Uploads');
    const row = uploadRows(page).filter({ hasText: 'pear.png' });
    await expect(row).toContainText('1 generation');
    await row.getByRole('link', { name: 'pear.png', exact: true }).click();
    await expect(openUpload(page).getByRole('link', { name: 'Riper' })).toBeVisible();
    await openUpload(page).getByRole('button', { name: 'Delete' }).click();
    await expect(openUpload(page).getByRole('heading', { name: /^Pasted/ })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/uploads$/);
    await expect(row).toHaveCount(0);
    await expect(uploadRows(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(row).toHaveCount(1);
  });
});

test('resumes a large file after a pause, a reload and a lost connection', async ({ page, service }) => {
  await openSignedIn(page, service, '/uploads');
  const large = makeLargeClip(folder, 'large.mp4', 26);
  await throttleUploads(page, 1_000);
  await chooseFiles(page, [large]);
  await expect(uploadDock(page)).toContainText(/MB · .*\/s · .* left/);

  await test.step('the browser asks before leaving', async () => {
    const dialog = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => window.location.reload()));
    expect((await dialog).type()).toBe('beforeunload');
    await expect(page).toHaveTitle(/^Uploading \d+% · Uploads/);
  });

  await test.step('a paused upload survives a reload', async () => {
    await uploadDock(page).getByRole('button', { name: 'Pause large.mp4' }).click();
    await expect(uploadDock(page)).toContainText('1 file paused');
    await page.reload();
    await expect(uploadDock(page)).toContainText('1 file paused');
    const stored = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(stored).not.toMatch(CREDENTIAL);
  });

  await test.step('it resumes at its offset', async () => {
    const first = page.waitForRequest((request) => request.method() === 'PATCH');
    await throttleUploads(page, 1_000);
    await uploadDock(page).getByRole('button', { name: 'Resume large.mp4' }).click();
    expect(Number((await first).headers()['upload-offset'])).toBeGreaterThan(0);
  });

  await test.step('it waits while offline and resumes automatically', async () => {
    await throttleUploads(page, 'offline');
    await expect(uploadDock(page)).toContainText('Waiting for a connection. Resumes automatically.');
    expect(await findA11yViolations(page)).toEqual([]);
    await throttleUploads(page, 'fast');
    await expect(uploadDock(page)).toContainText('1 file uploaded');
    await expect(uploadRows(page).filter({ hasText: 'large.mp4' })).toContainText('640 × 360');
  });
});

test('navigates, selects and deletes in the table by keyboard', async ({ page, service }) => {
  for (const seed of [6, 7, 8]) await uploadFile(service, makePicture(folder, `berry ${seed}.png`));
  await openSignedIn(page, service, '/uploads?q=berry');
  await expect(uploadRows(page)).toHaveCount(3);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected');
  await page.keyboard.press('Enter');
  await expect(openUpload(page)).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(openUpload(page).getByRole('heading', { name: 'berry 8.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(uploadRows(page)).toHaveCount(1);
});
