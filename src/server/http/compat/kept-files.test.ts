import { beforeAll, expect, it } from 'vitest';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { addedModelsFixture } from '#server/models/added-models/testing/added-models-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createClient, readError } from './openai/testing/openai-fixture.ts';

const models = addedModelsFixture();
let model: AddedModel;
let origin: string;

beforeAll(async () => {
  model = await models.publish('acme/paint/lora');
  origin = await models.service.listen();
  models.upstream.outputs = [Buffer.from('not a picture')];
});

const key = () => models.service.keys.organization;
const fetchJson = async (path: string): Promise<unknown> =>
  (await fetch(`${origin}/compat/${path}`, { headers: { authorization: `Bearer ${key()}` } })).json();

/** An order whose file can't be read. */
async function inReview(): Promise<string> {
  const response = await models.order(model, { prompt: 'a pear' });
  if (!('body' in response)) return expect.fail(JSON.stringify(response.error));
  const { id } = response.body;
  await waitFor('the review', async () => ((await models.read(id)).status === 'manual_review' ? id : null));
  return id;
}

it('a client that waits for a result is told which order waits for a review, and why', async () => {
  const error = await readError(createClient(origin, key()).images.generate({ model: model.id, prompt: 'a pear' }));
  expect(error).toMatchObject({ status: 500, code: 'manual_review' });
  expect(error.message).toMatch(/in Generations as gen_\w{26}\. .*This is not a supported image/);
});

it('a result of files that can’t be read here is an error that says where they are', async () => {
  const id = await inReview();
  expect(await fetchJson(`replicate/v1/predictions/${id}`)).toMatchObject({ status: 'processing', error: null });
  expect(await fetchJson(`fal/queue/acme/paint/requests/${id}/status`)).toMatchObject({ status: 'IN_PROGRESS' });
  const body = { decision: 'approve' as const, note: 'A file of another program' };
  await models.service.call('decide_review', { params: { generation_id: id }, body });
  const message = expect.stringMatching(
    new RegExp(
      `^The result can’t be read here: This is not a supported image.* Its file is kept in Generations, as ${id}\\.$`,
    ),
  );
  expect(await fetchJson(`replicate/v1/predictions/${id}`)).toMatchObject({
    status: 'failed',
    error: message,
    output: null,
  });
  expect(await fetchJson(`fal/queue/acme/paint/requests/${id}/status`)).toMatchObject({
    status: 'COMPLETED',
    error: message,
  });
  expect(await fetchJson(`fal/queue/acme/paint/requests/${id}`)).toMatchObject({ message });
});
