import type { Page } from '@playwright/test';
import type { List } from '#contract/primitives.ts';
import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { call, fetchBillingSummary } from './support/api-client.ts';
import type { Service } from './support/service.ts';
import { availableFunds, generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const FORM = '/create/image.create/imgmodel-a-2';
const PROMPT = 'A paper kite over the dunes';

const fetchBatches = async (service: Service) => (await call<List<Batch>>(service, 'GET', '/v1/batches')).data;

const results = (page: Page) => resultRegion(page).getByRole('listitem', { name: /^Variation \d/ });

/** Chooses from the menu of a result. */
async function act(page: Page, number: number, action: string | RegExp): Promise<void> {
  await results(page)
    .getByRole('button', { name: `More variation ${number}` })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function choose(page: Page, count: number): Promise<void> {
  await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT);
  await page
    .getByRole('radiogroup', { name: 'Variations' })
    .getByRole('radio', { name: `${count} variations` })
    .check();
}

test('starts four results at once, keeps one, discards one and gets more like it', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await choose(page, 4);
  await expect(generateButton(page)).toHaveText('Generate 4 · $0.12');
  const funds = await availableFunds(page);

  await test.step('one group of four', async () => {
    await generateButton(page).click();
    await expect(resultRegion(page).getByText('4 results')).toBeVisible();
    await expect(results(page)).toHaveCount(4);
    await expect.poll(() => availableFunds(page)).toBeCloseTo(funds - 0.12, 6);
  });

  await test.step('keep and discard, with undo', async () => {
    const keep = results(page).first().getByRole('button', { name: 'Star variation 1' });
    await keep.click();
    await expect(keep).toHaveAttribute('aria-pressed', 'true');
    await act(page, 2, 'Discard');
    await expect(results(page)).toHaveCount(3);
    await expect(resultRegion(page).getByText('3 results')).toBeVisible();
    await expect(resultRegion(page).getByText('$0.09', { exact: true })).toBeVisible();
    await expect(results(page).nth(1).getByRole('button', { name: 'Star variation 3' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(results(page)).toHaveCount(4);
    await expect(resultRegion(page).getByText('4 results')).toBeVisible();
  });

  await test.step('a new tab opens the group again, with all actions', async () => {
    const tab = await page.context().newPage();
    await openSignedIn(tab, service, FORM);
    await tab
      .getByRole('region', { name: 'Your work' })
      .getByRole('button', { name: /4 results$/ })
      .first()
      .click();
    await expect(results(tab)).toHaveCount(4);
    await expect(results(tab).first().getByRole('button', { name: 'Star variation 1' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await results(tab).nth(3).getByRole('button', { name: 'More variation 4' }).click();
    await expect(tab.getByRole('menuitem', { name: /^4 more like this/ })).toBeVisible();
    await tab.close();
  });

  await test.step('more like one of them', async () => {
    await act(page, 1, /^4 more like this.*\$0\.12$/);
    await expect(resultRegion(page).getByText('4 results')).toBeVisible();
    const { data } = await call<List<Generation>>(service, 'GET', '/v1/generations?limit=4');
    for (const { input } of data) expect(input['reference_images']).toHaveLength(1);
  });

  await test.step('compare two of them', async () => {
    await act(page, 1, 'Compare with another');
    await expect(page.getByText('Pick a second result to compare.')).toBeVisible();
    await page.getByRole('button', { name: 'Compare with this variation 2' }).click();
    await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-a-2\?compare=/);
    const dialog = page.getByRole('dialog', { name: 'Compare' });
    await dialog.getByRole('button', { name: 'Swap' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-a-2$/);
    await expect(results(page)).toHaveCount(4);
  });

  await test.step('the number stays with its task', async () => {
    await page.getByRole('navigation', { name: 'Task' }).getByRole('link', { name: 'Edit' }).click();
    await expect(page.getByRole('radio', { name: '1 result' })).toBeChecked();
  });
});

test('starts none where the funds do not cover all, and loses nothing that was typed', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  const { available_usd } = await fetchBillingSummary(service);
  const before = await fetchBatches(service);
  const drain = { amount_usd: `-${(Number(available_usd) - 0.1).toFixed(2)}`, description: 'Almost all of it' };
  await call(service, 'POST', '/v1/billing/credits', drain);
  await choose(page, 4);
  await generateButton(page).click();
  const result = resultRegion(page);
  await expect(result.getByRole('heading', { name: 'Not enough funds' })).toBeVisible();
  await expect(result.getByText(/This costs \$0\.12; \$0\.10 is available/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(PROMPT);
  expect(await fetchBatches(service)).toHaveLength(before.length);
  await call(service, 'POST', '/v1/billing/credits', { amount_usd: '5', description: 'More' });
  await result.getByRole('button', { name: 'Try again' }).click();
  await expect(result.getByText('4 results')).toBeVisible();
});

test('sends a request whose response was lost again, once', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await choose(page, 2);
  const before = await fetchBatches(service);
  let lost = 0;
  await page.route('**/v1/batches', async (route) => {
    lost += 1;
    if (lost > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await generateButton(page).click();
  const result = resultRegion(page);
  const again = result.getByRole('button', { name: 'Try again' });
  await expect(again.or(result.getByText('2 results'))).toBeVisible();
  if (await again.isVisible()) await again.click();
  await expect(result.getByText('2 results')).toBeVisible();
  const [newest, ...others] = await fetchBatches(service);
  expect(newest?.counts.total).toBe(2);
  expect(others).toHaveLength(before.length);
});

test('cancels all at once', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2-mini');
  await choose(page, 8);
  await generateButton(page).click();
  await resultRegion(page).getByRole('button', { name: 'Cancel all' }).click();
  await expect(resultRegion(page).getByText('8 results')).toBeVisible();
  expect((await fetchBatches(service))[0]).toMatchObject({ status: 'canceled', reserved_usd: '0.00' });
});
