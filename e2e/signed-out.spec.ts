import { makeClip, createTempDirectory } from './support/clips.ts';
import { uploadFile } from './support/api-client.ts';
import { generateButton } from './support/create-page.ts';
import { expect, test } from './support/test.ts';

test('lists models and prices without a key', async ({ page }) => {
  await page.goto('/models');
  const card = page.getByRole('article', { name: 'VidModel C 2', exact: true });
  await expect(card).toContainText('$0.0575 per second');
  await expect(card).toContainText('at least $0.345');
  await expect(card).toContainText('Largest size: 4K · Clips with sound');
  await expect(page.getByRole('article', { name: 'Trim a video' })).toContainText('Free');
  await expect(page.getByRole('article')).toHaveCount(14 + 8);

  await page.getByRole('searchbox', { name: 'Search models' }).fill('lite');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('link', { name: 'Create an image' }).click();
  await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-b-2-lite/);
});

test('asks for a key and returns to the page after sign-in', async ({ page, service }) => {
  await page.goto('/billing?type=RESERVE');
  await expect(page.getByRole('heading', { name: 'Sign in to see billing' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('mgs_org_wrong');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The service does not know this key')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Key' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Key' }).fill(service.key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/billing?type=RESERVE');
});

test('shows a form and its price without a key, and keeps the form through sign-in', async ({ page, service }) => {
  await page.goto('/create/video.create/vidmodel-c-2');
  const generateLink = page.getByRole('link', { name: /^Sign in to generate/ });
  await expect(generateLink).toHaveText('Sign in to generate · $0.46');
  await page.getByRole('button', { name: /^Model:/ }).click();
  const models = page.getByRole('dialog', { name: 'Models' });
  await expect(models.getByRole('link', { name: /^VidModel C 2\.5/ })).toContainText('Best for long takes');
  await page.keyboard.press('Escape');
  await page.getByRole('spinbutton', { name: 'Length' }).fill('15');
  await expect(generateLink).toHaveText('Sign in to generate · $0.8625');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Rain on a tin roof');
  await generateLink.click();
  await page.getByRole('textbox', { name: 'Key' }).fill(service.key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/create/video.create/vidmodel-c-2');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Rain on a tin roof');
  await expect(page.getByRole('spinbutton', { name: 'Length' })).toHaveValue('15');
  await expect(generateButton(page)).toHaveText('Generate · $0.8625');
});

test('prices a shared media link by its length without a key', async ({ page, service }) => {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'shared.mp4', { seconds: 5 }));
  await page.goto('/create/video.edit');
  const generateLink = page.getByRole('link', { name: /^Sign in to generate/ });
  await expect(generateLink).toContainText(/at most \$2\.55|Sign in to generate$/);
  await page.getByRole('group', { name: 'Video', exact: true }).getByRole('button', { name: 'URL' }).click();
  await page.getByRole('textbox', { name: 'URL of the video' }).fill(clip.url);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Make it night');
  await expect(generateLink).toHaveText('Sign in to generate · $0.68');
});

test('shows the API reference without a key', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Connect a tool' }).click();
  await page.getByRole('radio', { name: 'API reference' }).click();
  await expect(page.getByRole('main')).toContainText('/v1/generations');
});
