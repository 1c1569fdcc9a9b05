import type { List } from '#contract/primitives.ts';
import { RESUMABLE_UPLOADS_PATH, type Upload } from '#contract/resources/upload.ts';
import { call, postGeneration, waitForGeneration, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { dragFiles, dropFiles, makeLargeClip, makePicture, makeText, pasteFiles } from './support/files.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { navigateTo, fieldSources } from './support/create-page.ts';
import { CREDENTIAL, expect, openSignedIn, test } from './support/test.ts';
import {
  chooseFiles,
  uploadDock,
  throttleUploads,
  mainRegion,
  openUploadPanel,
  uploadRows,
} from './support/upload-page.ts';

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
    await page.getByRole('searchbox', { name: 'Search names' }).fill('pear');
    await expect(uploadRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\/uploads\?q=pear$/);
    await expect(uploadRows(page)).toContainText('Image · 320 × 200');
    await uploadRows(page).getByRole('link', { name: 'pear.png', exact: true }).click();
    await expect(openUploadPanel(page)).toContainText('Not used yet.');
    await expect(openUploadPanel(page).getByRole('img', { name: 'pear.png' })).toBeVisible();
  });

  await test.step('it continues in a form', async () => {
    await openUploadPanel(page).getByRole('button', { name: 'Continue with…' }).click();
    await page.getByRole('menuitem', { name: /^Edit ImgModel/ }).click();
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
    await expect(openUploadPanel(page).getByRole('link', { name: 'Riper' })).toBeVisible();
    await openUploadPanel(page).getByRole('button', { name: 'Delete' }).click();
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
    await expect(uploadDock(page)).toContainText('1 file uploaded', { timeout: 30_000 });
    await expect(uploadRows(page).filter({ hasText: 'large.mp4' })).toContainText('640 × 360');
  });
});

test('delivers files to a form that was left meanwhile, and names the limit for a file that is too large', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/create/image.edit/imgmodel-a-2');
  const field = fieldSources(page, 'Images');
  const form = page.getByRole('form');
  await page.getByRole('button', { name: /^Generate/ }).click();
  await expect(form.getByText('Images are required.')).toBeVisible();
  await field.getByRole('button', { name: 'Library' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search prompts and names' })).not.toHaveAttribute('aria-invalid');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await throttleUploads(page, 40);
  const [apple, plum] = [makePicture(folder, 'apple.png'), makePicture(folder, 'plum.png')];
  await dropFiles(field, [apple, plum, makeText(folder, 'clip.mp4')]);
  await expect(form).toContainText('This file is not an image.');
  await expect(form.getByText('Images are required.')).toBeHidden();
  await navigateTo(page, 'Workflows');
  await throttleUploads(page, 'fast');
  await page.goBack();
  for (const name of ['apple.png', 'plum.png'])
    await expect(page.getByRole('form').getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await navigateTo(page, 'Uploads');
  await chooseFiles(page, [makeLargeClip(folder, 'huge.mp4', 34)]);
  await expect(uploadDock(page)).toContainText(/This file is too large: [\d.]+ MB. The limit is 12.0 MB per file./);
});

test('shows why the service postpones an upload, in the form and in the dock, and retries it', async ({
  page,
  service,
}) => {
  const tus = (method: 'POST' | 'DELETE', path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'tus-resumable': '1.0.0', ...headers },
    });
  const created = await Promise.all(
    Array.from({ length: MAX_OPEN }, () => tus('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': '100' })),
  );
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
  const reason = `This key has reached its limit of ${MAX_OPEN} unfinished uploads`;
  await openSignedIn(page, service, '/create/image.edit/imgmodel-a-2');
  await dropFiles(fieldSources(page, 'Images'), [makePicture(folder, 'quince.png')]);
  await expect(page.getByRole('form').getByRole('alert')).toContainText(reason);
  await expect(page.getByRole('form').getByRole('alert')).toContainText('The file is still here');
  expect(await findA11yViolations(page)).toEqual([]);
  await navigateTo(page, 'Library');
  await expect(uploadDock(page)).toContainText('1 file will be retried');
  await expect(uploadDock(page)).toContainText(reason);
  expect(await findA11yViolations(page)).toEqual([]);
  for (const { headers } of created) await tus('DELETE', headers.get('location') ?? '');
  await uploadDock(page).getByRole('button', { name: 'Retry quince.png now' }).click();
  await expect(uploadDock(page)).toContainText('1 file uploaded');
  await page.goBack();
  await expect(page.getByRole('form').getByRole('button', { name: 'Remove quince.png' })).toBeVisible();
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
  await expect(openUploadPanel(page)).toBeVisible();
  await page.keyboard.press('k');
  await expect(openUploadPanel(page).getByRole('heading', { name: 'berry 8.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(uploadRows(page)).toHaveCount(1);
});

test('shows the dock between the page and its bar on a phone', async ({ page, service }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.clock.install();
  await openSignedIn(page, service, '/uploads');
  const sent = Promise.withResolvers<void>();
  await page.route('**/v1/uploads', async (route) => {
    if (route.request().method() === 'POST') await sent.promise;
    await route.continue();
  });
  await chooseFiles(page, [makePicture(folder, 'fig.png')]);
  await expect(uploadDock(page)).toBeVisible();
  await navigateTo(page, 'Create');
  const [bar, strip] = await Promise.all([
    page.getByRole('button', { name: /^Generate/ }).boundingBox(),
    uploadDock(page).boundingBox(),
  ]);
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(strip?.y ?? 0);
  sent.resolve();
  await expect(uploadDock(page)).toContainText('1 file uploaded');

  await test.step('it closes after the last upload, but not under a pointer', async () => {
    await uploadDock(page).hover();
    await page.clock.fastForward('00:30');
    await expect(uploadDock(page)).toBeVisible();
    await navigateTo(page, 'Library');
    await page.getByRole('button', { name: /^Go to a part of the library/ }).click();
    await page.getByRole('menuitem', { name: 'Uploads' }).click();
    await expect(page).toHaveURL('/uploads');
    await page.clock.fastForward('00:30');
    await expect(uploadDock(page)).toBeHidden();
    await page.reload();
    await expect(uploadRows(page).filter({ hasText: 'fig.png' })).toBeVisible();
    await expect(uploadDock(page)).toBeHidden();
  });
});

test('lists a file that was uploaded while the list was loading', async ({ page, service }) => {
  const firstRead = Promise.withResolvers<void>();
  let reads = 0;
  await page.route('**/v1/uploads?*', async (route) => {
    const first = (reads += 1) === 1;
    const response = await route.fetch();
    if (first) await firstRead.promise;
    await route.fulfill({ response });
  });
  await openSignedIn(page, service, '/uploads');
  await expect.poll(() => reads).toBe(1);
  await chooseFiles(page, [makePicture(folder, 'medlar.png')]);
  await expect(uploadDock(page)).toContainText('1 file uploaded');
  firstRead.resolve();
  await expect(uploadRows(page).filter({ hasText: 'medlar.png' })).toBeVisible();
});
