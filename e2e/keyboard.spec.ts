import type { Locator, Page } from '@playwright/test';
import type { ApiKeyCreated } from '#contract/resources/api-key.ts';
import { call } from './support/api-client.ts';
import { generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, requestSignInLink, test } from './support/test.ts';

/** Goes on with Tab until something is focused. @throws after as many steps as any page should need */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 60): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press(key);
    if (await isFocused(target)) return expectSeen(target);
  }
  throw new Error(`${String(target)} can't be reached with ${most} presses of Tab`);
}

const isFocused = async (target: Locator) =>
  (await target.count()) === 1 && target.evaluate((element) => element === document.activeElement);

/** What has the focus shows it, by an outline on itself or on what is around it, and nothing lies over it. */
async function expectSeen(target: Locator): Promise<void> {
  const { ringed, coveredBy } = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    const isFree = above === null || element.contains(above) || above.contains(element);
    const around = [element, element.parentElement, element.parentElement?.parentElement].filter(
      (each) => each != null,
    );
    const styles = around.flatMap((each) => [getComputedStyle(each), getComputedStyle(each, '::after')]);
    return {
      ringed: styles.some((style) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1),
      coveredBy: isFree ? '' : above.outerHTML.slice(0, 200),
    };
  });
  expect(ringed, `a visible focus on ${String(target)}`).toBe(true);
  expect(coveredBy, `what lies over ${String(target)}`).toBe('');
}

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
    await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible({ timeout: 90_000 });
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

test('never hides the focused control behind the order bar on a small screen', async ({ page, service }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  const upload = (field: string) =>
    page.getByRole('group', { name: field, exact: true }).getByRole('button', { name: 'Upload' });
  await tabTo(page, upload('Start frame'));
  for (const chosen of ['9:16', '720p']) await tabTo(page, page.getByRole('radio', { name: chosen }));
  await tabTo(page, page.getByText('Add references').locator('xpath=ancestor::summary'));
  await page.keyboard.press('Enter');
  for (const field of ['Reference images', 'Reference audio']) await tabTo(page, upload(field));
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

test('focuses invalid fields in dialogs, announces results and restores the focus', async ({ page, service }) => {
  const ana = { name: 'Ana Silva', kind: 'member' };
  const [first] = await Promise.all([1, 2].map(() => call<ApiKeyCreated>(service, 'POST', '/v1/api-keys', ana)));
  await openSignedIn(page, service, '/keys');

  await test.step('reject a decimal comma and suggest an amount', async () => {
    const opener = page.getByRole('button', { name: 'Set budget' }).first();
    await opener.press('Enter');
    const dialog = page.getByRole('dialog');
    const amount = dialog.getByRole('textbox', { name: 'Dollars per month' });
    await amount.fill('3,50');
    await dialog.getByRole('spinbutton', { name: 'Warn at' }).fill('0');
    await page.keyboard.press('Enter');
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAttribute('aria-invalid', 'true');
    await expect(amount).toHaveAccessibleDescription(/Write cents after a point. Did you mean 3.50\?/);
    await expect(dialog.getByRole('alert')).toHaveText('2 fields need attention.');
    await dialog.getByRole('button', { name: 'Did you mean 3.50?' }).press('Enter');
    await expect(amount).toBeFocused();
    await dialog.getByRole('button', { name: 'Set budget · $3.50' }).press('Enter');
    await expect(dialog.getByRole('spinbutton', { name: 'Warn at' })).toBeFocused();
    await dialog.getByRole('spinbutton', { name: 'Warn at' }).fill('80');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().endsWith('/budgets')) sent.push(request.method());
    });
    await dialog.locator('form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit();
      form.requestSubmit();
    });
    await expect(dialog).toBeHidden();
    expect(sent).toHaveLength(1);
    await expect(page.locator('output[aria-live=polite]')).toHaveText(/^Budget set to \$3\.50 a month/);
    await expect(page.getByRole('button', { name: 'Change budget' })).toBeFocused();
  });

  await test.step('tell keys of one name apart and keep the focus in the list after revoking', async () => {
    const end = `…${first?.id.slice(-4)}`;
    await page.getByRole('button', { name: `Revoke Ana Silva, ID ${end}` }).press('Enter');
    await expect(page.getByRole('dialog')).toContainText(`Ana Silva · ID ${end}`);
    await page.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await expect(page.getByRole('list', { name: 'Active keys' })).toBeFocused();
  });

  await test.step('close the open generation with Escape while a toast is shown', async () => {
    await call(service, 'POST', '/v1/generations', {
      task: 'image.create',
      model: 'imgmodel-b-2-lite',
      input: { prompt: 'A kettle' },
    });
    // A toast stays while it is pointed at.
    const toast = page.getByRole('region', { name: 'Messages' }).getByText('Key revoked');
    await toast.hover();
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    const link = page.getByRole('link', { name: 'A kettle' });
    await expect(link).toBeVisible();
    // Its time goes on when the new page takes the focus.
    await toast.hover();
    await link.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Open generation' });
    await expect(panel).toBeVisible();
    await expect(toast).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(toast).toBeVisible();
  });

  await test.step('mark the selected tab in forced colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    const line = (tab: Locator) => tab.evaluate((element) => getComputedStyle(element).borderBottomColor);
    const tabs = page.getByRole('tab');
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
    expect(await line(tabs.first())).not.toBe(await line(tabs.nth(1)));
    expect(await line(tabs.nth(1))).toBe(await line(tabs.nth(2)));
  });
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
