import type { Page } from '@playwright/test';
import type { Preset } from '#contract/resources/preset.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { respondWith, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { call, postGeneration, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { makePicture } from './support/files.ts';
import { addPerson } from './support/people.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test.use({ environment: { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' } });

const FORM = '/create/image.create/imgmodel-a-2';
const promptOf = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const openPresets = async (page: Page) => {
  await page.getByRole('button', { name: 'Presets', exact: true }).click();
  return page.getByRole('dialog', { name: 'Presets' });
};

test('saves, applies, undoes, shares and deletes a preset', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  const prompt = promptOf(page);
  await prompt.fill('A teapot on linen');
  await page.getByRole('radio', { name: '3:2' }).click();

  await test.step('save', async () => {
    await (await openPresets(page)).getByRole('button', { name: 'Save this form' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this form' });
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('A teapot on linen');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('');
    await dialog.getByRole('button', { name: 'Save preset' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Tea');
    await dialog.getByRole('button', { name: 'Save preset' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('apply from another form, and undo', async () => {
    await page.goto('/create/video.create/vidmodel-c-2');
    await promptOf(page).fill('Waves at dusk');
    const list = await openPresets(page);
    await expect(list.getByText('No presets yet.')).toBeVisible();
    await list.getByRole('radio', { name: 'All tasks' }).click();
    await list.getByRole('link', { name: 'Apply Tea' }).click();
    await expect(page.getByText('Preset “Tea” applied')).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${FORM}$`));
    await expect(promptOf(page)).toHaveValue('A teapot on linen');
    await expect(page.getByRole('radio', { name: '3:2' })).toBeChecked();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(promptOf(page)).toHaveValue('Waves at dusk');
  });

  await test.step('share with others, who may only apply it', async () => {
    const list = await openPresets(page);
    await list.getByRole('radio', { name: 'All tasks' }).click();
    await list.getByRole('button', { name: 'More for Tea' }).click();
    await page.getByRole('menuitem', { name: 'Share with everyone' }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(messages.getByText('“Tea” is shared with everyone here')).toBeVisible();
    const other = await page.context().browser()?.newContext();
    if (!other) throw new Error('The browser is gone.');
    const theirs = await other.newPage();
    await openSignedIn(theirs, await addPerson(service, 'member', 'Noa'), FORM);
    const theirList = await openPresets(theirs);
    await expect(theirList.getByRole('link', { name: 'Apply Tea' })).toBeVisible();
    await expect(theirList.getByRole('button', { name: 'More for Tea' })).toBeHidden();
    await other.close();
  });

  await test.step('delete', async () => {
    await page.goto(FORM);
    await (await openPresets(page)).getByRole('button', { name: 'More for Tea' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const list = await openPresets(page);
    await expect(list.getByRole('list', { name: 'Presets' })).toBeVisible();
    await expect(list.getByRole('link', { name: 'Apply Tea' })).toBeHidden();
  });
});

test('says which media of a preset are gone', async ({ page, service }) => {
  const upload = await uploadFile(service, makePicture(createTempDirectory(), 'cup.png'));
  const input = { prompt: 'A cup', reference_images: [{ url: upload.url }] };
  const body = { name: 'With a cup', task: 'image.create', model: 'imgmodel-a-2', input };
  const { id } = await call<Preset>(service, 'POST', '/v1/presets', body);
  await call(service, 'DELETE', `/v1/uploads/${upload.id}`);
  await openSignedIn(page, service, `${FORM}?preset=${id}`);
  await expect(page.getByText('Reference images (files no longer available)')).toBeVisible();
  await expect(promptOf(page)).toHaveValue('A cup');
});

test('recalls recent prompts with the arrow keys and from the list', async ({ page, service }) => {
  for (const prompt of ['A hen in the rain', 'A fox in the snow'])
    await postGeneration(service, { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt } });
  await openSignedIn(page, service, FORM);
  const prompt = promptOf(page);
  await prompt.focus();
  await expect(page.getByRole('button', { name: 'Styles' })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  await expect(prompt).toHaveValue('A fox in the snow');
  await page.keyboard.press('ArrowUp');
  await expect(prompt).toHaveValue('A hen in the rain');
  await page.keyboard.press('ArrowDown');
  await expect(prompt).toHaveValue('A fox in the snow');
  await page.keyboard.press('ArrowDown');
  await expect(prompt).toHaveValue('');

  await prompt.fill('My own words');
  await page.keyboard.press('ArrowUp');
  await expect(prompt).toHaveValue('My own words');
  await (await openPresets(page)).getByRole('button', { name: 'A hen in the rain' }).click();
  await expect(prompt).toHaveValue('A hen in the rain');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(prompt).toHaveValue('My own words');
});

test('says that presets and prompts could not be loaded, and tries again', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  await page.route(/\/v1\/(presets|recent-prompts)/, (route) => route.abort());
  const list = await openPresets(page);
  // Both try again three times before.
  await expect(list.getByText('Presets could not be loaded.')).toBeVisible();
  await expect(list.getByText('Recent prompts could not be loaded.')).toBeVisible();
  await page.unroute(/\/v1\/(presets|recent-prompts)/);
  await list.getByRole('button', { name: 'Try again' }).first().click();
  await expect(list.getByRole('list', { name: 'Presets' })).toBeVisible();
});

test('adds and removes the words of styles by keyboard', async ({ page, service }) => {
  await openSignedIn(page, service, FORM);
  const prompt = promptOf(page);
  await prompt.fill('A fox');
  await page.getByRole('button', { name: 'Styles' }).press('Enter');
  const watercolor = page.getByRole('button', { name: 'Watercolor' });
  await watercolor.press('Space');
  await expect(prompt).toHaveValue('A fox, watercolor painting');
  await expect(watercolor).toHaveAttribute('aria-pressed', 'true');
  await expect(watercolor).toBeFocused();
  await page.getByRole('button', { name: 'Pixel art' }).press('Space');
  await watercolor.press('Space');
  await expect(prompt).toHaveValue('A fox, pixel art');
});

test('names references with @, and keeps the names true when references move or go', async ({ page, service }) => {
  const folder = createTempDirectory();
  const urls: string[] = [];
  for (const name of ['fox.png', 'hat.png']) urls.push((await uploadFile(service, makePicture(folder, name))).url);
  const input = { reference_images: urls.map((url) => ({ url })) };
  const body = { name: 'Two', task: 'video.create', model: 'vidmodel-c-2', input };
  const { id } = await call<Preset>(service, 'POST', '/v1/presets', body);
  await openSignedIn(page, service, `/create/video.create/vidmodel-c-2?preset=${id}`);
  const prompt = promptOf(page);
  await expect(page.getByRole('button', { name: 'Add @Image2 to the prompt' })).toBeVisible();
  await prompt.focus();
  await page.keyboard.type('The hat of @im');
  const list = page.getByRole('listbox', { name: 'References' });
  await expect(list.getByRole('option')).toHaveText([/@Image1.*fox\.png/, /@Image2.*hat\.png/]);
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toContainText('@Image2');
  await page.keyboard.press('Enter');
  await expect(prompt).toHaveValue('The hat of @Image2 ');
  await page.keyboard.type('on @');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await page.keyboard.type('1');
  await page.keyboard.press('Tab');
  await expect(prompt).toHaveValue('The hat of @Image2 on @Image1 ');
  const button = page.getByRole('button', { name: 'Reference', exact: true });
  await button.click();
  await expect(list).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(prompt).toHaveValue('The hat of @Image2 on @Image1 ');
  await button.click();
  await page.keyboard.press('Enter');
  await expect(prompt).toHaveValue('The hat of @Image2 on @Image1 @Image1 ');
  await prompt.fill('The hat of @Image2 on @Image1 ');

  await page.getByRole('button', { name: 'Remove fox.png' }).click();
  await expect(prompt).toHaveValue('The hat of @Image1 on @Image? ');
  await expect(page.getByText('@Image? names no reference of this form.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove from the prompt' }).click();
  await expect(prompt).toHaveValue('The hat of @Image1 on ');
});

test('reaches the prompt with one key from any page', async ({ page, service }) => {
  await openSignedIn(page, service, '/models');
  await expect(page.getByRole('heading', { level: 1, name: 'Models & prices' })).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('p');
    await expect(promptOf(page)).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await page.keyboard.type('p');
  await expect(promptOf(page)).toHaveValue('p');
});

test('finds tools, media and actions in the palette, and writes a prompt from it', async ({ page, service }) => {
  await uploadFile(service, makePicture(createTempDirectory(), 'coffee beans.png'));
  await openSignedIn(page, service, '/models');
  await expect(page.getByRole('heading', { level: 1, name: 'Models & prices' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Jump to' });
  const search = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(text);
  };
  await search('lip sync');
  await expect(palette.getByRole('option').first()).toContainText(/lip/i);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/create\/video\.lipsync$/);

  await search('coffee');
  const option = palette.getByRole('option', { name: 'coffee beans.png' });
  await expect(option.locator('img')).toBeVisible();
  await palette.getByRole('option', { name: 'Generate “coffee” as an image' }).click();
  await expect(page).toHaveURL(/\/create\/image\.create$/);
  await expect(promptOf(page)).toHaveValue('coffee');

  await search('coffee beans');
  await option.click();
  await expect(page).toHaveURL(/\/library\?item=upl_/);
  const viewer = page.getByRole('dialog', { name: 'coffee beans.png' });
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect(viewer).toBeHidden();

  await search('sign out');
  await page.keyboard.press('Enter');
  await expect(
    page
      .getByRole('link', { name: 'Sign in' })
      .or(page.getByRole('heading', { name: 'Sign in' }))
      .first(),
  ).toBeVisible();
});

test('improves a prompt, and gives back exactly what was typed', async ({ page, service }) => {
  const key = 'sk-improve-test-0123456789';
  const server = await startFakeUpstream(key, createFakeOpenAiHandler);
  const prompt = promptOf(page);
  const improve = page.getByRole('button', { name: 'Improve', exact: true });
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  const typed = '  A teapot on linen ';
  const improved = /^A teapot on linen, in the golden light/;

  await openSignedIn(page, service, FORM);
  await expect(page.getByRole('button', { name: 'Styles' })).toBeVisible();
  await expect(improve).toBeHidden();
  const { id } = await call<Provider>(service, 'POST', '/v1/providers', {
    provider: 'openai-compatible',
    address: server.base_url,
    key,
    models: [{ task: 'image.edit', model: 'imgmodel-a-2', provider_model: 'local-painter' }],
    text_model: { model: 'qwen3:8b', input_usd_per_million: '1', output_usd_per_million: '2', daily_limit_usd: '1' },
  });

  await test.step('by keyboard, and undo', async () => {
    await page.reload();
    await expect(improve).toHaveAttribute('aria-disabled', 'true');
    await prompt.fill(typed);
    await improve.press('Enter');
    await expect(prompt).toHaveValue(improved);
    await prompt.press('ControlOrMeta+z');
    await expect(prompt).toHaveValue(typed);
    await expect(undo).toBeHidden();
    await improve.click();
    await undo.press('Enter');
    await expect(prompt).toHaveValue(typed);
    await expect(prompt).toBeFocused();
  });

  await test.step('words that are typed meanwhile stay', async () => {
    const arrived = new Promise<() => void>((resolve) => {
      server.injectFault((_request, _response, serve) => resolve(serve));
    });
    await improve.click();
    await expect(page.getByRole('button', { name: 'Cancel improving' })).toBeFocused();
    const answer = await arrived;
    await prompt.fill('A cup');
    answer();
    await expect(page.getByText('You changed the prompt meanwhile.')).toBeVisible();
    await expect(prompt).toHaveValue('A cup');
    await page.getByRole('button', { name: 'Use it' }).click();
    await expect(prompt).toHaveValue(improved);
    await undo.click();
    await expect(prompt).toHaveValue('A cup');
  });

  await test.step('Escape cancels, and a failure leaves the prompt', async () => {
    server.injectFault(() => undefined);
    await improve.click();
    await expect(page.getByRole('button', { name: 'Cancel improving' })).toBeVisible();
    await prompt.press('Escape');
    await expect(improve).toBeVisible();
    server.injectFault(respondWith(429, '{}'));
    await improve.click();
    await expect(page.getByRole('alert')).toContainText('Not improved. The text model is busy.');
    await expect(prompt).toHaveValue('A cup');
    await improve.click();
    await expect(page.getByRole('alert').filter({ hasText: 'Not improved' })).toBeHidden();
    await expect(prompt).toHaveValue(/^A cup, in the golden light/);
  });

  await test.step('an administrator sees its cost, and switches it off', async () => {
    await page.goto('/providers');
    await expect(page.getByText('Improves prompts with qwen3:8b')).toBeVisible();
    await page.goto(`/providers/${id}/models`);
    const choice = page.getByRole('checkbox', {
      name: 'Improve prompts with a text model of OpenAI-compatible server',
    });
    const limit = page.getByRole('textbox', { name: 'Limit per day' });
    await limit.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(limit).toHaveAttribute('aria-invalid', 'true');
    await choice.uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(messages.getByText('Models and prices are saved')).toBeVisible();
    await expect(page.getByText('Improves prompts with')).toBeHidden();
    await page.goto(FORM);
    await expect(page.getByRole('button', { name: 'Styles' })).toBeVisible();
    await expect(improve).toBeHidden();
  });
  await call(service, 'DELETE', `/v1/providers/${id}`);
  await server.close();
});
