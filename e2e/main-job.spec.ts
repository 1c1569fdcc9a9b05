import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { readDuration, makeClip, createTempDirectory } from './support/clips.ts';
import {
  availableFunds,
  parseDollars,
  uploadToField,
  navigateTo,
  generate,
  chooseMore,
  generateButton,
  nextStep,
  resultRegion,
} from './support/create-page.ts';
import { expect, openSignedIn, signInByKey, requestSignInLink, test } from './support/test.ts';

const PROMPT = 'A lighthouse on a basalt cliff at dusk';
const folder = createTempDirectory();

const loaded = (picture: Locator) =>
  expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBeTruthy();

async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await resultRegion(page).getByRole('link', { name: 'Download' }).click();
  const file = path.join(folder, name);
  await (await download).saveAs(file);
  return file;
}

test('leads from a sign-in link to an image charged to the cent', async ({ page, service }) => {
  await test.step('sign in by link', async () => {
    await page.goto(await requestSignInLink(service));
    await expect(page.getByText('Your sign-in link is ready.')).toBeVisible();
    await expect(page).toHaveURL(`${service.url}/sign-in`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(/\/create/);
  });
  await expect.poll(() => availableFunds(page)).toBe(100);

  await test.step('update the price with the model', async () => {
    await expect(generateButton(page)).toHaveText('Generate · $0.03');
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page
      .getByRole('dialog', { name: 'Models' })
      .getByRole('link', { name: /^ImgModel B 2 Lite/ })
      .click();
    await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-b-2-lite/);
    await expect(generateButton(page)).toHaveText('Generate · $0.02');
  });

  await test.step('generate and show the image', async () => {
    await page.getByRole('textbox', { name: 'Prompt' }).fill(PROMPT);
    await page.getByRole('radio', { name: '3:2' }).check();
    await generate(page);
    await expect(resultRegion(page).getByText('$0.02')).toBeVisible();
    await expect(resultRegion(page).getByText(PROMPT)).toBeVisible();
    await loaded(resultRegion(page).getByRole('img', { name: 'Result' }));
    await expect.poll(() => availableFunds(page)).toBe(99.98);
  });

  await test.step('list it in Generations with thumbnail, status and cost', async () => {
    await navigateTo(page, 'Generations');
    const row = page.getByRole('listitem').filter({ hasText: PROMPT });
    await expect(row).toContainText('Succeeded');
    await expect(row).toContainText('$0.02');
    await loaded(row.locator('img'));
    await row.getByRole('link', { name: PROMPT }).click();
  });

  await test.step('show its settings and a cost that adds up', async () => {
    const detail = page.getByRole('complementary', { name: 'Open generation' });
    await expect(page).toHaveURL(/\/generations\/gen_/);
    await expect(detail.getByRole('region', { name: 'Prompt' })).toContainText(PROMPT);
    await expect(detail.getByText('3:2', { exact: true })).toBeVisible();
    const cost = detail.getByRole('region', { name: 'Cost' });
    await expect(cost).toContainText('Charged');
    const amounts = parseDollars(await cost.getByRole('cell', { name: /^\$/ }).allInnerTexts());
    const total = amounts.pop();
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(total ?? Number.NaN, 6);
    expect(total).toBe(0.02);
  });

  await test.step('match the ledger', async () => {
    await navigateTo(page, 'Billing');
    await page.getByRole('tab', { name: 'Ledger', exact: true }).click();
    const charges = page.getByRole('table', { name: 'Charges' }).locator('[data-row-id]');
    await expect(charges).toHaveCount(2);
    await expect(charges.nth(0)).toContainText(/Charged.*−\$0\.02.*#2, #3, #4/);
    await page.getByRole('radio', { name: 'All entries' }).check();
    const entries = page.getByRole('table', { name: 'Entries' }).locator('[data-row-id]');
    await expect(entries).toHaveCount(4);
    await expect(entries.nth(0)).toContainText('$0.02');
    await expect(entries.nth(0)).toContainText('$99.98');
    await expect(entries.nth(3)).toContainText('$100.00');
  });
});

test('keeps the draft and the tab session after a reload', async ({ page, service }) => {
  await signInByKey(page, service);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Half a thought about a heron');
  await page.getByRole('radio', { name: '16:9' }).check();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Half a thought about a heron');
  await expect(page.getByRole('radio', { name: '16:9' })).toBeChecked();
  await expect(generateButton(page)).toHaveText('Generate · $0.03');
});

test('prices a video by its length, names the minimum charge and plays it', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2-mini');
  const length = page.getByRole('spinbutton', { name: 'Length' });
  await expect(generateButton(page)).toHaveText('Generate · $0.24');
  await length.fill('12');
  await expect(generateButton(page)).toHaveText('Generate · $0.36');
  await length.fill('4');
  await expect(generateButton(page)).toHaveText('Generate · $0.18');
  await chooseMore(page, 'Price in detail');
  await expect(page.getByText('Minimum charge: 4, 5 and 6 s cost the same.')).toBeVisible();
  const bill = page.getByRole('form').getByRole('table');
  const prices = async () => parseDollars(await bill.getByRole('cell').allInnerTexts());
  await expect.poll(prices).toEqual([0.12, 0.06, 0.18]);
  await chooseMore(page, 'Hide the price in detail');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Fog over a quiet sea, slow pan');
  await page.getByRole('radio', { name: '480p' }).check();
  await generate(page);
  const clip = resultRegion(page).locator('video');
  await clip.evaluate((video: HTMLVideoElement) => {
    video.muted = true;
    return video.play();
  });
  await expect.poll(() => clip.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2);
  expect(await clip.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(4, 1);

  await test.step('drop the model from the URL with a next step', async () => {
    await nextStep(page, 'Trim').click();
    await expect(page).toHaveURL(/\/create\/video\.trim$/);
    await expect(page.getByRole('list', { name: 'Video' })).toContainText('Fog over a quiet sea');
  });
});

test('trims an uploaded video to the exact length and extracts a frame from it', async ({ page, service }) => {
  const clip = makeClip(folder, 'walk.mp4', { seconds: 4 });
  await openSignedIn(page, service, '/create/video.trim');
  await uploadToField(page, 'Video', clip);
  await expect(page.getByText('walk.mp4')).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('4');
  const start = page.getByRole('slider', { name: 'Start' });
  await start.fill('0.99');
  await start.press('ArrowRight');
  await expect(page.getByRole('spinbutton', { name: 'Start' })).toHaveValue('1');
  await page.getByRole('spinbutton', { name: 'End' }).fill('2.52');
  await page.getByRole('button', { name: 'Play selection' }).click();
  const player = page.getByLabel('Selected video');
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(2.5);
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.paused)).toBe(true);
  expect(await player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeCloseTo(2.52, 2);
  await expect(generateButton(page)).toHaveText('Trim · Free');
  await generate(page);
  const trimmed = await saved(page, 'trimmed.mp4');
  expect(readDuration(trimmed, 'v')).toBeCloseTo(1.52, 3);
  expect(readDuration(trimmed, 'a')).toBeCloseTo(1.52, 1);

  await test.step('begin anew with another file', async () => {
    await page.getByRole('button', { name: 'Remove walk.mp4' }).click();
    await uploadToField(page, 'Video', makeClip(folder, 'run.mp4', { seconds: 2 }));
    await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('2');
    await expect(page.getByRole('spinbutton', { name: 'Start' })).toHaveValue('0');
  });

  await test.step('pass the result to another tool', async () => {
    await nextStep(page, 'Save frame').click();
    await expect(page).toHaveURL(/\/create\/video\.extract_frame$/);
    await page.getByRole('spinbutton', { name: 'Time' }).fill('0.5');
    await generate(page);
    const picture = resultRegion(page).getByRole('img', { name: 'Result' });
    await loaded(picture);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  });
});

test('restores the form with “Reuse settings” and the previous draft with Undo', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A kettle on a stove');
  await page.getByRole('radio', { name: 'jpeg', exact: false }).check();
  await generate(page);
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveAttribute('dir', 'auto');
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page
    .getByRole('dialog', { name: 'Models' })
    .getByRole('link', { name: /^ImgModel B Pro/ })
    .click();
  await expect(page).toHaveURL(/imgmodel-b-pro$/);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Something else by now');
  await resultRegion(page).getByRole('link', { name: 'Reuse settings' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A kettle on a stove');
  await expect(page.getByRole('radio', { name: 'jpeg', exact: false })).toBeChecked();
  await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-b-2$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(/\/create\/image\.create\/imgmodel-b-pro$/);
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Something else by now');
});
