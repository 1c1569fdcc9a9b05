import type { Page } from '@playwright/test';
import { createTempDirectory, makeClip } from './support/clips.ts';
import { fieldSources, generateButton, nextStep, resultRegion, uploadToField } from './support/create-page.ts';
import { addPerson } from './support/people.ts';
import { expect, openSignedIn, requestSignInLink, test } from './support/test.ts';

const folder = createTempDirectory();
const PROMPT = 'A lighthouse on a basalt cliff at dusk';
const promptBox = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });

/** Counts presses of the pointer: a click and a drag are one each. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let clicks = Number(sessionStorage.getItem('clicks') ?? 0);
    addEventListener('pointerdown', () => sessionStorage.setItem('clicks', String(++clicks)), true);
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks') ?? 0));
}

/** Starts the form by keyboard and waits for its result. */
async function generateByKeyboard(page: Page): Promise<void> {
  const details = resultRegion(page).getByRole('link', { name: 'Details' });
  const address = async () => ((await details.isVisible()) ? details.getAttribute('href') : null);
  const before = await address();
  // Uploads are complete.
  await expect(generateButton(page)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(async () => [before, null].includes(await address())).toBe(false);
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
}

test('leads from a sign-in link to a picture in one click and typing', async ({ page, service }) => {
  const clicks = await countClicks(page);
  await page.goto(await requestSignInLink(service));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(promptBox(page)).toBeFocused();
  await page.keyboard.type(PROMPT);
  await generateByKeyboard(page);
  expect(await clicks()).toBeLessThanOrEqual(2);
});

test('a member edits, animates, trims, adds music, syncs lips and saves a frame in 9 clicks', async ({
  page,
  service,
}) => {
  const clicks = await countClicks(page);
  const music = makeClip(folder, 'music.mp4', { seconds: 2 });
  // A short clip, because only its way is of interest.
  await openSignedIn(page, await addPerson(service, 'member', 'Mia'), '/create/video.create/vidmodel-c-2');
  await page.getByRole('radio', { name: '480p' }).check();
  await page.getByRole('spinbutton', { name: 'Length' }).fill('4');
  await page.goto('/create/video.extract_audio');
  await uploadToField(page, 'Video', music);
  await generateByKeyboard(page);
  await page.goto('/create/image.create/imgmodel-b-2-lite');
  await promptBox(page).fill(PROMPT);
  await generateByKeyboard(page);
  const before = await clicks();

  await nextStep(page, 'Edit').click();
  await promptBox(page).fill('At night, with a storm');
  await generateByKeyboard(page);
  await nextStep(page, 'Animate').click();
  await expect(promptBox(page)).toHaveValue('The camera slowly pushes in.');
  await expect(page.getByText(/^Added to /)).toBeVisible();
  await expect(page.getByText('Nothing to reuse')).toHaveCount(0);
  await page.getByRole('list', { name: 'Movement' }).getByRole('button', { name: 'Orbit' }).click();
  await generateByKeyboard(page);
  await nextStep(page, 'Trim').click();
  await page.getByRole('spinbutton', { name: 'End' }).fill('2');
  await generateByKeyboard(page);
  await nextStep(page, 'Add sound').click();
  await chooseAudio(page);
  await generateByKeyboard(page);
  await nextStep(page, 'Lip sync').click();
  await expect(page.getByRole('list', { name: 'Audio' }).getByRole('listitem')).toHaveCount(1);
  await generateByKeyboard(page);
  await nextStep(page, 'Save frame').click();
  await expect(resultRegion(page).getByRole('img', { name: 'Result' })).toBeVisible();
  const taken = (await clicks()) - before;
  expect(taken).toBeLessThanOrEqual(9);
});

async function chooseAudio(page: Page): Promise<void> {
  await fieldSources(page, 'Audio').getByRole('button', { name: 'Library' }).click();
  const library = page.getByRole('dialog');
  await library.getByRole('listitem').first().getByRole('button').first().click();
  await expect(library).toBeHidden();
}

test('shows first steps until they are skipped, and leaves the focus alone on the way back', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/create');
  const card = page.getByRole('region', { name: 'First steps' });
  await expect(card.getByRole('link', { name: 'Connect a provider' })).toBeVisible();
  await card.getByRole('button', { name: 'Skip' }).click();
  await expect(card).toBeHidden();
  await page.reload();
  await expect(
    page.getByRole('heading', { name: 'No result yet' }).or(page.locator('[data-feed]').first()),
  ).toBeVisible();
  await expect(card).toBeHidden();

  await expect(promptBox(page)).toBeFocused();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible();
  // However slow the machine is.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  await page.goBack();
  await expect(promptBox(page)).toBeVisible();
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect(promptBox(page)).not.toBeFocused();
});
