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

const MOST_BYTES = 12_000_000;
const MOST_OPEN = 4;
test.use({ environment: { MAX_UPLOAD_BYTES: String(MOST_BYTES), MAX_OPEN_UPLOADS: String(MOST_OPEN) } });

const folder = createTempDirectory();
test('files dropped or pasted anywhere arrive, stand in the table, go into a form, and are deleted', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/billing');
  const [pear, note] = [makePicture(folder, 'pear.png'), makeText(folder, 'note.txt')];

  await test.step('what dropping does is said before', async () => {
    await expect(async () => {
      await dragFiles(mainRegion(page), [pear, note]);
      await expect(page.getByText('They go to your uploads.')).toBeVisible({ timeout: 500 });
    }).toPass();
    expect(await findA11yViolations(page)).toEqual([]);
  });

  await test.step('one arrives, one is none of what is taken', async () => {
    await dropFiles(mainRegion(page), [pear, note]);
    await expect(uploadDock(page)).toContainText('1 file uploaded · 1 problem');
    await expect(uploadDock(page)).toContainText('This is no picture, video or sound.');
    await expect(page.getByText('They go to your uploads.')).toBeHidden();
    await pasteFiles(page, [makePicture(folder, 'image.png')]);
    await expect(uploadDock(page)).toContainText('2 files uploaded');
    await expect(uploadDock(page)).toContainText(/Pasted \d{4}-\d\d-\d\d at [\d.]+\.png/);
    expect(await findA11yViolations(page)).toEqual([]);
  });

  await test.step('it is in the table, by its name', async () => {
    await uploadDock(page).getByRole('link', { name: 'See uploads' }).click();
    await expect(uploadRows(page)).toHaveCount(2);
    await uploadDock(page).getByRole('button', { name: 'Clear the list' }).click();
    await expect(uploadDock(page)).toBeHidden();
    await page.getByRole('searchbox', { name: 'Search names' }).fill('pear');
    await expect(uploadRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\/uploads\?q=pear$/);
    await expect(uploadRows(page)).toContainText('Image · 320 × 200');
    await uploadRows(page).getByRole('link', { name: 'pear.png', exact: true }).click();
    await expect(openUploadPanel(page)).toContainText('No generation has used it yet.');
    await expect(openUploadPanel(page).getByRole('img', { name: 'pear.png' })).toBeVisible();
  });

  await test.step('it goes into a form', async () => {
    await openUploadPanel(page).getByRole('button', { name: 'Continue with…' }).click();
    await page.getByRole('menuitem', { name: 'Edit an image' }).click();
    await expect(page).toHaveURL(/\/create\/image\.edit/);
    await expect(page.getByRole('form').getByText('pear.png')).toBeVisible();
  });

  await test.step('before it is deleted, its uses are told', async () => {
    const { data } = await call<List<Upload>>(service, 'GET', '/v1/uploads?q=pear');
    const images = [{ url: data[0]?.url ?? '' }];
    const order = { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'Riper', images } };
    await waitForGeneration(service, (await postGeneration(service, order)).id);
    await navigateTo(page, 'Uploads');
    const row = uploadRows(page).filter({ hasText: 'pear.png' });
    await expect(row).toContainText('1 generation');
    await row.getByRole('link', { name: 'pear.png', exact: true }).click();
    await expect(openUploadPanel(page).getByRole('link', { name: 'Riper' })).toBeVisible();
    await openUploadPanel(page).getByRole('button', { name: 'Delete…' }).click();
    const window = page.getByRole('dialog', { name: 'Delete 1 image?' });
    await expect(window).toContainText('used as input once');
    await window.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page).toHaveURL(/\/uploads$/);
    await expect(row).toHaveCount(0);
    await expect(uploadRows(page)).toHaveCount(1);
  });
});

test('a large file is paused, goes on after a reload where it was, and outlasts a lost network', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/uploads');
  const large = makeLargeClip(folder, 'large.mp4', 26);
  await throttleUploads(page, 1_000);
  await chooseFiles(page, [large]);
  await expect(uploadDock(page)).toContainText(/MB · .*\/s · .* left/);

  await test.step('leaving asks first', async () => {
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => window.location.reload()));
    expect((await asked).type()).toBe('beforeunload');
    await expect(page).toHaveTitle(/^Sending \d+% · Uploads/);
  });

  await test.step('paused, it outlives the page', async () => {
    await uploadDock(page).getByRole('button', { name: 'Pause large.mp4' }).click();
    await expect(uploadDock(page)).toContainText('1 file paused');
    await page.reload();
    await expect(uploadDock(page)).toContainText('1 file paused');
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
    expect(kept).not.toMatch(CREDENTIAL);
  });

  await test.step('it goes on where it was', async () => {
    const first = page.waitForRequest((request) => request.method() === 'PATCH');
    await throttleUploads(page, 1_000);
    await uploadDock(page).getByRole('button', { name: 'Go on with large.mp4' }).click();
    expect(Number((await first).headers()['upload-offset'])).toBeGreaterThan(0);
  });

  await test.step('without a network it waits, and goes on by itself', async () => {
    await throttleUploads(page, 'offline');
    await expect(uploadDock(page)).toContainText('Waits for the connection, then goes on by itself');
    expect(await findA11yViolations(page)).toEqual([]);
    await throttleUploads(page, 'fast');
    await expect(uploadDock(page)).toContainText('1 file uploaded', { timeout: 30_000 });
    await expect(uploadRows(page).filter({ hasText: 'large.mp4' })).toContainText('640 × 360');
  });
});

test('what is too large is told with the limit; what goes to a form arrives there although one went elsewhere', async ({
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
  await expect(form).toContainText('This file is not a picture.');
  await expect(form.getByText('Images are required.')).toBeHidden();
  await navigateTo(page, 'Keys');
  await throttleUploads(page, 'fast');
  await page.goBack();
  for (const name of ['apple.png', 'plum.png'])
    await expect(page.getByRole('form').getByRole('button', { name: `Remove ${name}` })).toBeVisible();
  await navigateTo(page, 'Uploads');
  await chooseFiles(page, [makeLargeClip(folder, 'huge.mp4', 34)]);
  await expect(uploadDock(page)).toContainText(
    /This file is too large: [\d.]+ MB. This service takes up to 12.0 MB each./,
  );
});

test('what the service refuses for now is told with the reason, in a form and in the dock, and sent when it can be', async ({
  page,
  service,
}) => {
  const tus = (method: 'POST' | 'DELETE', path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'tus-resumable': '1.0.0', ...headers },
    });
  const begun = await Promise.all(
    Array.from({ length: MOST_OPEN }, () => tus('POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': '100' })),
  );
  expect(begun.map(({ status }) => status)).toEqual(begun.map(() => 201));
  const reason = `This key has reached its limit of ${MOST_OPEN} unfinished uploads`;
  await openSignedIn(page, service, '/create/image.edit/imgmodel-a-2');
  await dropFiles(fieldSources(page, 'Images'), [makePicture(folder, 'quince.png')]);
  await expect(page.getByRole('form').getByRole('alert')).toContainText(reason);
  await expect(page.getByRole('form').getByRole('alert')).toContainText('The file is still here');
  expect(await findA11yViolations(page)).toEqual([]);
  await navigateTo(page, 'Uploads');
  await expect(uploadDock(page)).toContainText('1 file waits to be sent again');
  await expect(uploadDock(page)).toContainText(reason);
  expect(await findA11yViolations(page)).toEqual([]);
  for (const { headers } of begun) await tus('DELETE', headers.get('location') ?? '');
  await uploadDock(page).getByRole('button', { name: 'Try quince.png now' }).click();
  await expect(uploadDock(page)).toContainText('1 file uploaded');
  await page.goBack();
  await expect(page.getByRole('form').getByRole('button', { name: 'Remove quince.png' })).toBeVisible();
});

test('the table by keyboard', async ({ page, service }) => {
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
  await page
    .getByRole('dialog', { name: 'Delete 2 images?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(uploadRows(page)).toHaveCount(1);
});

test('on a phone, files on their way stand between the page and its bar', async ({ page, service }) => {
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

  await test.step('once all have arrived it leaves by itself, but not from under a pointer', async () => {
    await uploadDock(page).hover();
    await page.clock.fastForward('00:30');
    await expect(uploadDock(page)).toBeVisible();
    await navigateTo(page, 'Uploads');
    await page.clock.fastForward('00:30');
    await expect(uploadDock(page)).toBeHidden();
    await page.reload();
    await expect(uploadRows(page).filter({ hasText: 'fig.png' })).toBeVisible();
    await expect(uploadDock(page)).toBeHidden();
  });
});

test('a file that arrives while the list is still being read is in it', async ({ page, service }) => {
  const arrived = Promise.withResolvers<void>();
  let reads = 0;
  await page.route('**/v1/uploads?*', async (route) => {
    const first = (reads += 1) === 1;
    const response = await route.fetch();
    if (first) await arrived.promise;
    await route.fulfill({ response });
  });
  await openSignedIn(page, service, '/uploads');
  await expect.poll(() => reads).toBe(1);
  await chooseFiles(page, [makePicture(folder, 'medlar.png')]);
  await expect(uploadDock(page)).toContainText('1 file uploaded');
  arrived.resolve();
  await expect(uploadRows(page).filter({ hasText: 'medlar.png' })).toBeVisible();
});
