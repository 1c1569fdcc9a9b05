import { generate, navigateTo } from './support/create-page.ts';
import { OPENAI_KEY, test } from './support/fake-openai-test.ts';
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
