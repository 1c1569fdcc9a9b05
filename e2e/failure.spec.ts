import {
  call,
  postGeneration,
  waitForGeneration,
  fetchBillingSummary,
  fetchLedger,
  uploadFile,
} from './support/api-client.ts';
import { makeClip, createTempDirectory } from './support/clips.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { navigateTo, generate, generateButton, resultRegion, fieldSources } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const MOST_BYTES = 2_000_000;
test.use({ environment: { MAX_UPLOAD_BYTES: String(MOST_BYTES) } });

const folder = createTempDirectory();
const IMAGE = '/create/image.create/imgmodel-b-2-lite';

test('shows client and server validation errors at their fields', async ({ page, service }) => {
  await openSignedIn(page, service, IMAGE);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await generateButton(page).click();
  await expect(prompt).toBeFocused();
  await expect(prompt).toHaveAttribute('aria-invalid', 'true');
  await expect(prompt).toHaveAccessibleDescription(/required/i);

  await prompt.fill('A heron');
  await expect(prompt).not.toHaveAttribute('aria-invalid', 'true');
  // The order is changed on its way, so that the service itself refuses it.
  await page.route('**/v1/generations', (route) =>
    route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), input: { prompt: '   ' } }) }),
  );
  await generateButton(page).click();
  await expect(prompt).toHaveAttribute('aria-invalid', 'true');
  await expect(prompt).toHaveValue('A heron');
  await page.unroute('**/v1/generations');
});

test('names a missing reference at its field', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.extract_frame');
  const { id, url } = await uploadFile(service, makeClip(folder, 'gone.mp4', { seconds: 1 }));
  await fieldSources(page, 'Video').getByRole('button', { name: 'URL' }).click();
  await page.getByRole('textbox', { name: 'URL of the video' }).fill('https://nonexistent.example.invalid/a.mp4');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('form').getByText(/^This URL can’t be used\./)).toBeVisible();
  await page.getByRole('textbox', { name: 'URL of the video' }).fill(url);
  await page.keyboard.press('Enter');
  await call(service, 'DELETE', `/v1/uploads/${id}`);
  await generateButton(page).click();
  await expect(page.getByRole('form').getByText(/gone|no longer|not found|does not exist/i)).toBeVisible();
});

test('cancels a running video and retries it', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2.5');
  const before = await fetchBillingSummary(service);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Clouds over a plain');
  await page.getByRole('spinbutton', { name: 'Length' }).fill('30');
  await generateButton(page).click();
  await expect(resultRegion(page).getByText('Generating…')).toBeVisible();
  await expect(resultRegion(page).getByText('$2.55 reserved')).toBeVisible();
  await resultRegion(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(resultRegion(page).getByText('Canceled before it finished')).toBeVisible();
  await expect(resultRegion(page).getByText('Nothing was charged')).toBeVisible();
  expect((await fetchBillingSummary(service)).available_usd).toBe(before.available_usd);

  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByText(/In the queue|Generating…/)).toBeVisible();
  await page.keyboard.press('Escape');
  await navigateTo(page, 'Generations');
  const running = page.getByRole('listitem').filter({ hasText: 'Clouds over a plain' }).first();
  await running.getByRole('button', { name: 'Cancel' }).click();
  await expect(running).toContainText('Canceled');
  expect((await fetchBillingSummary(service)).reserved_usd).toBe('0.00');
});

test('explains a failed generation that cost nothing', async ({ page, service }) => {
  const { url } = await uploadFile(service, makeClip(folder, 'short.mp4', { seconds: 1 }));
  const input = { video: { url }, start_seconds: 3, end_seconds: 4 };
  const { id, error } = await waitForGeneration(
    service,
    (await postGeneration(service, { task: 'video.trim', input })).id,
  );
  await openSignedIn(page, service, `/generations/${id}`);
  const detail = page.getByRole('complementary', { name: 'Open generation' });
  await expect(detail.getByText('Generation failed')).toBeVisible();
  await expect(detail.getByText(error?.message ?? 'a reason')).toBeVisible();
  await expect(detail.getByRole('link', { name: 'short.mp4' })).toContainText('1 s');
  await detail.getByRole('link', { name: 'Reuse settings' }).click();
  await page.getByRole('spinbutton', { name: 'Start' }).fill('0');
  await page.getByRole('spinbutton', { name: 'End' }).fill('0.6');
  await generate(page);
});

test('offers a way on from unknown URLs', async ({ page, service }) => {
  await openSignedIn(page, service, '/generations/gen_01hzzzzzzzzzzzzzzzzzzzzzzz');
  await expect(page.getByRole('heading', { name: 'Generation not found' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to generations' }).click();
  await expect(page).toHaveURL('/generations');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.goto('/create/image.create/no-such-model');
  await page.getByRole('main').getByRole('link', { name: 'Create an image' }).last().click();
  await expect(page).toHaveURL('/create/image.create');
});

test('keeps the draft and creates nothing twice when the service goes away and returns', async ({ page, service }) => {
  await openSignedIn(page, service, '/generations');
  await page.getByRole('main').getByRole('link', { name: 'Create' }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('A kite on a string');
  await generate(page);
  await prompt.fill('A kite in a storm');
  await service.kill();
  await generateButton(page).click();
  await expect(resultRegion(page).getByRole('heading', { name: 'No response yet' })).toBeVisible();
  await expect(prompt).toHaveValue('A kite in a storm');
  expect(await findA11yViolations(page)).toEqual([]);
  await navigateTo(page, 'Generations');
  await expect(page.getByText('The service can’t be reached.', { exact: false })).toBeVisible();
  await page.goBack();
  await expect(prompt).toHaveValue('A kite in a storm');

  await service.restart();
  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  await navigateTo(page, 'Generations');
  await expect(page.getByRole('listitem').filter({ hasText: 'A kite in a storm' })).toHaveCount(1);
});

test('reports missing funds and budget limits and continues once they are raised', async ({ page, service }) => {
  const { available_usd } = await fetchBillingSummary(service);
  const drain = (-(Number(available_usd) - 0.01)).toFixed(6);
  await call(service, 'POST', '/v1/billing/credits', { amount_usd: drain, description: 'Spent elsewhere' });
  await openSignedIn(page, service, IMAGE);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('One cent is not enough');
  await generateButton(page).click();
  await expect(resultRegion(page).getByRole('heading', { name: 'Not enough funds' })).toBeVisible();
  await expect(resultRegion(page)).toContainText('This costs $0.02; $0.01 is available. You need $0.01 more.');
  expect(await findA11yViolations(page)).toEqual([]);
  const entries = (await fetchLedger(service)).length;
  await call(service, 'POST', '/v1/billing/credits', { amount_usd: '5.00', description: 'More' });
  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  expect((await fetchLedger(service)).length).toBe(entries + 4);

  // A budget that is too small says so itself, and an admin can change it there.
  const budget = { key_id: null, limit_usd: '0.01', contact: 'Priya in finance' };
  await call(service, 'POST', '/v1/billing/budgets', budget);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('The budget is not enough');
  await generateButton(page).click();
  await expect(resultRegion(page).getByRole('heading', { name: 'Over budget' })).toBeVisible();
  await expect(resultRegion(page)).toContainText('$0.00 is left of the $0.01 budget of this organization');
  await expect(resultRegion(page)).toContainText('To get more, contact Priya in finance.');
  await expect(resultRegion(page).getByRole('link', { name: 'Add credit' })).toHaveCount(0);
  await resultRegion(page).getByRole('button', { name: 'Change budget' }).click();
  const dialog = page.getByRole('dialog', { name: /^Monthly budget/ });
  await dialog.getByLabel(/^Dollars/).fill('50');
  await dialog.getByRole('button', { name: /^Set (the )?budget/ }).click();
  await expect(dialog).toBeHidden();
  await resultRegion(page).getByRole('button', { name: 'Try again' }).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  await call(service, 'DELETE', '/v1/billing/budgets/organization');
});
