import type { Page } from '@playwright/test';
import { call, fetchGeneration, postGeneration, waitForGeneration } from './support/api-client.ts';
import { generate, resultRegion } from './support/create-page.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.use({ environment: { WORKER_CONCURRENCY: '1' } });

const feed = (page: Page) => page.getByRole('region', { name: 'Your work' });
const activity = (page: Page) => page.getByRole('button', { name: /^Activity/ }).filter({ visible: true });
const picture = (prompt: string) => ({ task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt } }) as const;
/** Long enough that it still runs at the end of a test. */
const clip = (prompt: string) =>
  ({ task: 'video.create', model: 'vidmodel-c-2', input: { prompt, duration_seconds: 15 } }) as const;

async function make(service: Service, prompt: string): Promise<string> {
  const { id } = await postGeneration(service, picture(prompt));
  await waitForGeneration(service, id);
  return id;
}

test('shows everything of mine in a new tab, opens, stars, deletes and restores it', async ({ page, service }) => {
  const ids = [await make(service, 'A stone bridge'), await make(service, 'A paper boat')];
  await openSignedIn(page, service, '/create');
  await expect(feed(page).getByRole('heading', { name: 'Today' })).toBeVisible();
  const [newest, oldest] = [feed(page).getByRole('listitem').first(), feed(page).getByRole('listitem').last()];
  await expect(newest).toContainText(/A paper boat.*ImgModel B 2 Lite.*\$0\.02/s);
  await expect(page.getByText('No result yet')).toBeHidden();

  await test.step('open by keyboard, and return to the tile', async () => {
    await newest.getByRole('button', { name: 'A paper boat' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(resultRegion(page)).toContainText('A stone bridge');
    await expect(resultRegion(page).getByRole('img', { name: 'Result' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(resultRegion(page)).toBeHidden();
    await expect(oldest.getByRole('button', { name: 'A stone bridge' })).toBeFocused();
  });
  const star = oldest.getByRole('button', { name: 'Star' });
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => (await fetchGeneration(service, ids[0] ?? '')).output.assets[0]?.favourite).toBe(true);
  await oldest.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Discard' }).click();
  await expect(feed(page)).not.toContainText('A stone bridge');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(feed(page)).toContainText('A stone bridge');
  await oldest.getByRole('button', { name: 'A stone bridge' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Reuse settings' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A stone bridge');
});

test('adds a new result on top with few requests, in sight on a phone', async ({ page, service }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A copper kettle');
  let lists = 0;
  page.on('request', (request) => {
    if (request.url().includes('/v1/generations?')) lists += 1;
  });
  const beganMs = Date.now();
  await generate(page);
  // The list is polled every two seconds while something runs, and read when that begins and ends.
  expect(lists).toBeLessThanOrEqual(4 + (Date.now() - beganMs) / 1000);
  await expect(resultRegion(page).getByRole('img', { name: 'Result' })).toBeInViewport({ ratio: 0.9 });
  await expect(feed(page).getByRole('listitem').first()).toContainText('A copper kettle');
});

test('lists what runs and waits on every page, and cancels all that waits', async ({ page, service }) => {
  const { id } = await postGeneration(service, clip('A long pan'));
  await expect.poll(async () => (await fetchGeneration(service, id)).status).toBe('running');
  const waiting = [];
  for (const prompt of ['A first wave', 'A second wave', 'A third wave'])
    waiting.push((await postGeneration(service, clip(prompt))).id);
  await openSignedIn(page, service, '/settings');
  await expect(activity(page)).toHaveAccessibleName(/1 running · 3 waiting/);
  await activity(page).press('Enter');
  const list = page.getByRole('dialog', { name: 'Activity' });
  await expect(list.getByRole('listitem').filter({ hasText: 'A first wave' })).toContainText('Next in the queue');
  await expect(list.getByRole('listitem').filter({ hasText: 'A third wave' })).toContainText('2 ahead');
  await list.getByRole('button', { name: 'Cancel “A first wave”' }).click();
  await expect(list.getByText('A first wave')).toBeHidden();
  await list.getByRole('button', { name: 'Cancel all waiting (2)' }).click();
  await expect(page.getByText('2 canceled', { exact: true })).toBeVisible();
  await expect(activity(page)).toHaveAccessibleName(/^Activity: 1 running/);
  for (const each of waiting) expect((await fetchGeneration(service, each)).status).toBe('canceled');
  await call(service, 'POST', `/v1/generations/${id}/cancel`);
});

test('cancels, retries and deletes several generations at once', async ({ page, service }) => {
  const done = await make(service, 'A glass jar');
  const { id: running } = await postGeneration(service, clip('A slow tide'));
  await expect.poll(async () => (await fetchGeneration(service, running)).status).toBe('running');
  const queued = [];
  for (const prompt of ['A red wagon', 'A blue wagon'])
    queued.push((await postGeneration(service, picture(prompt))).id);
  await openSignedIn(page, service, '/generations');
  const row = (prompt: string) => page.getByRole('listitem').filter({ hasText: prompt });
  const bar = page.getByRole('region', { name: 'Selection' });

  await row('A blue wagon')
    .getByRole('link', { name: 'A blue wagon' })
    .click({ modifiers: ['ControlOrMeta'] });
  await row('A glass jar')
    .getByRole('link', { name: 'A glass jar' })
    .click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('4 selected');
  await row('A slow tide').getByRole('checkbox').uncheck();
  await expect(bar).toContainText('3 selected');
  await bar.getByRole('button', { name: 'Cancel 2' }).click();
  await expect(page.getByText('2 of 2 canceled').first()).toBeVisible();
  for (const id of queued) expect((await fetchGeneration(service, id)).status).toBe('canceled');
  expect((await fetchGeneration(service, running)).status).toBe('running');

  await bar.getByRole('button', { name: 'Delete 1 file' }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('1 file moved to the trash');
  await expect(bar).toBeHidden();
  expect((await fetchGeneration(service, done)).output.assets[0]?.removed_at).not.toBeNull();

  await row('A blue wagon')
    .getByRole('link', { name: 'A blue wagon' })
    .click({ modifiers: ['ControlOrMeta'] });
  await row('A red wagon').getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Try 2 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Try again · $0.04' }).click();
  await expect(page.getByText('2 of 2 started again').first()).toBeVisible();
  await expect(row('A red wagon')).toHaveCount(2);
  await call(service, 'POST', `/v1/generations/${running}/cancel`);
});
