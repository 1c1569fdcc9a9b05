import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { makeClip, makeRamp, makeScenes, createTempDirectory } from './support/clips.ts';
import { dragFiles, dropFiles, makePicture } from './support/files.ts';
import { uploadToField, navigateTo, generate, generateButton, resultRegion } from './support/create-page.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();
// The fake provider listens on this machine.
test.use({ environment: { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' } });
const seconds = (media: Locator) => media.evaluate((element: HTMLMediaElement) => element.duration);

/** Lightness of the center, 0 to 255. */
const centerLightness = (media: Locator) =>
  media.evaluate((element: HTMLVideoElement | HTMLImageElement) => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext('2d');
    context?.drawImage(element, 150, 80, 20, 20, 0, 0, 1, 1);
    return context?.getImageData(0, 0, 1, 1).data[0] ?? Number.NaN;
  });

test('extracts the frame that scrubbing selected', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.extract_frame');
  await uploadToField(page, 'Video', makeRamp(folder, 'ramp.mp4'));
  const player = page.getByRole('region', { name: 'Video, controls' });
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
  const expectedLightness = await centerLightness(video);
  await page.getByRole('radio', { name: 'PNG' }).check();
  await generate(page);
  const frame = resultRegion(page).getByRole('img', { name: 'Result' });
  await expect.poll(() => frame.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  // The next frame is lighter by eight.
  expect(Math.abs((await centerLightness(frame)) - expectedLightness)).toBeLessThan(4);
});

test('joins videos in the order set by keyboard', async ({ page, service }) => {
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
  // The first video sets the size.
  expect(await clip.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(320);
});

test('lists scenes with their times and continues with one of them', async ({ page, service }) => {
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
  await page.getByRole('menuitem', { name: 'Extract audio' }).click();
  await expect(page).toHaveURL(/\/create\/video\.extract_audio$/);
  await expect(page.getByText('320 × 180 · 2 s')).toBeVisible();
});

test('extracts the audio of a video', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.extract_audio');
  await uploadToField(page, 'Video', makeClip(folder, 'tone.mp4', { seconds: 2 }));
  await expect(page.getByLabel('Selected video')).toBeVisible();
  await generate(page);
  await expect.poll(() => seconds(resultRegion(page).locator('audio'))).toBeCloseTo(2, 0);
});

test('shows found posts as cards that link to their site', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/social.search');
  await page.getByRole('textbox', { name: 'Search for' }).fill('street food');
  await expect(generateButton(page)).toHaveText('Search · $0.14');
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

test('assigns files dropped beside a field to the first field that accepts them', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2-mini');
  const heading = page.getByRole('heading', { name: 'Create' });
  const images = [makePicture(folder, 'start.png'), makePicture(folder, 'end.png')];
  await expect(async () => {
    await dragFiles(heading, images);
    await expect(page.getByText('They go into “Start frame” and “End frame”.')).toBeVisible({ timeout: 500 });
  }).toPass();
  await dropFiles(heading, images);
  await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('start.png');
  await expect(page.getByRole('list', { name: 'End frame' })).toContainText('end.png');
  await expect(page.getByRole('region', { name: 'Upload progress' })).toBeHidden();
});

test('reports completed work in the title of a hidden tab and in a browser notification', async ({ page, service }) => {
  await page.addInitScript(() => {
    const titles: string[] = [];
    class FakeNotification extends EventTarget {
      static readonly permission = 'granted';
      static readonly requestPermission = () => Promise.resolve('granted');
      constructor(title: string) {
        super();
        titles.push(title);
      }
    }
    Object.assign(window, { Notification: FakeNotification, notification_titles: titles });
  });
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await openSignedIn(page, service, '/device');
  await page.getByRole('switch', { name: 'Browser notifications' }).click();
  await navigateTo(page, 'Create');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A quince');
  await page.getByRole('button', { name: /^Generate/ }).click();
  await expect(page).toHaveTitle(/^(Running|\d+%) · .*Emulsion$/);
  // Before the navigation, which on a slow machine takes longer than the image.
  await setHidden(true);
  await navigateTo(page, 'Keys');
  await expect(page).toHaveTitle(/^Done · Keys · Emulsion$/);
  await expect.poll(() => page.evaluate('window.notification_titles')).toEqual(['Notifications are on', 'Done']);
  await setHidden(false);
  await expect(page).toHaveTitle('Keys · Emulsion');
});

test('runs a model at a provider that was connected in the dashboard', async ({ page, service }) => {
  const provider = await startFakeUpstream('key-of-the-painter', createFakeOpenAiHandler);
  provider.upstream.outputs = [await readFile(makePicture(folder, 'painted.png'))];
  const model = page.getByRole('button', { name: /^Model:/ });

  await test.step('connect it from the notice on Create', async () => {
    await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
    await expect(model).toContainText('Preview');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A paper boat');
    await expect(page.getByText(/^Until a provider is connected, results are previews/)).toBeVisible();
    await page.getByRole('link', { name: 'Connect a provider' }).click();
    await page.getByRole('link', { name: 'Connect OpenAI-compatible server' }).click();
    await page.getByRole('textbox', { name: /^Key/ }).fill(provider.upstream.api_key);
    await page.getByRole('textbox', { name: 'Address' }).fill(provider.base_url);
    const description = 'The image model of your own server. Listed here as ImgModel A 2.';
    await page.getByRole('checkbox', { name: 'Own model · Create an image', description, exact: true }).check();
    await page.getByRole('textbox', { name: 'Model at the server' }).fill('local-painter');
    await page.getByRole('button', { name: 'Connect OpenAI-compatible server' }).click();
    await expect(page.getByRole('list', { name: 'Connected providers' })).toBeVisible();
  });

  await test.step('keep what was typed, and disable what the provider does not support', async () => {
    await navigateTo(page, 'Create');
    await expect(model).toContainText('OpenAI-compatible server · ImgModel A 2');
    await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A paper boat');
    const unsupported = page.getByRole('radio', { name: '2K' });
    await expect(unsupported).toHaveAttribute('aria-disabled', 'true');
    await expect(unsupported).toHaveAccessibleDescription('This server makes images in size 1K only.');
    await expect(page.getByText('results are previews')).toHaveCount(0);
  });

  await test.step('generate under the name that the provider gives the model', async () => {
    await generate(page);
    await expect(resultRegion(page).getByRole('heading', { name: 'Own model' })).toBeVisible();
    await expect(resultRegion(page).getByText('Preview', { exact: true })).toHaveCount(0);
    const picture = resultRegion(page).getByRole('img', { name: 'Result' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await model.click();
    const card = page.getByRole('dialog', { name: 'Models' }).getByRole('link', { name: /^Own model/ });
    await expect(card).toContainText('The image model of your own server.');
  });
  await provider.close();
});
