import type { AddedModel } from '#contract/resources/added-model.ts';
import type { List } from '#contract/primitives.ts';
import { call, uploadFile } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { resultRegion } from './support/create-page.ts';
import { connectFal, test } from './support/fake-fal-test.ts';
import { makePicture } from './support/files.ts';
import { expect, openSignedIn } from './support/test.ts';

const folder = createTempDirectory();

test('adds upscaling and cutting out with one press each, which each picture then has', async ({
  page,
  service,
  fal,
}) => {
  const { id } = await uploadFile(service, makePicture(folder, 'pears.png'));
  await connectFal(service, fal);
  await openSignedIn(page, service, `/library?item=${id}`);
  const chips = page.getByRole('list', { name: 'Continue with this' });
  await expect(chips.getByRole('link', { name: 'Edit' })).toBeVisible();
  await expect(chips.getByRole('link', { name: /^(Upscale|Remove background)/ })).toHaveCount(0);

  await page.goto('/providers');
  const steps = page.getByRole('region', { name: 'First steps with fal' });
  await steps.getByRole('button', { name: 'Add Upscale' }).click();
  await expect(page.getByText('Upscale added', { exact: true })).toBeVisible();
  await steps.getByRole('button', { name: 'Add Remove background' }).click();
  await expect(page.getByText('Remove background added', { exact: true })).toBeVisible();
  await expect(steps).toHaveCount(0);
  const { data } = await call<List<AddedModel>>(service, 'GET', '/v1/added-models');
  expect(data.map(({ task, state }) => `${task} ${state}`).toSorted()).toEqual([
    'image.background published',
    'image.upscale published',
  ]);

  await page.goto(`/library?item=${id}`);
  await expect(chips.getByRole('link', { name: 'Upscale up to $0.50' })).toBeVisible();
  await chips.getByRole('link', { name: 'Remove background up to $0.05' }).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/create\/image\.background\//);
  // A reload starts nothing again.
  await page.reload();
  await expect(page.getByRole('button', { name: /^Generate/ })).toBeVisible();
  const works = await call<List<unknown>>(service, 'GET', '/v1/generations');
  expect(works.data).toHaveLength(1);
});
