import type { Locator } from '@playwright/test';
import { makeClip, makeRamp, makeScenes, createTempDirectory } from './support/clips.ts';
import { dragFiles, dropFiles, makePicture } from './support/files.ts';
import { uploadToField, navigateTo, generate, generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();
const seconds = (media: Locator) => media.evaluate((element: HTMLMediaElement) => element.duration);

/** How light the middle of what is shown is, 0 to 255. */
const lightness = (shown: Locator) =>
  shown.evaluate((element: HTMLVideoElement | HTMLImageElement) => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext('2d');
    context?.drawImage(element, 150, 80, 20, 20, 0, 0, 1, 1);
    return context?.getImageData(0, 0, 1, 1).data[0] ?? Number.NaN;
  });

test('a frame is picked by scrubbing, and is the one that was shown', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.extract_frame');
  await uploadToField(page, 'Video', makeRamp(folder, 'ramp.mp4'));
  const player = page.getByRole('region', { name: 'The video, controls' });
  const time = page.getByRole('spinbutton', { name: 'Time' });
  await expect(player.getByText('0:00.00 / 0:01.00')).toBeVisible();
  const handle = player.getByRole('slider', { name: 'Time' });
  await handle.fill('0.4');
  await expect(time).toHaveValue('0.4');
  await player.getByRole('button', { name: 'Next frame (.)' }).click();
  await expect(time).toHaveValue('0.44');
  await handle.press('.');
  await expect(time).toHaveValue('0.48');
  await handle.press(',');
  await expect(time).toHaveValue('0.44');
  const video = page.getByLabel('Selected video');
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.seeking)).toBe(false);
  const shown = await lightness(video);
  await page.getByRole('radio', { name: 'PNG' }).check();
  await generate(page);
  const picture = resultRegion(page).getByRole('img', { name: 'Result' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  // One frame further it would be lighter by eight.
  expect(Math.abs((await lightness(picture)) - shown)).toBeLessThan(4);
});

test('videos are joined in the order that the keyboard gave them', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.concat');
  const names = ['first.mp4', 'second.mp4'];
  await uploadToField(page, 'Videos', [
    makeClip(folder, 'first.mp4', { seconds: 2, size: '640x360' }),
    makeClip(folder, 'second.mp4', { seconds: 1 }),
  ]);
  const tiles = page.getByRole('list', { name: 'Videos' }).getByRole('listitem');
  for (const [at, name] of names.entries()) await expect(tiles.nth(at)).toContainText(name);
  await page.getByRole('button', { name: 'second.mp4, 2 of 2. Arrow keys move it.' }).press('ArrowLeft');
  for (const [at, name] of names.toReversed().entries()) await expect(tiles.nth(at)).toContainText(name);
  await generate(page);
  const clip = resultRegion(page).locator('video');
  await expect.poll(() => seconds(clip)).toBeCloseTo(3, 1);
  // The first decides the size.
  expect(await clip.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(320);
});

test('scenes stand side by side with their times, and each can be taken along', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.split_scenes');
  await uploadToField(page, 'Video', makeScenes(folder, 'scenes.mp4'));
  await expect(page.getByText('320 × 180')).toBeVisible();
  await generate(page);
  const strip = resultRegion(page).getByRole('list', { name: 'Scenes' }).getByRole('button');
  await expect(strip).toHaveCount(3);
  await strip.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(strip.nth(1)).toBeFocused();
  await expect(resultRegion(page).getByText('of 3 · 0:02 – 0:04')).toBeVisible();
  await resultRegion(page).getByRole('button', { name: 'Continue with…' }).click();
  await page.getByRole('menuitem', { name: 'Take the sound' }).click();
  await expect(page).toHaveURL(/\/create\/video\.extract_audio$/);
  await expect(page.getByText('320 × 180 · 2 s')).toBeVisible();
});

test('the sound of a video is taken', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.extract_audio');
  await uploadToField(page, 'Video', makeClip(folder, 'tone.mp4', { seconds: 2 }));
  await expect(page.getByLabel('Selected video')).toBeVisible();
  await generate(page);
  await expect.poll(() => seconds(resultRegion(page).locator('audio'))).toBeCloseTo(2, 0);
});

test('found posts are cards that lead to their own site', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/social.search');
  await page.getByRole('textbox', { name: 'Search for' }).fill('street food');
  await page.getByRole('radio', { name: 'Social A' }).check();
  await expect(generateButton(page)).toHaveText('Run · $0.14');
  await generate(page);
  const card = resultRegion(page)
    .getByRole('list', { name: /posts? found$/ })
    .getByRole('listitem')
    .first();
  await expect(card).toContainText(/views/);
  const link = card.getByRole('link', { name: /^Open the post of/ });
  await expect(link).toHaveAttribute('href', /^https:\/\//);
  await expect(link).toHaveAttribute('rel', 'noreferrer');
});

test('files dropped beside a field go into the first one that takes them', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2-mini');
  const heading = page.getByRole('heading', { name: 'Create' });
  const pictures = [makePicture(folder, 'start.png'), makePicture(folder, 'end.png')];
  await expect(async () => {
    await dragFiles(heading, pictures);
    await expect(page.getByText('They go into “First frame” and “Last frame”.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await dropFiles(heading, pictures);
  await expect(page.getByRole('list', { name: 'First frame' })).toContainText('start.png');
  await expect(page.getByRole('list', { name: 'Last frame' })).toContainText('end.png');
  await expect(page.getByRole('region', { name: 'Upload progress' })).toBeHidden();
});

test('tells of finished work in the title of a hidden tab, and in a notification that was asked for', async ({
  page,
  service,
}) => {
  await page.addInitScript(() => {
    const shown: string[] = [];
    class Shown extends EventTarget {
      static readonly permission = 'granted';
      static readonly requestPermission = () => Promise.resolve('granted');
      constructor(title: string) {
        super();
        shown.push(title);
      }
    }
    Object.assign(window, { Notification: Shown, shown });
  });
  const look = (elsewhere: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    }, elsewhere);
  await openSignedIn(page, service, '/settings');
  await page.getByRole('switch', { name: 'Browser notifications' }).click();
  await navigateTo(page, 'Create');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A quince');
  await page.getByRole('button', { name: /^Generate/ }).click();
  await expect(page).toHaveTitle(/^(Running|\d+%) · .*Emulsion$/);
  // Before the way to another page, which on a slow machine takes longer than the picture.
  await look(true);
  await navigateTo(page, 'Keys');
  await expect(page).toHaveTitle(/^Done · Keys · Emulsion$/, { timeout: 60_000 });
  await expect.poll(() => page.evaluate('window.shown')).toEqual(['Notifications are on', 'Done']);
  await look(false);
  await expect(page).toHaveTitle('Keys · Emulsion');
});
