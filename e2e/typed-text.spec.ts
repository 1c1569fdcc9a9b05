import { uploadFile } from './support/api-client.ts';
import { createTempDirectory, makeClip } from './support/clips.ts';
import { fieldSources, generateButton } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test('a dialog asks before it loses what was typed', async ({ page, service }) => {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'fox.mp4', { seconds: 1 }));
  await openSignedIn(page, service, `/library?item=${clip.id}`);
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  const tag = page.getByRole('combobox', { name: 'Add a tag' });
  await tag.fill('Nordlicht');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(question).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(tag).toHaveValue('Nordlicht');
  await tag.press('Enter');
  await expect(page.getByRole('button', { name: /^Remove tag nordlicht/i })).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).not.toHaveURL(/item=/);

  await page.goto('/keys');
  await page
    .getByRole('button', { name: /^(Create|New) key/ })
    .first()
    .click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  await name.fill('Shop');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(name).toHaveValue('Shop');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('half a date, number or URL is refused where it is sent, not dropped', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2-mini');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A fox in the snow');
  const length = page.getByRole('spinbutton', { name: 'Length' });
  await length.fill('');
  await length.pressSequentially('e');
  await generateButton(page).click();
  await expect(length).toHaveAttribute('aria-invalid', 'true');
  await length.fill('5');

  await page.goto('/create/image.edit');
  const sources = fieldSources(page, 'Images');
  await sources.getByRole('button', { name: 'URL' }).click();
  const url = page.getByPlaceholder('https://');
  await url.fill('https://example.com/fox.png');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Make it snow');
  await generateButton(page).click();
  await expect(url).toBeFocused();
  await expect(page.getByText('Add this URL, or clear it.')).toBeVisible();

  await page.goto('/keys');
  await page
    .getByRole('button', { name: /^(Create|New) key/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
  await dialog.getByText('Limits and expiry').click();
  const expires = dialog.locator('input[type=date]');
  await expires.focus();
  await page.keyboard.type('12');
  await dialog.getByRole('button', { name: /^Create/ }).click();
  await expect(dialog.getByText('Complete this, or clear it.')).toBeVisible();
  await expect(expires).toBeFocused();
});

test('a number that is half typed before its checks have loaded has no price', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = page.waitForRequest('**/assets/schemas-*.js');
  await page.route('**/assets/schemas-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/create/video.create/vidmodel-c-2-mini');
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A fox in the snow');
  const length = page.getByRole('spinbutton', { name: 'Length' });
  await length.fill('');
  await length.pressSequentially('e');
  await held;
  await expect(page.getByText('No price yet. Length is invalid.')).toBeVisible();
  release();
  await expect(page.getByText('No price yet. Length must be a number.')).toBeVisible();
  await length.fill('5');
  await expect(generateButton(page)).toContainText('$');
});

test('a filter that was typed is applied when its panel is closed', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  await page.getByRole('button', { name: /^Filters/ }).click();
  const panel = page.getByRole('dialog', { name: 'Filters' });
  await panel.getByRole('combobox', { name: 'Tag of the file' }).fill('Nord');
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(page).toHaveURL(/label=Nord/);
});
