import type { BrowserContext, Page } from '@playwright/test';
import { uploadFile } from './support/api-client.ts';
import { createTempDirectory, makeClip } from './support/clips.ts';
import { generateButton } from './support/create-page.ts';
import type { Service } from './support/service.ts';
import { expect, signInByKey, test } from './support/test.ts';

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt', exact: true });
const storedText = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(localStorage)));

async function openPage(browser: BrowserContext, { url }: Service, path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url + path);
  return page;
}

test('keeps all drafts when the browser is closed, apart in each tab, until sign-out', async ({
  playwright,
  launchOptions,
  service,
}) => {
  const folder = createTempDirectory();
  const clip = await uploadFile(service, makeClip(folder, 'walk.mp4', { seconds: 2 }));
  const launch = () => playwright.chromium.launchPersistentContext(`${folder}/profile`, launchOptions);
  let browser = await launch();
  const first = await browser.newPage();
  await signInByKey(first, service, '/create/image.create/imgmodel-b-2-lite');
  await prompt(first).fill('A heron at dawn');
  await first.getByRole('radio', { name: '2 variations' }).check();
  await first.goto(`${service.url}/create/video.edit?media=${clip.id}`);
  await expect(first.getByText('walk.mp4')).toBeVisible();
  await prompt(first).fill('Make it snow');
  await first.goto(`${service.url}/batches/new?task=image.create&model=imgmodel-a-2`);
  await first.getByRole('textbox', { name: 'Prompts, one per line' }).fill('A red kite\nA blue kite');
  await first.goto(`${service.url}/workflows/ideas-to-pictures`);
  await first.getByRole('textbox', { name: 'Topic' }).fill('night markets');
  await first.goto(`${service.url}/workflows/new`);
  await first.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Market film');

  await test.step('a second tab has drafts of its own', async () => {
    const second = await openPage(browser, service, '/create/image.create/imgmodel-b-2-lite');
    await expect(prompt(second)).toHaveValue('');
    await prompt(second).fill('A fox at dusk');
    await expect.poll(() => storedText(second)).toContain('A fox at dusk');
    await second.close();
    await first.goto(`${service.url}/create/image.create/imgmodel-b-2-lite`);
    await expect(prompt(first)).toHaveValue('A heron at dawn');
    await prompt(first).fill('A heron at noon');
    await expect.poll(() => storedText(first)).toContain('A heron at noon');
  });

  await test.step('a restarted browser has them all', async () => {
    await browser.close();
    browser = await launch();
    const page = await openPage(browser, service, '/create/image.create/imgmodel-b-2-lite');
    await expect(prompt(page)).toHaveValue('A heron at noon');
    await expect(page.getByRole('radio', { name: '2 variations' })).toBeChecked();
    await expect(generateButton(page)).toHaveText(/^Generate 2 · /);
    await page.goto(`${service.url}/create/video.edit`);
    await expect(page.getByText('walk.mp4')).toBeVisible();
    await expect(prompt(page)).toHaveValue('Make it snow');
    await page.goto(`${service.url}/batches/new`);
    await expect(page.getByRole('textbox', { name: 'Prompts, one per line' })).toHaveValue('A red kite\nA blue kite');
    await page.goto(`${service.url}/workflows/ideas-to-pictures`);
    await expect(page.getByRole('textbox', { name: 'Topic' })).toHaveValue('night markets');
    await page.goto(`${service.url}/workflows/new`);
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Market film');
    const other = await openPage(browser, service, '/create/image.create/imgmodel-b-2-lite');
    await expect(prompt(other)).toHaveValue('A fox at dusk');
    await page.goto(`${service.url}/account`);
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await expect(other.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
    await expect(prompt(other)).toHaveValue('');
    for (const text of ['heron', 'fox', 'kite', 'night markets', 'Market film'])
      expect(await storedText(other)).not.toContain(text);
    await browser.close();
  });
});
