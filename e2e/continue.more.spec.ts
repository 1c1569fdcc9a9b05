import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { call } from './support/api-client.ts';
import { createTempDirectory, makeClip } from './support/clips.ts';
import {
  fieldSources,
  generate,
  generateButton,
  nextStep,
  resultRegion,
  uploadToField,
} from './support/create-page.ts';
import { makePicture } from './support/files.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const folder = createTempDirectory();

test('makes a clip of a picture in a few clicks, with a movement of the camera', async ({ page, service }) => {
  // A short clip, because only its way is of interest.
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  await page.getByRole('radio', { name: '480p' }).check();
  await page.getByRole('spinbutton', { name: 'Length' }).fill('4');
  await page.goto('/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Three pears on a table');
  await page.getByRole('radio', { name: '16:9' }).check();
  await generate(page);

  // The next form begins at its top, however far this one was scrolled.
  await generateButton(page).scrollIntoViewIfNeeded();
  await nextStep(page, 'Animate').click();
  await expect(page).toHaveURL(/\/create\/video\.create\/vidmodel-c-2$/);
  await expect(page.getByText('Added to Start frame and Prompt · on VidModel C 2')).toBeInViewport();
  await expect(page.getByRole('button', { name: /^Model:/ })).toBeInViewport();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('The camera slowly pushes in.');
  await page.getByRole('list', { name: 'Movement' }).getByRole('button', { name: 'Orbit' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('The camera orbits around the subject.');
  await expect(page.getByRole('radio', { name: '16:9' })).toBeChecked();
  await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('Three pears on a table');

  await generateButton(page).click();
  await expect(resultRegion(page).getByLabel('Result', { exact: true })).toBeVisible();
});

test('continues a clip from its last frame, and keeps the draft if that fails', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A long walk');
  await page.goto('/create/video.trim');
  await uploadToField(page, 'Video', makeClip(folder, 'walk.mp4', { seconds: 2 }));
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('2');
  await generate(page);

  const extend = nextStep(page, 'Extend from the last frame');
  await expect(extend).toHaveAttribute('aria-description', /on VidModel C 2$/);
  const error = { error: { code: 'invalid_request', message: 'Not now.', details: [] } };
  await page.route('**/v1/generations', (route) => route.fulfill({ status: 400, json: error }));
  await extend.click();
  await expect(page.getByRole('heading', { name: 'The last frame could not be saved' })).toBeVisible();
  await page.getByRole('link', { name: 'Continue without it' }).click();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A long walk');
  await page.unroute('**/v1/generations');

  await extend.click();
  await expect(page.getByText('Added to Start frame · on VidModel C 2')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('320 × 180');
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A long walk');
  await expect(page).toHaveURL(/\/create\/video\.create\/vidmodel-c-2$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('list', { name: 'Start frame' })).toBeHidden();
});

test('asks before an address saves a frame', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.trim');
  await uploadToField(page, 'Video', makeClip(folder, 'asked.mp4', { seconds: 1 }));
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('1');
  await generate(page);
  const href = await nextStep(page, 'Extend from the last frame').getAttribute('href');
  await page.goto(href ?? '');
  await expect(page.getByRole('heading', { name: 'Continue from the last frame?' })).toBeVisible();
  await page.getByRole('button', { name: 'Save the last frame' }).click();
  await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('320 × 180');
});

test('drags results onto the fields of a form', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-b-2-lite');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A paper boat');
  await page.getByRole('radio', { name: '9:16' }).check();
  await generate(page);
  const picture = resultRegion(page).getByRole('button', { name: 'Enlarge result' });

  await test.step('a picture becomes the end frame, and sets the ratio as the only frame', async () => {
    await page.getByRole('navigation', { name: 'Task' }).getByRole('link', { name: 'Video' }).click();
    await page.getByRole('button', { name: /^Model:/ }).click();
    await page
      .getByRole('dialog', { name: 'Models' })
      .getByRole('link', { name: /^VidModel C 2 Mini/ })
      .click();
    await page.getByRole('radio', { name: '21:9' }).check();
    await picture.dragTo(fieldSources(page, 'End frame'));
    await expect(page.getByRole('list', { name: 'End frame' })).toContainText('A paper boat');
    await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
    await expect(page.getByText('Shape 9:16 follows the picture.')).toBeVisible();
  });

  await test.step('the frames swap, and another ratio stays', async () => {
    await page.getByRole('radio', { name: '1:1' }).check();
    await page.getByRole('button', { name: 'Swap start and end' }).click();
    await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('A paper boat');
    await expect(page.getByRole('list', { name: 'End frame' })).toBeHidden();
    await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
    await page.getByRole('button', { name: 'Use 9:16' }).click();
    await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
  });

  await test.step('a field of another kind says why not', async () => {
    await page.goto('/create/video.trim');
    await picture.hover();
    await page.mouse.down();
    const { x, y } = (await fieldSources(page, 'Video').boundingBox()) ?? { x: 0, y: 0 };
    for (const by of [20, 40]) await page.mouse.move(x + by, y + by, { steps: 3 });
    await expect(page.getByText('Video takes videos, not images.')).toBeVisible();
    await page.mouse.up();
    await expect(page.getByRole('list', { name: 'Video' })).toBeHidden();
  });
});

test('shows no frames on the form of a model without them, and keeps what was typed on one with them', async ({
  page,
  service,
}) => {
  await openSignedIn(page, service, '/create/video.create/omni-video');
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A slow pan');
  await expect(page.getByText('Start frame')).toHaveCount(0);
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('link', { name: /^VidModel C 2 Mini/ }).click();
  await expect(page).toHaveURL(/vidmodel-c-2-mini$/);
  await expect(fieldSources(page, 'Start frame')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('A slow pan');
});

test('opens rare ratios from the row', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
  await page.getByRole('button', { name: /^\d+ more$/ }).click();
  const more = page.getByRole('dialog', { name: 'More options' });
  await more.getByRole('radio', { name: '21:9' }).click();
  await expect(more).toBeHidden();
  await expect(page.getByRole('radiogroup', { name: 'Shape' }).getByRole('radio', { name: '21:9' })).toBeChecked();
});

test('uses a found post as a reference and for a prompt, and suggests other words', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/social.search');
  const query = page.getByRole('textbox', { name: 'Search for' });

  await test.step('the platform is chosen, so that the price is known', async () => {
    await query.fill('walrus tusks');
    await expect(page.getByRole('radio', { name: 'Social A' })).toBeChecked();
    await expect(generateButton(page)).toHaveText('Search · $0.14');
    await generate(page);
  });

  await test.step('a suggestion fills in the form', async () => {
    await resultRegion(page)
      .getByRole('list', { name: 'Try instead' })
      .getByRole('link', { name: 'walrus', exact: true })
      .click();
    await expect(query).toHaveValue('walrus');
    await query.fill('street food');
    await generate(page);
  });

  const posts = resultRegion(page).getByRole('list', { name: /posts? found$/ });
  await test.step('a poster is drawn, and moves while the pointer is on it', async () => {
    const picture = posts.locator('img').first();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(324);
    await picture.hover();
    await expect(posts.locator('img[src$="-clip.webp"]')).toBeVisible();
  });

  await test.step('it is saved to a new collection, with its source', async () => {
    await posts.getByRole('button', { name: 'Save to a collection' }).first().click();
    await page.getByRole('combobox', { name: 'Find or create a collection' }).fill('Street moods');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('1 file added to “Street moods”');
    const files = await call<List<MediaItem>>(service, 'GET', '/v1/media?origin=upload');
    expect(files.data[0]?.source?.url).toContain('https://example.com/');
  });

  await test.step('its words become a prompt', async () => {
    await posts.getByRole('button', { name: 'Write a prompt from this' }).first().click();
    await page.getByRole('menuitem', { name: 'For an image' }).click();
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await expect(prompt).toHaveValue(/\. .*(night|market)/);
    await expect(prompt).not.toHaveValue(/sample post/);
  });

  await test.step('its picture becomes a reference', async () => {
    await posts.getByRole('button', { name: 'Use as reference' }).first().click();
    await expect(page.getByText(/^Added to Reference images/)).toBeVisible();
    await expect(page.getByRole('list', { name: 'Reference images' })).toContainText('324 × 576');
  });
});

test('returns the frame, length and ratio of a model after another one was tried', async ({ page, service }) => {
  await openSignedIn(page, service, '/create/video.create/vidmodel-c-2');
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  const length = page.getByRole('spinbutton', { name: 'Length' });
  await uploadToField(page, 'Start frame', makePicture(folder, 'pear.png'));
  // Its size is shown once the upload is complete.
  await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('320 × 200');
  await prompt.fill('A tram');
  await length.fill('12');
  await page.getByRole('radio', { name: '1:1' }).check();
  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^Model:/ }).click();
    const models = page.getByRole('dialog', { name: 'Models' });
    await models
      .getByRole('link', { name: new RegExp(`^${name}( |$)`) })
      .first()
      .click();
    await expect(page.getByText(`Switched to ${name}`, { exact: true })).toBeVisible();
  };
  for (const text of ['A tram in the rain', 'A tram at night']) {
    await switchTo('Omni Video');
    await expect(page.getByText('Start frame 1 image')).toBeVisible();
    await expect(page.getByText(/Length 12 s → 8 s/)).toBeVisible();
    await prompt.fill(text);
    await switchTo('VidModel C 2');
    await expect(page.getByText('Shape 1:1, Length 12 s and Start frame 1 image')).toBeVisible();
    await expect(prompt).toHaveValue(text);
    await expect(length).toHaveValue('12');
    await expect(page.getByRole('list', { name: 'Start frame' })).toContainText('pear.png');
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(/omni-video$/);
  await page.goto('/create');
  await expect(page).toHaveTitle(/^Create a video/);
  await expect(page.getByRole('button', { name: /^Model: Omni Video/ })).toBeVisible();
  await page.goto('/create/video.create/vidmodel-c-2');
  await expect(length).toHaveValue('12');
});
