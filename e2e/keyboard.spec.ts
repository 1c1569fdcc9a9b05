import { generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, requestSignInLink, test } from './support/test.ts';

import { tabTo } from './support/tab-to.ts';
test('completes the main job without a mouse', async ({ page, service }) => {
  await test.step('sign in by link', async () => {
    await page.goto(await requestSignInLink(service));
    await tabTo(page, page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.keyboard.press('Enter');
    // Letters typed on arrival are the prompt, not shortcuts.
    await expect(page.getByRole('textbox', { name: 'Prompt' })).toBeFocused();
  });

  await test.step('choose a model', async () => {
    await tabTo(page, page.getByRole('button', { name: /^Model:/ }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const models = page.getByRole('dialog', { name: 'Models' });
    const model = models.getByRole('link', { name: /^ImgModel B 2 Lite/ });
    await expect(model).toBeVisible();
    await tabTo(page, model);
    await page.keyboard.press('Enter');
    await expect(models).toBeHidden();
    await expect(page).toHaveURL(/imgmodel-b-2-lite/);
    await expect(page.getByRole('button', { name: /^Model:/ })).toBeFocused();
  });

  await test.step('fill in the form and start', async () => {
    await tabTo(page, page.getByRole('textbox', { name: 'Prompt' }));
    await page.keyboard.type('A barn owl in the rafters');
    await tabTo(page, page.getByRole('radio', { name: 'Auto' }));
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  });

  await test.step('open the image and restore the focus on close', async () => {
    const picture = resultRegion(page).getByRole('button', { name: 'Enlarge result' });
    await tabTo(page, picture);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(picture).toBeFocused();
  });

  await test.step('walk the rows of Generations, open and close one', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await expect(page).toHaveURL(/\/generations$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const row = page.getByRole('link', { name: 'A barn owl in the rafters' });
    await expect(row).toBeVisible();
    await page.keyboard.press('j');
    await expect(row).toBeFocused();
    // The exact time of the row, which otherwise only a pointer finds.
    await expect(page.getByRole('tooltip')).toContainText(/\d{4}.*\d:\d\d:\d\d/);
    // It stays where a list moves below it, as one that has just loaded does.
    await row.dispatchEvent('scroll');
    await expect(page.getByRole('tooltip')).toContainText(/\d{4}.*\d:\d\d:\d\d/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary', { name: 'Open generation' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/generations$/);
    await expect(row).toBeFocused();
    await page.getByRole('button', { name: 'Sort by Cost' }).press('Enter');
    await expect(page).toHaveURL(/\/generations\?sort=cost$/);
    await page.getByRole('button', { name: 'Sort by Cost , now descending' }).press('Enter');
    await expect(page).toHaveURL(/\/generations\?sort=cost&order=asc$/);
    await page.getByRole('button', { name: 'Remove filter Cheapest first' }).press('Enter');
    await expect(page).toHaveURL(/\/generations$/);
    await page.keyboard.press('f');
    await page.keyboard.type('walrus');
    await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row).toBeVisible();
  });
});

test('lists the shortcuts of the page on “?” and restores the focus', async ({ page, service }) => {
  await openSignedIn(page, service, '/generations');
  const create = page.getByRole('main').getByRole('link', { name: 'Create', exact: true });
  await create.focus();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Help' });
  for (const words of ['Next row', 'Generations', 'Search']) await expect(sheet).toContainText(words);
  const keys = await sheet.locator('dd').evaluateAll((lines) => lines.map(({ textContent }) => textContent));
  expect(new Set(keys).size, keys.join(', ')).toBe(keys.length);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(create).toBeFocused();
});

test('finds pages, actions and a pasted id with ⌘K and restores the focus on Escape', async ({ page, service }) => {
  await openSignedIn(page, service);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('Half a sentence');
  const { promise: loaded, resolve: load } = Promise.withResolvers<void>();
  await page.route(/\/assets\/overlays-[^/]+\.js$/, async (route) => {
    await loaded;
    await route.continue();
  });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('pric');
  load();
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expect(palette.getByRole('combobox')).toHaveValue('pric');
  // A dialog hides the page behind it from screen readers.
  await expect(page.getByRole('textbox', { name: 'Prompt', includeHidden: true })).toHaveValue('Half a sentence');
  await page.keyboard.press('Escape');
  await expect(prompt).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('pric');
  await expect(palette.getByRole('option', { selected: true })).toContainText('Models & prices');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/models$/);

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('gen_01hzzzzzzzzzzzzzzzzzzzzzzz');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Generation not found' })).toBeVisible();
});

test('offers to skip to the content on the first Tab', async ({ page }) => {
  await page.goto('/models');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('ignores shortcuts while typing in a field', async ({ page, service }) => {
  await openSignedIn(page, service);
  await page.getByRole('textbox', { name: 'Prompt' }).focus();
  await page.keyboard.type('? g g');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('? g g');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(generateButton(page)).toBeVisible();
});
