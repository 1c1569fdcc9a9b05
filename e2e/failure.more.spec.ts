import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { postGeneration, waitForGeneration, uploadFile } from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expectRowsInPlace } from './support/late-list.ts';
import { availableFunds, uploadToField, navigateTo, generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const MOST_BYTES = 2_000_000;
test.use({ environment: { MAX_UPLOAD_BYTES: String(MOST_BYTES) } });

const folder = createTempDirectory();
const IMAGE = '/create/image.create/imgmodel-b-2-lite';

test('rejects disguised and oversized files with a reason', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.trim');
  const disguised = path.join(folder, 'page.mp4');
  writeFileSync(disguised, '<!doctype html><script>alert(1)</script>');
  await uploadToField(page, 'Video', disguised);
  await expect(page.getByRole('form').getByText('This is a web page.')).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove page.mp4' }).click();

  const large = path.join(folder, 'large.mp4');
  writeFileSync(large, Buffer.alloc(MOST_BYTES + 1));
  await uploadToField(page, 'Video', large);
  await expect(page.getByText(/too large|larger than/i)).toBeVisible();
  await page.getByRole('button', { name: 'Remove large.mp4' }).click();
  await uploadToField(page, 'Video', makeClip(folder, 'fine.mp4', { seconds: 1 }));
  await expect(page.getByRole('slider', { name: 'End' })).toBeVisible();
});

test('says what became of work whose service went away', async ({ page, service }) => {
  let progress = 0.4;
  const unfinished = (generation: object) => ({ ...generation, status: 'running', progress, completed_at: null });
  // Lists as well: they tell the page what has finished.
  const reads = /\/v1\/generations(?:\/gen_\w+|\?\S*)$/;
  await page.route(reads, async (route) => {
    const response = await route.fetch().catch(() => null);
    // The service may go away in the middle of a response.
    const body = (await response?.json().catch(() => null)) as { data?: object[] } | null | undefined;
    if (!response || !body) return route.abort();
    const json = body.data
      ? { ...body, data: body.data.map((generation) => unfinished(generation)) }
      : unfinished(body);
    // With the tag of what it replaces, the page would later take the real response for unchanged.
    await route.fulfill({ response, headers: { ...response.headers(), etag: '' }, json });
  });
  await openSignedIn(page, service, IMAGE);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A kite over a lake');
  await generateButton(page).click();
  const result = resultRegion(page);
  await expect(result.getByText('Generating… 40%')).toBeVisible();
  await service.kill();
  await expect(result.getByText('The service does not respond.')).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  progress = 0.1;
  await service.restart();
  await expect(result.getByText('It was interrupted and has started again.')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(result.getByText('Succeeded', { exact: true })).toBeVisible();
});

test('recovers from a missing page script once the service is back', async ({ page, service }) => {
  await openSignedIn(page, service, IMAGE);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('A kite on the ground');

  await test.step('the service is down', async () => {
    await service.kill();
    await page.evaluate(() => Object.assign(window, { is_same_page: true }));
    await navigateTo(page, 'Library');
    await expect(page.getByRole('heading', { name: 'The service can’t be reached' })).toBeVisible();
    await expect(page).toHaveURL('/library');
    expect(await findA11yViolations(page)).toEqual([]);
    await page.goBack();
    await expect(prompt).toHaveValue('A kite on the ground');
    await navigateTo(page, 'Library');
    await service.restart();
    await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible();
    await expect.poll(() => availableFunds(page)).toBeGreaterThan(0);
  });

  await test.step('reload once after an update', async () => {
    let isOld = true;
    page.on('request', (request) => (isOld &&= !request.isNavigationRequest()));
    await page.route('**/assets/keys-page-*', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
    await navigateTo(page, 'Keys');
    await expect(page.getByText('Bootstrap key').first()).toBeVisible();
    expect(isOld).toBe(false);
    await page.goto(IMAGE);
    await expect(prompt).toHaveValue('A kite on the ground');
  });

  await test.step('offer to reload if that does not help', async () => {
    let navigations = 0;
    page.on('request', (request) => (navigations += Number(request.isNavigationRequest())));
    await page.route('**/assets/webhooks-page-*', (route) => route.fulfill({ status: 404 }));
    await navigateTo(page, 'Webhooks');
    await expect(page.getByRole('heading', { name: 'Emulsion was updated' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Reload' })).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    expect(navigations).toBe(1);
  });
});

test('offers to reload after an update, and names the version', async ({ page, service }) => {
  await openSignedIn(page, service, '/docs');
  const messages = page.getByRole('region', { name: 'Messages' });
  const returnToTab = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const { version } = (await (await fetch(`${service.url}/healthz`)).json()) as { version: string };
  await expect(page.getByText(`Emulsion ${version}`)).toBeVisible();

  // The page starts to watch a moment after it loads.
  await expect(async () => {
    const checked = page.waitForResponse('**/healthz', { timeout: 2_000 });
    await Promise.all([checked, returnToTab()]);
  }).toPass();
  await expect(messages.getByText('Emulsion was updated')).toBeHidden();

  await page.route('**/healthz', (route) => route.fulfill({ json: { status: 'ok', version: '99.0.0' } }));
  await returnToTab();
  await expect(messages.getByText('Emulsion was updated')).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  const reloaded = page.waitForEvent('load');
  await messages.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  await expect(page.getByText('Emulsion 99.0.0 ')).toBeVisible();
});

test('offers to reload once the service lacks what the page asks for', async ({ page, service }) => {
  await openSignedIn(page, service, IMAGE);
  await page.route('**/healthz', (route) => route.fulfill({ json: { status: 'ok', version: '99.0.0' } }));
  const error = { code: 'not_found', message: 'There is no endpoint at this path.', details: [], request_id: 'r' };
  await page.route('**/v1/webhooks/endpoints*', (route) => route.fulfill({ status: 404, json: { error } }));
  await navigateTo(page, 'Webhooks');
  await expect(page.getByText('There is no endpoint at this path.')).toBeVisible();
  // The page starts to watch a moment after it loads.
  await expect(async () => {
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('region', { name: 'Messages' }).getByText('Emulsion was updated')).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
});

test.describe('on an unmetered connection', () => {
  test.use({ isMetered: false });

  test('opens unvisited pages while the service is down', async ({ page, service }) => {
    const loaded = new Set<string>();
    // A content hash has 8 characters and may have a hyphen among them.
    page.on('requestfinished', (request) => loaded.add(new URL(request.url()).pathname.replace(/-[\w-]{8}\.\w+$/, '')));
    await openSignedIn(page, service, IMAGE);
    // The routes in their order: the scripts of this one come last.
    await expect.poll(() => loaded).toContain('/assets/run-page');
    await service.kill();
    for (const name of ['Organization', 'Library', 'Webhooks']) {
      await navigateTo(page, name);
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    }
    await service.restart();
  });
});

test('shifts no layout when an image or a list loads late', async ({ page, service }) => {
  const input = { prompt: 'A wide sea', aspect_ratio: '16:9' };
  const { id } = await postGeneration(service, { task: 'image.create', model: 'imgmodel-b-2-lite', input });
  await waitForGeneration(service, id, 90_000);
  const late = Promise.withResolvers<undefined>();
  await page.route(/\/media\/ast_(?!.*&as=)/, async (route) => {
    await late.promise;
    await route.continue();
  });
  await openSignedIn(page, service, `/generations/${id}`);
  const picture = page.getByRole('button', { name: 'Enlarge result' });
  // Waits until the panel has stopped moving.
  await picture.click({ trial: true });
  const held = await picture.boundingBox();
  expect((held?.width ?? 0) / (held?.height ?? 0)).toBeCloseTo(16 / 9, 1);
  late.resolve(undefined);
  await expect(picture.getByRole('img')).toHaveJSProperty('complete', true);
  expect(await picture.boundingBox()).toEqual(held);
  await uploadFile(service, makeClip(folder, 'late.mp4', { seconds: 1 }));
  await expectRowsInPlace(page, '/generations', /\/v1\/generations\?/);
  await expectRowsInPlace(page, '/uploads', /\/v1\/media\?.*origin=upload/);
});
