import type { Page } from '@playwright/test';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { call } from './support/api-client.ts';
import { connectFal, test } from './support/fake-fal-test.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn } from './support/test.ts';

const MAX_CLICKS = 8;
const MODEL = 'acme/paint/lora';

/** Counts the clicks of a page. Typing is none. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = window as Window & { clicks?: number };
    counter.clicks = 0;
    addEventListener('click', ({ detail }) => detail > 0 && (counter.clicks = (counter.clicks ?? 0) + 1), true);
  });
  return () => page.evaluate(() => (window as Window & { clicks?: number }).clicks ?? 0);
}

const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const liveCost = (page: Page) => page.locator('dl', { hasText: 'This form now costs' });

test.beforeEach(async ({ service, fal }) => {
  const { data } = await call<{ data: unknown[] }>(service, 'GET', '/v1/providers');
  if (data.length === 0) await connectFal(service, fal);
});

test('explains what is missing before a provider is connected', async ({ page, service }) => {
  const { data } = await call<{ data: { id: string }[] }>(service, 'GET', '/v1/providers');
  for (const { id } of data) await call(service, 'DELETE', `/v1/providers/${id}`);
  await openSignedIn(page, service, '/models');
  await page.getByRole('link', { name: 'Added models' }).click();
  await expect(page.getByRole('heading', { name: 'Connect a provider first' })).toBeVisible();
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await expect(page).toHaveURL(/\/providers$/);
});

test('adds a model by its address, tests it and publishes it within eight clicks', async ({ page, service }) => {
  await openSignedIn(page, service, '/added-models');
  await expect(page.getByRole('heading', { name: 'No added models yet' })).toBeVisible();
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Add a model' }).first().click();
  await fieldOf(page, 'Address, or words to search for').fill(`https://fal.ai/models/${MODEL}/playground`);
  await page.getByRole('button', { name: 'Show the form' }).click();

  const form = page.getByRole('form', { name: 'Form of Acme Paint with LoRA' });
  await expect(form.getByRole('spinbutton', { name: 'Number of images' })).toBeVisible();
  await expect(page.getByText('The provider lists $0.02, counted in images.')).toBeVisible();
  await expect(fieldOf(page, 'Name')).toHaveValue('Acme Paint with LoRA');
  await expect(liveCost(page)).toContainText('$0.02');
  await expect(liveCost(page)).toContainText('$0.08');
  await form.getByRole('textbox', { name: 'Prompt' }).fill('A lighthouse');
  await form.getByRole('spinbutton', { name: 'Number of images' }).fill('2');
  await fieldOf(page, 'Your markup').fill('50');
  await expect(liveCost(page)).toContainText('$0.06');
  await expect(liveCost(page)).toContainText('$0.12');
  expect(await findA11yViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(page.getByText('This is a draft')).toBeVisible();
  await page.getByRole('button', { name: 'Test · $0.06' }).click();
  const result = page.getByRole('article', { name: 'Test' });
  await expect(result).toContainText('Succeeded');
  await expect(result).toContainText('$0.06');
  await expect(result).toContainText('$0.04');
  await expect(result.getByRole('button', { name: 'Enlarge result' })).toBeVisible();
  await result.getByRole('button', { name: 'Use result as sample' }).click();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(MAX_CLICKS);
  expect(await findA11yViolations(page)).toEqual([]);

  const model = await call<AddedModel>(service, 'GET', '/v1/added-models/added-acme-paint-with-lora');
  expect(model).toMatchObject({ state: 'published', task: 'image.create', markup_percent: 50 });
  expect(model.sample_asset_id).not.toBeNull();
});
