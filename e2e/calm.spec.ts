import { postGeneration, uploadFile, waitForGeneration } from './support/api-client.ts';
import { createTempDirectory, makeClip } from './support/clips.ts';
import { generateButton, nextStep, resultRegion } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import { expect, openSignedIn, test } from './support/test.ts';

test('a result comes first: one Preview badge, First steps below, no menu that repeats the chips', async ({
  page,
  service,
}) => {
  const order = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A paper boat' } };
  await waitForGeneration(service, (await postGeneration(service, order)).id);
  await openSignedIn(page, service, '/create/image.create/imgmodel-a-2');
  await expect(page.getByText('Preview', { exact: true })).toHaveCount(1);
  await page
    .getByRole('region', { name: 'Your work' })
    .getByRole('button', { name: /A paper boat/ })
    .first()
    .click();
  await expect(nextStep(page, 'Animate')).toBeVisible();
  await expect(page.getByText('Preview', { exact: true })).toHaveCount(1);
  await expect(nextStep(page, 'Start frame')).toHaveCount(0);
  const [result, steps] = await Promise.all(
    [resultRegion(page), page.getByRole('region', { name: 'First steps' })].map((region) => region.boundingBox()),
  );
  expect(steps?.y).toBeGreaterThan(result?.y ?? Number.NaN);
  await resultRegion(page).getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([/^1 more/, /^2 more/, /^4 more/, /^Compare/, /^Discard/]);
  await page.keyboard.press('Escape');

  await test.step('a struck-through option has its reason beside it, and Background one automatic', async () => {
    const background = page.getByRole('radiogroup', { name: 'Background' });
    await expect(background.getByRole('radio')).toHaveCount(3);
    await background.getByRole('radio', { name: 'Transparent' }).check();
    await expect(page.getByText(/^The shapes auto.* need size 1K\.$/).filter({ visible: true })).toBeVisible();
    await page.getByRole('radio', { name: '16:9' }).check();
    await expect(page.getByText('Choosing a background needs size 1K.').filter({ visible: true })).toBeVisible();
    expect(await findA11yViolations(page)).toEqual([]);
    await background.getByRole('radio', { name: 'Auto' }).check();
    await expect(page.getByText('Choosing a background needs size 1K.').filter({ visible: true })).toHaveCount(0);
  });

  await test.step('a search starts empty', async () => {
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A red kite');
    await page.getByRole('navigation', { name: 'Task' }).getByRole('link', { name: 'Social posts' }).click();
    await expect(page.getByRole('button', { name: /^Search/ }).last()).toBeVisible();
    await expect(page.getByText('A red kite')).toHaveCount(0);
    for (const box of await page.getByRole('form').getByRole('textbox').all()) await expect(box).toHaveValue('');
  });
});

test('offers to trim a clip that is too long before it shows a price', async ({ page, service }) => {
  const clip = await uploadFile(service, makeClip(createTempDirectory(), 'long.mp4', { seconds: 32 }));
  await openSignedIn(page, service, `/create/video.edit?media=${clip.id}`);
  await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Make it snow');
  const reason = page.getByText(/^Video must be 4 to 30 s long; it is 32 s\.$/);
  await expect(reason.first()).toBeVisible();
  await expect(generateButton(page)).toHaveText('Generate');
  await page.getByRole('link', { name: 'Trim to 30 s' }).click();
  await expect(page.getByRole('spinbutton', { name: 'End' })).toHaveValue('30');
  await expect(page.getByText('long.mp4').first()).toBeVisible();
});
