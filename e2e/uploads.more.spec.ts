import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { createTempDirectory } from './support/clips.ts';
import { dropFiles, makeLargeClip, makePicture, makeText } from './support/files.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { navigateTo, fieldSources } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import { chooseFiles, uploadDock, throttleUploads, uploadRows } from './support/upload-page.ts';

const MAX_BYTES = 12_000_000;
const MAX_OPEN = 4;
test.use({ environment: { MAX_UPLOAD_BYTES: String(MAX_BYTES), MAX_OPEN_UPLOADS: String(MAX_OPEN) } });

const folder = createTempDirectory();
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
  await page.route(/\/v1\/media\?.*origin=upload/, async (route) => {
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
