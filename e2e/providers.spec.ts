import { generate, navigateTo } from './support/create-page.ts';
import { respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { OPENAI_KEY, test } from './support/fake-openai-test.ts';
import { call } from './support/api-client.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { expect, openSignedIn } from './support/test.ts';

test('a provider whose key is in the environment is connected with one press, and generates', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/providers');
  await expect(page.getByText('No provider is connected')).toBeVisible();
  const connect = page.getByRole('button', { name: 'Connect OpenAI with OPENAI_API_KEY' });
  await connect.click();

  await expect(page.getByText('OpenAI is connected', { exact: true })).toBeVisible();
  const connected = page.getByRole('list', { name: 'Connected providers' }).getByRole('listitem');
  await expect(connected).toHaveCount(1);
  await expect(connected).toContainText('Active');
  await expect(connected).toContainText(`…${OPENAI_KEY.slice(-4)}`);
  await expect(connected).toContainText('ImgModel A 2');
  // Nothing is left that it could connect.
  await expect(connect).toBeHidden();
  expect(await page.content()).not.toContain(OPENAI_KEY);

  await navigateTo(page, 'Create');
  await page.goto('/create/image.create/imgmodel-a-2');
  await expect(page.getByRole('button', { name: /^Model: GPT Image 2/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A blue square');
  await generate(page);
  await expect(page.getByRole('region', { name: 'Result' })).not.toContainText('Preview');
});

test('shows which of two providers runs a model, and puts the other first', async ({ page, service, openai }) => {
  // Beside the connection of the test above.
  await call<Provider>(service, 'POST', '/v1/providers', {
    provider: 'openai',
    key: OPENAI_KEY,
    address: openai.base_url,
    models: [{ task: 'image.create', model: 'imgmodel-a-2' }],
  });
  await openSignedIn(page, service, '/providers');
  const connected = page.getByRole('list', { name: 'Connected providers' }).getByRole('listitem');
  await expect(connected.nth(1)).toContainText('Fallback for ImgModel A 2: OpenAI comes first.');
  await page.getByRole('button', { name: 'Actions for OpenAI (2)' }).click();
  await page.getByRole('menuitem', { name: 'Put first' }).click();
  await expect(page.getByText('OpenAI (2) comes first', { exact: true })).toBeVisible();
  await expect(connected.nth(0)).toContainText('OpenAI (2)');
  await expect(connected.nth(1)).toContainText('Fallback for ImgModel A 2 (Create an image): OpenAI (2) comes first.');
  await page.getByRole('button', { name: 'Actions for OpenAI (2)' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(connected.nth(0)).toContainText('On OpenAI while paused: ImgModel A 2');

  openai.injectFault(respondWith(401, JSON.stringify({ error: { message: 'This key was revoked.' } })));
  await connected.nth(1).getByRole('button', { name: 'Test' }).click();
  await expect(connected.nth(1).getByRole('alert')).toContainText('The test failed');
  await expect(connected.nth(1).getByRole('alert')).toContainText('This key is not valid.');
  await expect(connected.nth(1).getByRole('alert')).toContainText('This key was revoked.');
});
