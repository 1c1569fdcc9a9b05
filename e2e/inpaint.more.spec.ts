import type { List } from '#contract/primitives.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import type { Provider } from '#contract/resources/provider.ts';
import type { FakeUpstreamServer } from '#server/models/engine/testing/fake-upstream-server.ts';
import type { FakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { call } from './support/api-client.ts';
import { createTempDirectory } from './support/clips.ts';
import { generateButton, resultRegion, uploadToField } from './support/create-page.ts';
import { connectFal, test } from './support/fake-fal-test.ts';
import { makePicture } from './support/files.ts';
import { dragOver, maskEditor, openMaskEditor, readPixels } from './support/mask-page.ts';
import type { Service } from './support/service.ts';
import { expect, openSignedIn } from './support/test.ts';

const folder = createTempDirectory();

async function publishModel(service: Service, provider_id: string, address: string): Promise<AddedModel> {
  const source = { provider_id, address, overrides: {} };
  const { hash, suggested } = await call<{ hash: string; suggested: { price: object; task: string } }>(
    service,
    'POST',
    '/v1/added-models/inspect',
    source,
  );
  const body = {
    ...source,
    hash,
    name: address,
    task: suggested.task,
    price: { ...suggested.price, cap_micro_usd: 500_000 },
  };
  const { id } = await call<AddedModel>(service, 'POST', '/v1/added-models', body);
  return call<AddedModel>(service, 'PUT', `/v1/added-models/${id}`, { state: 'published' });
}

/** A picture that was sent to the provider, by its URL there. */
const readSent = ({ record }: { record: FakeFalRecord }, url: unknown) =>
  readPixels(record.uploads[Number(/in-(\d+)$/.exec(String(url))?.[1])]?.bytes ?? Buffer.alloc(0));

const ensureFal = async (service: Service, fal: FakeUpstreamServer) => {
  const { data } = await call<List<Provider>>(service, 'GET', '/v1/providers');
  return data[0] ?? (await connectFal(service, fal));
};

for (const { address, keeps, needsPrompt } of [
  { address: 'bria/fibo-edit/edit', keeps: 0, needsPrompt: false },
  { address: 'fal-ai/kling-video/v1/standard/image-to-video', keeps: 255, needsPrompt: true },
])
  test(`paints for ${address} in five actions, and sends what its schema asks for`, async ({ page, service, fal }) => {
    const { id, task } = await publishModel(service, (await ensureFal(service, fal)).id, address);
    await openSignedIn(page, service, `/create/${task}/${id}`);
    await uploadToField(page, 'Image', makePicture(folder, 'pears.png'));
    await openMaskEditor(page, page.getByRole('button', { name: 'Paint mask' }));
    await dragOver(page, [0.25, 0.25], [0.5, 0.25]);
    await maskEditor(page).getByRole('button', { name: 'Use mask' }).click();
    await expect(page.getByRole('button', { name: 'Edit mask' })).toBeEnabled();
    if (needsPrompt) await page.getByRole('textbox', { name: 'Prompt' }).fill('A red pear');
    await generateButton(page).click();
    await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();

    const sent = fal.record.submits.at(-1)?.input ?? {};
    const [, url] = Object.entries(sent).find(([name]) => name.includes('mask')) ?? [];
    const mask = await readSent(fal, url);
    expect(mask).toMatchObject({ format: 'png', width: 320, height: 200 });
    expect([mask.at(0.25, 0.25), mask.at(0.4, 0.25)]).toEqual([255 - keeps, 255 - keeps]);
    expect([mask.at(0.25, 0.75), mask.at(0.99, 0.99)]).toEqual([keeps, keeps]);
  });

test('paints in rows, over the picture of the input', async ({ page, service, fal }) => {
  const { data } = await call<List<AddedModel>>(service, 'GET', '/v1/added-models');
  const address = 'fal-ai/kling-video/v1/standard/image-to-video';
  const { id, task } =
    data.find(({ name }) => name === address) ??
    (await publishModel(service, (await ensureFal(service, fal)).id, address));
  await openSignedIn(page, service, `/create/${task}/${id}`);
  await page.getByRole('textbox', { name: 'Prompt' }).fill('A red pear');
  await uploadToField(page, 'Image', makePicture(folder, 'rows.png'));
  await page.getByText('More options').click();
  const rows = page.getByRole('group', { name: 'Dynamic masks' });
  for (const [at, left] of [0.2, 0.6].entries()) {
    await rows.getByRole('button', { name: /^Add/ }).click();
    await openMaskEditor(page, rows.getByRole('button', { name: 'Paint mask' }));
    await dragOver(page, [left, 0.25], [left + 0.2, 0.25]);
    await maskEditor(page).getByRole('button', { name: 'Use mask' }).click();
    await expect(rows.getByRole('button', { name: 'Edit mask' })).toHaveCount(at + 1);
    await expect(rows.getByRole('button', { name: 'Edit mask' }).last()).toBeEnabled();
  }
  await generateButton(page).click();
  await expect(resultRegion(page).getByText('Succeeded', { exact: true })).toBeVisible();

  const sent = fal.record.submits.at(-1)?.input['dynamic_masks'] as { mask_url: string }[];
  const masks = await Promise.all(sent.map(({ mask_url }) => readSent(fal, mask_url)));
  expect(masks.map(({ at }) => [at(0.3, 0.25), at(0.7, 0.25)])).toEqual([
    [255, 0],
    [0, 255],
  ]);
});
