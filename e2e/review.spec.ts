import type { Page } from '@playwright/test';
import type { ApiKey } from '#contract/resources/api-key.ts';
import {
  call,
  postGeneration,
  waitForGeneration,
  fetchLedger,
  fetchGeneration,
  uploadFile,
} from './support/api-client.ts';
import type { FakeImageProvider } from './support/fake-image-provider.ts';
import { test } from './support/fake-image-provider-test.ts';
import type { Service } from './support/service.ts';
import { generate, generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn } from './support/test.ts';

const MODEL = 'imgmodel-b-2';

/** Creates a generation that the provider completes without a result. @returns its id */
async function createInReview(service: Service, painter: FakeImageProvider, prompt: string): Promise<string> {
  painter.result = 'nothing';
  const { id } = await postGeneration(service, { task: 'image.create', model: MODEL, input: { prompt } });
  expect((await waitForGeneration(service, id)).status).toBe('manual_review');
  return id;
}

const entriesOf = async (service: Service, id: string) =>
  (await fetchLedger(service))
    .filter((entry) => entry.generation_id === id)
    .map(({ type, amount_usd }) => `${type} ${amount_usd}`)
    .toSorted();

const openPanel = (page: Page) => page.getByRole('complementary', { name: 'Open review' });
const reviewLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Billing/ });

test('shows the provider’s cost of an image to organization keys only', async ({ page, service, painter }) => {
  painter.result = 'a picture';
  await openSignedIn(page, service, `/create/image.create/${MODEL}`);
  await expect(page.getByRole('button', { name: /^Model:/ })).not.toContainText('Preview');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A kite over dunes');
  await generate(page);
  const picture = resultRegion(page).getByRole('img', { name: 'Result' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
  await resultRegion(page).getByRole('link', { name: 'Details' }).click();
  const provider = page.getByRole('region', { name: 'Provider' });
  await expect(provider).toContainText('Charged $0.04, provider cost $0.019: margin $0.021.');
  await expect(provider).toContainText('The provider reported this cost.');
  const generationUrl = page.url();
  await expect(provider).toContainText(/job-\d+/);

  await test.step('billing compares the charge with the cost', async () => {
    await openSignedIn(page, service, '/billing');
    await page.getByRole('tab', { name: 'Report' }).click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Margin of this month by model');
    const row = page.getByRole('table', { name: 'Margin' }).getByRole('row', { name: /ImgModel B 2/ });
    await expect(row.getByRole('cell')).toHaveText(['1', /\$0\.04/, /\$0\.019.*Reported/, /\$0\.021/]);
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('Person');
    await expect(page).toHaveURL(/measure=margin&rows=person/);
    await expect(page.getByRole('rowheader', { name: 'Programs' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Rows' }).selectOption('Model');
    await expect(row).toHaveCount(1);
    const arriving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await arriving).suggestedFilename()).toMatch(/^margin by model .*\.csv$/);
  });

  await test.step('a member key sees the picture but not the provider', async () => {
    const member = await call<ApiKey & { key: string }>(service, 'POST', '/v1/api-keys', {
      name: 'Ana',
      kind: 'member',
    });
    const address = new URL(generationUrl).pathname;
    await openSignedIn(page, { url: service.url, key: member.key }, address);
    await expect(page.getByRole('region', { name: 'Cost' })).toContainText('$0.04');
    await expect(provider).toHaveCount(0);
    await expect(reviewLink(page)).not.toContainText('pending');
    await openSignedIn(page, { url: service.url, key: member.key }, '/review');
    await expect(page.getByRole('heading', { name: 'You can’t review generations' })).toBeVisible();
    await openSignedIn(page, { url: service.url, key: member.key }, '/billing');
    await expect(page.getByRole('tab', { name: 'Statements' })).toBeVisible();
    await page.getByRole('tab', { name: 'Report' }).click();
    await expect(page.getByRole('combobox', { name: 'Rows' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Measure' })).toHaveCount(0);
  });
});

test('approves an unclear generation with an uploaded file and charges it', async ({ page, service, painter }) => {
  const id = await createInReview(service, painter, 'A harbour at dawn');
  await openSignedIn(page, service);
  await expect(reviewLink(page)).toContainText('1 pending');
  await reviewLink(page).click();
  await page.getByRole('link', { name: 'A harbour at dawn' }).click();
  await expect(openPanel(page)).toContainText('The provider reported success but returned no result.');
  await expect(openPanel(page)).toContainText('Reserved $0.04, provider cost $0.019.');
  await openPanel(page).getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve this generation?' });
  await expect(dialog.getByRole('radio', { name: 'Received result' })).toBeDisabled();
  const approve = dialog.getByRole('button', { name: 'Approve · $0.04' });
  await approve.click();
  await expect(dialog).toContainText('Upload the result file.');
  await expect(dialog).toContainText('Enter a reason.');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await (await chooser).setFiles(painter.picture);
  await expect(dialog.getByRole('listitem').filter({ hasText: 'painted.png' })).toContainText('64 × 48');
  await expect(dialog).toContainText('$0.04 is charged.');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It was on their site all along.');
  await approve.click();
  await expect(page.getByRole('heading', { name: 'No generations to review' })).toBeVisible();
  await expect(reviewLink(page)).not.toContainText('pending');
  // The page shows the decision at once; the generation changes a moment later.
  await expect
    .poll(() => fetchGeneration(service, id))
    .toMatchObject({
      status: 'succeeded',
      output: { assets: [{ width: 64, height: 48 }] },
    });
  expect(await entriesOf(service, id)).toEqual(['RELEASE 0.04', 'RESERVE -0.04', 'SETTLE -0.04']);
  await openSignedIn(page, service, `/generations/${id}`);
  await expect(page.getByRole('region', { name: 'Review' })).toContainText('It was on their site all along.');
});

test('rejects an unclear generation and releases its reservation', async ({ page, service, painter }) => {
  const id = await createInReview(service, painter, 'A door in a wall');
  await openSignedIn(page, service, `/generations/${id}`);
  await expect(page.getByText('$0.04 is reserved, not charged.')).toBeVisible();
  await page.getByRole('complementary', { name: 'Open generation' }).getByRole('link', { name: 'Review' }).click();
  await expect(openPanel(page).getByRole('button', { name: 'Reject…' })).toBeVisible();
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog', { name: 'Reject this generation?' });
  await expect(dialog).toContainText('Nothing is charged; the reserved $0.04 is released.');
  await expect(dialog).toContainText('The provider still charges you $0.019.');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('They have nothing.');
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No generations to review' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Review', exact: true })).toBeFocused();
  await expect.poll(async () => (await fetchGeneration(service, id)).error).toMatchObject({ code: 'rejected' });
  expect(await entriesOf(service, id)).toEqual(['RELEASE 0.04', 'RESERVE -0.04']);
});

test('shows the saved decision to the person who decides second', async ({ page, service, painter }) => {
  const id = await createInReview(service, painter, 'A lamp in the fog');
  await openSignedIn(page, service, `/review/${id}`);
  await openPanel(page).getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this generation?' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Nothing came.');
  const { id: upload_id } = await uploadFile(service, painter.picture);
  const note = 'It came after all.';
  await call(service, 'POST', `/v1/generations/${id}/review`, { decision: 'approve', note, upload_ids: [upload_id] });
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(openPanel(page)).toContainText('Already decided by someone else');
  await expect(openPanel(page)).toContainText(note);
  await expect(openPanel(page)).toContainText('$0.04 was charged.');
  expect(await entriesOf(service, id)).toEqual(['RELEASE 0.04', 'RESERVE -0.04', 'SETTLE -0.04']);
});

test('marks a disabled task and model and keeps the draft', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.lipsync');
  await expect(page.getByText('“Lip sync” is unavailable on this service.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Generate/ })).toBeDisabled();
  await page.goto(`${service.url}/create/image.create/imgmodel-b-pro`);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Kept all the same');
  const notice = page.getByRole('paragraph').filter({ hasText: 'ImgModel B Pro is unavailable on this service.' });
  await expect(notice).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Kept all the same');
});

test('keeps the result of a generation whose cancel came too late', async ({ page, service, painter }) => {
  painter.result = 'late';
  const { jobsCreated } = painter;
  await openSignedIn(page, service, `/create/image.create/${MODEL}`);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A ferry that has left');
  await generateButton(page).click();
  await expect(resultRegion(page).getByText('Generating…')).toBeVisible();
  await expect.poll(() => painter.jobsCreated).toBe(jobsCreated + 1);
  await resultRegion(page).getByRole('button', { name: 'Cancel' }).click();

  // The result arrives after the response to the cancel, and the page shows it without a reload.
  const callout = resultRegion(page).getByRole('status').filter({ hasText: 'Canceled after it finished' });
  await expect(callout).toContainText('you keep the result here and in the library. Nothing was charged.');
  await expect(resultRegion(page)).toContainText('Not charged');
  const picture = resultRegion(page).getByRole('img', { name: 'Result' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);

  await resultRegion(page).getByRole('link', { name: 'Details' }).click();
  const details = page.getByRole('complementary', { name: 'Open generation' });
  await expect(details.getByRole('region', { name: 'Provider' })).toContainText(
    'Nothing was charged, provider cost $0.019: loss $0.019.',
  );
  await expect(details.getByRole('region', { name: 'Provider' })).toContainText('Complete');
  await expect(details.getByRole('region', { name: 'Cost' })).toContainText('Canceled, so the full reservation was');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await entriesOf(service, id)).toEqual(['RELEASE 0.04', 'RESERVE -0.04']);

  await details.getByRole('status').getByRole('link', { name: 'library' }).click();
  await expect(page).toHaveURL(/\/library\?item=/);
  await expect(page.getByRole('dialog', { name: 'A ferry that has left' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'A ferry that has left' }).first()).toBeVisible();
});
