import type { Page } from '@playwright/test';
import { call } from './support/api-client.ts';
import { type LibrarySeed, seedLibrary } from './support/library-views.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';
import { ensureStarter, fetchRun } from './support/workflow-fixture.ts';

let seed: LibrarySeed;
test.beforeAll(async ({ services }, info) => {
  const service = await services.of(info.file, {});
  seed = await seedLibrary(service);
  const [fig, pear, plum] = seed.pictures.map(({ id }) => id);
  for (const [media_id, label] of [
    [fig, 'autumn'],
    [pear, 'aubergine'],
    [plum, 'winter'],
  ])
    await call(service, 'POST', '/v1/media/labels', { media_ids: [media_id], add: [label], remove: [] });
});

const tiles = (page: Page) => page.locator('[data-tile]');
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });

test('opens a menu and walks it with arrows, Home, End and letters', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  const account = page.getByRole('button', { name: /Organization key$/ });
  const item = (name: string) => page.getByRole('menuitem', { name });
  await account.focus();
  await page.keyboard.press('Enter');
  await expect(item('Your account')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account).toBeFocused();
  await expect(account).toHaveAttribute('aria-expanded', 'false');
  for (const [key, name] of [
    ['ArrowUp', 'Sign out'],
    ['ArrowDown', 'Your account'],
    ['ArrowUp', 'Sign out'],
    ['Home', 'Your account'],
    ['ArrowDown', 'Your device'],
    ['End', 'Sign out'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(item(name)).toBeFocused();
  }
  await page.keyboard.type('he');
  await expect(item('Help')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(account).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item('Your account')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/device$/);
});

test('chooses tabs with arrows, Home and End', async ({ page, service }) => {
  await openSignedIn(page, service, '/billing');
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
  await tabs.first().focus();
  for (const [key, tab] of [
    ['ArrowRight', tabs.nth(1)],
    ['End', tabs.last()],
    ['ArrowRight', tabs.first()],
    ['ArrowLeft', tabs.last()],
    ['Home', tabs.first()],
  ] as const) {
    await page.keyboard.press(key);
    await expect(tab).toBeFocused();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tabpanel')).toHaveAccessibleName((await tab.textContent()) ?? '');
  }
});

test('suggests tags in a panel and closes one layer for each Escape', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  const filters = page.getByRole('button', { name: /^Filters/ });
  const panel = page.getByRole('dialog', { name: 'Filters' });
  const label = panel.getByRole('combobox', { name: 'Tag of the file' });
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  const active = () => label.getAttribute('aria-activedescendant');
  await filters.press('Enter');
  await label.click();
  await page.keyboard.type('Au');
  await expect(options).toHaveText(['aubergine', 'autumn']);
  expect(await active()).toBeNull();
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).toBe(await options.first().getAttribute('id'));
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect.poll(active).toBe(await options.last().getAttribute('id'));
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(label).toHaveValue('Au');
  await expect(label).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/label=aubergine/);
  await expect(tiles(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(filters).toBeFocused();
});

test('keeps the focus in a dialog, and closes a dialog over the viewer alone', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  const tile = tiles(page).and(page.getByLabel('Image: fig.png'));
  await tile.focus();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'fig.png' });
  await expect(viewer).toBeVisible();
  await page.keyboard.press('a');
  const picker = page.getByRole('dialog', { name: 'Add to collection' });
  const name = picker.getByRole('combobox', { name: 'Find or create a collection' });
  await expect(name).toBeFocused();
  await page.keyboard.type('Escaped');
  await expect(picker.getByRole('option', { name: 'Create “Escaped”' })).toHaveAttribute('data-highlighted');
  for (const control of [picker.getByRole('button', { name: 'Close' }), name]) {
    await page.keyboard.press('Tab');
    await expect(control).toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(picker).toBeHidden();
  await expect(viewer).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(viewer).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(tile).toBeFocused();
});

test('shows a tooltip on focus and keeps it while the pointer crosses to it', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  const bell = page.getByRole('button', { name: 'Alerts' }).filter({ visible: true });
  const tooltip = page.getByRole('tooltip');
  await expect(tiles(page).first()).toBeVisible();
  // Tooltips come with what is loaded after the page.
  await expect(page.locator('output[aria-live=polite]')).toBeAttached();
  await page.keyboard.press('Tab');
  await bell.focus();
  await expect(tooltip).toHaveText('Alerts');
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  // Its delays pass when the test says so.
  await page.clock.install();
  await bell.hover();
  await expect(tooltip).toBeVisible();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const box = await tooltip.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2, { steps: 8 });
  await page.clock.fastForward(300);
  await expect(tooltip).toBeVisible();
  await page.mouse.move(400, 400);
  await page.clock.resume();
  await expect(tooltip).toBeHidden();
});

test('keeps an error while other messages come and go, and dismisses it by Escape', async ({ page, service }) => {
  await openSignedIn(page, service, '/library');
  await page.route(/\/favourite$/, (route) => route.abort());
  await tiles(page).first().focus();
  await page.keyboard.press('f');
  const problem = messages(page).getByText('Not starred');
  await expect(problem).toBeVisible();
  await expect(page.locator('output[aria-live=assertive]')).toContainText('Not starred');
  const passing = messages(page).getByText('1 file moved to the trash');
  for (const left of [9, 8, 7, 6, 5]) {
    await tiles(page).first().focus();
    await page.keyboard.press('Delete');
    await expect(tiles(page)).toHaveCount(left);
  }
  await expect(passing).toHaveCount(4);
  await expect(problem).toBeVisible();
  await messages(page).getByRole('button', { name: 'Undo' }).last().press('Enter');
  await expect(tiles(page)).toHaveCount(6);
  await expect(problem).toBeVisible();
  await messages(page).getByRole('group', { name: 'Not starred' }).getByRole('button', { name: 'Dismiss' }).focus();
  await page.keyboard.press('Escape');
  await expect(problem).toBeHidden();
});

test('fills sizes, groups, rows and lists of a workflow', async ({ page, service }) => {
  const lora = { path: { type: 'string' }, scale: { type: 'number', default: 1, maximum: 2 } };
  await ensureStarter(service, {
    slug: 'compound',
    name: 'Compound inputs',
    description: '',
    input_schema: {
      type: 'object',
      properties: {
        avoid: { type: ['string', 'null'], title: 'Avoid' },
        size: { 'x-size': { minimum: 64, maximum: 2048 }, enum: ['square'], default: 'square', title: 'Size' },
        light: {
          type: ['object', 'null'],
          title: 'Light',
          'x-group': 'main',
          properties: { strength: { type: 'integer', default: 5 } },
        },
        loras: {
          type: 'array',
          title: 'LoRAs',
          maxItems: 2,
          items: { type: 'object', properties: lora, required: ['path'] },
        },
        words: { type: 'array', title: 'Words', items: { type: 'string', title: 'Word' } },
        moods: { type: 'array', title: 'Moods', maxItems: 2, items: { enum: ['calm', 'bright', 'dark'] } },
      },
    },
    steps: [
      {
        key: 'image',
        name: 'Image',
        task: 'image.create',
        model: 'imgmodel-b-2-lite',
        input: { prompt: '{{ "A kite" & input.loras[0].path & $join(input.words) }}' },
      },
    ],
  });
  await openSignedIn(page, service, '/workflows/compound');
  await page.getByRole('combobox', { name: 'Size' }).selectOption('Width and height');
  await page.getByRole('spinbutton', { name: 'Size: Width' }).fill('32');
  await page.getByRole('button', { name: 'Add Light' }).click();
  await page.getByRole('spinbutton', { name: 'Strength' }).fill('7');
  const loras = page.getByRole('group', { name: 'LoRAs', exact: false }).first();
  await loras.getByRole('button', { name: 'Add to LoRAs' }).click();
  await loras.getByRole('button', { name: 'Add to LoRAs' }).click();
  await expect(loras.getByRole('button', { name: 'Add to LoRAs' })).toHaveCount(0);
  await loras.getByRole('textbox', { name: 'Path' }).nth(1).fill('kite-lora');
  const words = page.getByRole('group', { name: /^Words/ });
  for (const [at, word] of ['red', 'blue'].entries()) {
    await words.getByRole('button', { name: 'Add to Words' }).click();
    await words.getByRole('textbox', { name: `Word ${at + 1}` }).fill(word);
  }
  await page.getByRole('checkbox', { name: 'bright' }).check();
  await page.getByRole('checkbox', { name: 'calm' }).check();
  await expect(page.getByRole('checkbox', { name: 'dark' })).toBeDisabled();

  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page.getByText('Width must be at least 64.', { exact: true })).toBeVisible();
  await expect(loras.getByText('Path is required.')).toHaveCount(1);
  expect(await findA11yViolations(page)).toEqual([]);
  await page.getByRole('spinbutton', { name: 'Size: Width' }).fill('640');
  await page.getByRole('button', { name: 'Remove LoRAs 1' }).click();
  await page.getByRole('button', { name: 'Remove Words 1' }).click();
  await page.reload();
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page).toHaveURL(/\/workflows\/runs\/run_/);
  const run = await fetchRun(service, page.url().split('/').at(-1) ?? '');
  expect(run.input).toEqual({
    avoid: null,
    size: { width: 640, height: 1024 },
    light: { strength: 7 },
    loras: [{ path: 'kite-lora', scale: 1 }],
    words: ['blue'],
    moods: ['calm', 'bright'],
  });
});

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('fills kinds of inputs that schemas of other providers have', async ({ page, service }) => {
  const element = {
    image: { type: 'object', 'x-media': 'image', title: 'Picture' },
    words: { type: 'array', title: 'Words', items: { type: 'string', title: 'Word' } },
  };
  await ensureStarter(service, {
    slug: 'kinds',
    name: 'Kinds of inputs',
    description: '',
    input_schema: {
      type: 'object',
      properties: {
        avoid: { type: 'string', title: 'Avoid', default: 'blur' },
        ratio: { enum: ['1:1', '16:9'], 'x-own': 20, default: '16:9', title: 'Ratio' },
        loop: { type: ['boolean', 'null'], title: 'Loop' },
        shift: { type: 'number', title: 'Shift', exclusiveMaximum: 1, multipleOf: 0.25, default: 0.5 },
        elements: { type: 'array', title: 'Elements', items: { type: 'object', properties: element } },
        plan: { type: ['object', 'null'], title: 'Advanced', 'x-json': ['plan'], 'x-group': 'main' },
      },
    },
    steps: [
      {
        key: 'image',
        name: 'Image',
        task: 'image.create',
        model: 'imgmodel-b-2-lite',
        input: { prompt: '{{ "A kite" & input.ratio }}' },
      },
    ],
  });
  await openSignedIn(page, service, '/workflows/kinds');
  await expect(page.getByRole('textbox', { name: 'Avoid' })).toHaveValue('blur');
  await page.getByRole('combobox', { name: 'Ratio' }).fill('7:5');
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Off' }).check();
  const elements = page.getByRole('group', { name: 'Elements', exact: false }).first();
  await elements.getByRole('button', { name: 'Add to Elements' }).click();
  await elements.getByRole('button', { name: 'Add to Words' }).click();
  await elements.getByRole('textbox', { name: 'Word 1' }).fill('red');
  await elements.getByRole('button', { name: /URL/ }).click();
  await elements.getByRole('textbox', { name: 'URL of the image' }).fill(seed.pictures[0]?.url ?? '');
  await page.keyboard.press('Enter');
  await expect(elements.getByRole('list', { name: 'Picture' }).getByRole('listitem')).toHaveCount(1);
  await elements.getByRole('button', { name: 'Add to Elements' }).click();
  await elements.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: DOT });
  await expect(elements.getByRole('list', { name: 'Picture' })).toHaveCount(2);
  const plan = page.getByRole('textbox', { name: 'Advanced' });
  await plan.fill('{ "plan": ');
  await plan.blur();
  await expect(page.getByText('Enter valid JSON: an object.')).toBeVisible();
  await expect(plan).toHaveValue('{ "plan": ');
  expect(await findA11yViolations(page)).toEqual([]);
  await plan.fill('{ "plan": [1] }');
  // An upload guards the page until it is complete.
  const mayLeave = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await expect.poll(mayLeave).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: /^Run/ }).click();
  await expect(page).toHaveURL(/\/workflows\/runs\/run_/);
  const run = await fetchRun(service, page.url().split('/').at(-1) ?? '');
  expect(run.input).toEqual({
    avoid: 'blur',
    ratio: '7:5',
    loop: false,
    shift: 0.5,
    elements: [
      { image: { url: seed.pictures[0]?.url }, words: ['red'] },
      { image: { url: expect.stringContaining('/media/upl_') as unknown } },
    ],
    plan: { plan: [1] },
  });
});
