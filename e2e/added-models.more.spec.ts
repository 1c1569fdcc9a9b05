import type { Page } from '@playwright/test';
import { falDocument } from '#contract/added-models/testing/fal-document.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { FAKE_FAL_MODELS } from '#server/models/providers/fal/testing/fake-fal-models.ts';
import { call } from './support/api-client.ts';
import { connectFal, test } from './support/fake-fal-test.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn } from './support/test.ts';

const MODEL = 'acme/paint/lora';

const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const liveCost = (page: Page) => page.locator('dl', { hasText: 'This form now costs' });

test.beforeEach(async ({ service, fal }) => {
  const { data } = await call<{ data: unknown[] }>(service, 'GET', '/v1/providers');
  if (data.length === 0) await connectFal(service, fal);
});

test('keeps what was typed over a reload, and shows errors at their field', async ({ page, service }) => {
  await openSignedIn(page, service, '/added-models/new');
  const address = fieldOf(page, 'Address, or words to search for');
  await address.fill('acme/missing');
  await page.getByRole('button', { name: 'Show the form' }).click();
  await expect(page.getByText('fal has no model acme/missing.')).toBeVisible();
  await expect(address).toBeFocused();

  await address.fill('motion');
  await page
    .getByRole('list', { name: 'Matching models' })
    .getByRole('button', { name: /Acme Motion/ })
    .click();
  await expect(page.getByText('audio adds 50 %')).toBeVisible();
  await expect(page.getByText('The provider’s text has more than this price in it.')).toBeVisible();
  await page.getByRole('combobox', { name: 'What counts' }).selectOption({ label: 'Duration' });
  await fieldOf(page, 'Name').fill('');
  await fieldOf(page, 'Provider’s price').fill('0,10');
  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  await expect(page.getByText('Write cents after a point.')).toBeVisible();
  await expect(fieldOf(page, 'Name')).toBeFocused();

  await fieldOf(page, 'Name').fill('Clips');
  await fieldOf(page, 'Provider’s price').fill('0.20');
  await page.getByRole('form', { name: 'Form of Acme Motion' }).getByRole('textbox', { name: 'Prompt' }).fill('A wave');
  await page.reload();
  await expect(fieldOf(page, 'Name')).toHaveValue('Clips');
  await expect(fieldOf(page, 'Provider’s price')).toHaveValue('0.20');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A wave');

  await page.getByText('Tiers and rounding').click();
  await page.getByRole('button', { name: 'Add tier' }).click();
  const factor = page.getByRole('spinbutton', { name: 'Multiply by' });
  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(factor).toBeFocused();
  await expect(factor).toHaveAccessibleDescription(/Enter the factor/);
  await factor.fill('2');
  await page.getByText('Tiers and rounding').click();
  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(page.getByRole('list', { name: 'Tiers' }).getByRole('listitem')).toBeFocused();
  await expect(page.getByText('Choose at least one value.')).toBeVisible();
  await page.getByRole('checkbox', { name: '1080p' }).check();
  await expect(liveCost(page)).toContainText('$4.00');

  await page.getByText('Correct what a field takes').click();
  await page.getByRole('combobox', { name: 'Prompt takes' }).selectOption('Image');
  await expect(page.getByRole('form', { name: 'Form of Acme Motion' }).getByRole('textbox')).toHaveCount(0);
  await expect(fieldOf(page, 'Name')).toHaveValue('Clips');
});

test('inspects again where the provider changed a model meanwhile', async ({ page, service }) => {
  await openSignedIn(page, service, '/added-models/new');
  await fieldOf(page, 'Address, or words to search for').fill('acme/upscale');
  await page.keyboard.press('Enter');
  await page.getByRole('spinbutton', { name: 'Most of an output, in megapixels' }).fill('20');
  await fieldOf(page, 'Your markup').fill('7');
  const model = FAKE_FAL_MODELS['acme/upscale'];
  if (!model) throw new Error('no model');
  model.document = falDocument(
    { image_url: { type: 'string' }, factor: { enum: [2, 8], type: 'integer', default: 2 } },
    { required: ['image_url'], output: { image: { type: 'object', properties: { url: { type: 'string' } } } } },
  );
  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(page.getByText('The provider changed this model')).toBeVisible();
  await expect(page.getByRole('radio', { name: '8', exact: true })).toBeVisible();
  await expect(fieldOf(page, 'Your markup')).toHaveValue('7');
  await page.getByRole('button', { name: 'Add as draft' }).click();
  await expect(page.getByText('This is a draft')).toBeVisible();
});

test('updates a model whose provider changed its form', async ({ page, service }) => {
  const inspected = await call<{ hash: string; suggested: { price: object } }>(
    service,
    'POST',
    '/v1/added-models/inspect',
    { provider_id: await findProvider(service), address: 'acme/inpaint', overrides: {} },
  );
  const { id } = await call<AddedModel>(service, 'POST', '/v1/added-models', {
    provider_id: await findProvider(service),
    address: 'acme/inpaint',
    hash: inspected.hash,
    name: 'Inpaint',
    task: 'image.edit',
    price: { ...inspected.suggested.price, cap_micro_usd: 5_000_000 },
  });
  await openSignedIn(page, service, `/added-models/${id}`);
  await page.getByRole('button', { name: 'Check for changes' }).click();
  await expect(page.getByRole('dialog')).toContainText('Nothing changed.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  const model = FAKE_FAL_MODELS['acme/inpaint'];
  if (!model) throw new Error('no model');
  const strength = { type: 'number', minimum: 0, maximum: 1 };
  model.document = falDocument(
    { prompt: { type: 'string' }, image_url: { type: 'string' }, strength },
    { required: ['prompt', 'image_url', 'strength'], output: { image: { type: 'object' } } },
  );
  await page.getByRole('button', { name: 'Check for changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Inpaint' });
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Strength');
  await expect(dialog.getByRole('list', { name: 'Changes' })).toContainText('Earlier inputs no longer work.');
  await expect(dialog.getByRole('spinbutton', { name: 'Strength' })).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Update form and price' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('2 of 2, since')).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'Strength' })).toBeVisible();
});

async function findProvider(service: { url: string; key: string }): Promise<string> {
  const { data } = await call<{ data: { id: string }[] }>(service, 'GET', '/v1/added-models/providers');
  return data[0]?.id ?? '';
}

test('is done with the keyboard alone', async ({ page, service }) => {
  await openSignedIn(page, service, '/added-models');
  await expect(page.getByRole('heading', { name: 'Added models', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Add a model' }).first().press('Enter');
  await fieldOf(page, 'Address, or words to search for').focus();
  await page.keyboard.type('acme/mesh');
  await page.keyboard.press('Enter');
  await expect(fieldOf(page, 'Name')).toHaveValue('Acme Mesh');
  await fieldOf(page, 'Name').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is a draft')).toBeVisible();
  await page.getByRole('radio', { name: 'Everybody' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('checkbox', { name: 'Viewer' }).focus();
  await page.keyboard.press('Space');
  const publish = page.getByRole('button', { name: 'Publish' });
  await publish.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Remove model…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await expect(page.getByText('This model was removed')).toBeVisible();
  await page.getByRole('link', { name: 'Added models' }).first().click();
  await page.getByText('Removed (1)').click();
  await expect(page.getByRole('list', { name: 'Removed models' })).toContainText('Acme Mesh');
});

test('keeps unsaved changes of a model over a reload', async ({ page, service }) => {
  const provider_id = await findProvider(service);
  const { hash, suggested } = await call<{ hash: string; suggested: object }>(
    service,
    'POST',
    '/v1/added-models/inspect',
    { provider_id, address: MODEL, overrides: {} },
  );
  const draft = { provider_id, address: MODEL, hash, name: 'Edited', ...suggested };
  const { id } = await call<AddedModel>(service, 'POST', '/v1/added-models', draft);
  await openSignedIn(page, service, `/added-models/${id}`);
  await page.getByText('Some people').click();
  await page.getByRole('checkbox', { name: 'Viewer' }).uncheck();
  await page.getByRole('button', { name: 'Change price' }).click();
  await fieldOf(page, 'Provider’s price').fill('0.07');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Best for' }).fill('Posters');
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Rename Edited' });
  await expect(dialog.getByRole('textbox', { name: 'Best for' })).toHaveValue('Posters');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('checkbox', { name: 'Viewer' })).not.toBeChecked();
  await expect(fieldOf(page, 'Provider’s price')).toHaveValue('0.07');
  await page.getByRole('button', { name: 'Save price' }).click();
  await expect(page.getByText('$0.07 per image', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Change price' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Viewer' })).not.toBeChecked();
  const saved = await call<AddedModel>(service, 'GET', `/v1/added-models/${id}`);
  expect(saved).toMatchObject({ description: 'Posters', version: 2, price: { unit_price_micro_usd: 70_000 } });
});
