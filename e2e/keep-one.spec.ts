import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { List } from '#contract/primitives.ts';
import { call, waitForGeneration } from './support/api-client.ts';
import { resultRegion } from './support/create-page.ts';
import { findA11yViolations } from './support/find-a11y-violations.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn, test } from './support/test.ts';

const MODELS = ['imgmodel-b-2-lite', 'imgmodel-b-2-lite', 'imgmodel-b-2-lite'] as const;

/** Three results of one order. */
async function createThree(service: Service): Promise<Generation[]> {
  const orders = MODELS.map((model) => ({ task: 'image.create', model, input: { prompt: 'A brass lamp' } }));
  const batch = await call<Batch>(service, 'POST', '/v1/batches', { mode: 'together', orders });
  const { data } = await call<List<Generation>>(service, 'GET', `/v1/generations?batch_id=${batch.id}`);
  return Promise.all(data.map(({ id }) => waitForGeneration(service, id)));
}

test('keeps one of three results in one click, with undo, and enlarges them one after another', async ({
  page,
  service,
}) => {
  await createThree(service);
  await openSignedIn(page, service, '/create/image.create');
  await page.getByRole('button', { name: /3 results/ }).click();
  const results = resultRegion(page).getByRole('listitem', { name: /^Variation \d$/ });
  await expect(results).toHaveCount(3);

  await test.step('arrows in the enlarged view', async () => {
    await results
      .first()
      .getByRole('button', { name: /^Enlarge/ })
      .click();
    const zoom = page.getByRole('dialog');
    await expect(zoom.getByText('1 of 3')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(zoom.getByRole('img', { name: 'Variation 2' })).toBeVisible();
    await zoom.getByRole('button', { name: 'Next' }).click();
    await expect(zoom.getByRole('button', { name: 'Next' })).toBeDisabled();
    await page.keyboard.press('Escape');
  });

  await results.nth(1).getByRole('button', { name: 'Keep only this: variation 2' }).click();
  await expect(results).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(results).toHaveCount(3);
  expect(await findA11yViolations(page)).toEqual([]);
  await results.nth(2).getByRole('button', { name: 'Discard variation 3' }).click();
  await expect(results).toHaveCount(2);
  await results.first().getByRole('button', { name: 'More variation 1' }).click();
  await expect(page.getByRole('menuitem', { name: /^[124] more like this/ })).toHaveText([
    /\$0\.02/,
    /\$0\.04/,
    /\$0\.08/,
  ]);
});

test('names the models in a comparison, and keeps or discards there', async ({ page, service }) => {
  const [one, other] = (await createThree(service)).map(({ output }) => output.assets[0]?.id);
  await openSignedIn(page, service, `/create/image.create?compare=${one},${other}`);
  const dialog = page.getByRole('dialog', { name: 'Compare' });
  await expect(dialog.getByRole('button', { name: /^A ImgModel B 2 Lite/i })).toBeVisible();
  expect(await findA11yViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Keep A' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  const { data } = await call<List<{ id: string }>>(service, 'GET', '/v1/media');
  expect(data.map(({ id }) => id)).toContain(one);
  expect(data.map(({ id }) => id)).not.toContain(other);
});
