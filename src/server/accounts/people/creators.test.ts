import { beforeAll, describe, expect, it } from 'vitest';
import type { Creator } from '#contract/primitives.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { createUploadFixture } from '#server/studio/uploads/testing/upload-fixture.ts';

const bench = createUploadFixture({ engines: [createScriptedEngine()] });
const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a cat' } };
const STARTER = {
  slug: 'one-picture',
  name: 'One picture',
  input_schema: { type: 'object', properties: {} },
  steps: [{ key: 'a', name: 'A', ...ORDER }],
};

/** Creates one of each, and returns who each list and each read names, and the response to the order. */
async function listCreators(key: string): Promise<() => Promise<(Creator | undefined)[]>> {
  const { call, deps } = bench.service();
  const ordered = (await call('create_generation', { key, body: ORDER })).body;
  await runGeneration(deps, ordered.id, { shutdown: new AbortController().signal });
  const run = (await call('create_workflow_run', { key, body: { starter_slug: STARTER.slug, input: {} } })).body;
  const params = { workflow_run_id: run.id };
  const canceled = (await call('cancel_workflow_run', { key, params, body: {} })).body;
  const upload = await bench.upload(bench.png(), 'picture.png', key);
  const generationParams = { generation_id: ordered.id };
  const [asset] = (await call('get_generation', { params: generationParams })).body.output.assets;
  return async () => {
    const [generations, generation, runs, uploads, single, media, asset_read] = await Promise.all([
      call('list_generations'),
      call('get_generation', { params: generationParams }),
      call('list_workflow_runs'),
      call('list_uploads'),
      call('get_upload', { params: { upload_id: upload.id } }),
      call('list_media', { query: { limit: '1' } }),
      call('get_media', { params: { media_id: asset?.id ?? '' } }),
    ]);
    return [
      generations.body.data.find(({ id }) => id === ordered.id)?.created_by,
      generation.body.created_by,
      runs.body.data[0]?.created_by,
      runs.body.data[0]?.canceled_by ?? undefined,
      canceled.created_by,
      uploads.body.data[0]?.created_by,
      single.body.created_by,
      media.body.data[0]?.created_by,
      asset_read.body.created_by,
    ];
  };
}

beforeAll(async () => {
  await bench.service().call('create_workflow_starter', { body: STARTER });
});

describe('who made something', () => {
  it('is the person, with the key they used, under their current name and after they were removed', async () => {
    const { call, addPerson, callError } = bench.service();
    const { person, session } = await addPerson('member', 'Mia');
    const { id, key } = (await call('create_api_key', { key: session, body: { name: 'Laptop', kind: 'member' } })).body;
    const read = await listCreators(key);
    const mia = { id, name: 'Laptop', person: { id: person.id, name: 'Mia' } };
    expect(await read()).toEqual(Array.from({ length: 9 }, () => mia));

    const params = { person_id: person.id };
    await call('update_person', { params, body: { name: 'Mia Wallace', role: 'member' } });
    await call('remove_person', { params });
    expect((await callError('get_me', { key })).status).toBe(401);
    const [listed, single] = await read();
    expect([listed, single]).toEqual(
      Array.from({ length: 2 }, () => ({ ...mia, person: { ...mia.person, name: 'Mia Wallace' } })),
    );
  });

  it('is the person in the response to their order, which the dashboard shows at once', async () => {
    const { call, addPerson } = bench.service();
    const { person, session } = await addPerson('member', 'Noa');
    const { created_by } = (await call('create_generation', { key: session, body: ORDER })).body;
    expect(created_by).toEqual({ id: person.key_id, name: 'Noa', person: { id: person.id, name: 'Noa' } });
  });

  it('is a program for a key that belongs to nobody', async () => {
    const read = await listCreators(bench.service().keys.member);
    const { id } = (await bench.service().call('get_me', { key: bench.service().keys.member })).body.key;
    expect(await read()).toEqual(Array.from({ length: 9 }, () => ({ id, name: 'Member', person: null })));
  });
});
