import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import type { TestCallOptions } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

interface Work {
  person_id: string;
  session: string;
  generation_id: string;
  asset_id: string;
  run_id: string;
}

let service: TestService;
let mia: Work;
let noa: Work;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
  await service.call('create_workflow_starter', { body: STARTER });
  mia = await addWorker('Mia');
  noa = await addWorker('Noa');
});
afterAll(() => service.close());

const ORDER = { task: 'image.create', model: 'imgmodel-b-2' };
const STARTER = {
  slug: 'one-picture',
  name: 'One picture',
  input_schema: { type: 'object', properties: {} },
  steps: [{ key: 'a', name: 'A', ...ORDER, input: { prompt: 'a cat' } }],
};
const UNKNOWN = '01m7y6v0gyeg6ksk7hyezzk3qs';

async function addWorker(name: string): Promise<Work> {
  const { person, session } = await service.addPerson('member', name);
  const create = { key: session, body: { ...ORDER, input: { prompt: `${name}’s picture` } } };
  const { id } = (await service.call('create_generation', create)).body;
  await runGeneration(service.deps, id, { shutdown: new AbortController().signal });
  const done = (await service.call('get_generation', { params: { generation_id: id } })).body;
  const run = await service.call('create_workflow_run', {
    key: session,
    body: { starter_slug: STARTER.slug, input: {} },
  });
  return {
    person_id: person.id,
    session,
    generation_id: id,
    asset_id: done.output.assets[0]?.id ?? '',
    run_id: run.body.id,
  };
}

const restrict = (members_see_own_work_only: boolean) =>
  service.deps.db
    .update(organizations)
    .set({ members_see_own_work_only })
    .where(eq(organizations.id, service.organization_id));

async function listAll(key: string, query: Record<string, string> = {}) {
  const [generations, media, runs] = await Promise.all([
    service.call('list_generations', { key, query }),
    service.call('list_media', { key, query }),
    service.call('list_workflow_runs', { key, query }),
  ]);
  return [generations, media, runs].map(({ body }) => body.data.map(({ id }) => id));
}
const ids = (work: Work) => [[work.generation_id], [work.asset_id], [work.run_id]];
const both = () => [0, 1, 2].map((index) => [...(ids(noa)[index] ?? []), ...(ids(mia)[index] ?? [])]);

describe('without the setting', () => {
  it('members find everyone’s work, and can filter it by person', async () => {
    expect(await listAll(mia.session)).toEqual(both());
    expect(await listAll(mia.session, { person_id: noa.person_id })).toEqual(ids(noa));
    expect(await listAll(service.keys.organization, { person_id: mia.person_id })).toEqual(ids(mia));
    expect(await listAll(service.keys.organization, { person_id: `per_${UNKNOWN}` })).toEqual([[], [], []]);
  });

  it('the filter includes what a person’s own keys made', async () => {
    const body = { name: 'Laptop', kind: 'member' };
    const { key } = (await service.call('create_api_key', { key: mia.session, body })).body;
    const { id } = (await service.call('create_generation', { key, body: { ...ORDER, input: { prompt: 'x' } } })).body;
    const listed = await service.call('list_generations', { query: { person_id: mia.person_id } });
    expect(listed.body.data.map((generation) => generation.id)).toEqual([id, mia.generation_id]);
    await service.call('cancel_generation', { params: { generation_id: id } });
  });
});

describe('where members see only their own work', () => {
  beforeAll(() => restrict(true));
  afterAll(() => restrict(false));

  it('lists show a member their own, whatever the filter says', async () => {
    expect(await listAll(noa.session)).toEqual(ids(noa));
    expect(await listAll(noa.session, { person_id: noa.person_id })).toEqual(ids(noa));
    expect(await listAll(noa.session, { person_id: mia.person_id })).toEqual([[], [], []]);
  });

  it('lists still show everyone’s to the other roles and to programs', async () => {
    const viewer = await service.addPerson('viewer');
    const auditor = await service.addPerson('auditor');
    for (const key of [viewer.session, auditor.session, service.keys.organization, service.keys.member]) {
      expect((await listAll(key))[1]).toEqual(both()[1]);
    }
  });

  it('a member is told so, and nobody else', async () => {
    const seesOwnOnly = async (key: string) => (await service.call('get_me', { key })).body.sees_own_work_only;
    expect(await seesOwnOnly(noa.session)).toBe(true);
    expect(await seesOwnOnly(service.keys.organization)).toBe(false);
  });

  const answer = async (name: Parameters<TestService['callError']>[0], options: TestCallOptions<typeof name>) => {
    const { status, error } = await service.callError(name, { key: noa.session, ...options });
    return { status, error: { ...error, request_id: '' } };
  };

  it.each(['get_generation', 'cancel_generation', 'retry_generation', 'draft_workflow'] as const)(
    'a generation of others is to %s like an unknown one',
    async (name) => {
      const foreign = await answer(name, { params: { generation_id: mia.generation_id } });
      expect(foreign).toEqual(await answer(name, { params: { generation_id: `gen_${UNKNOWN}` } }));
      expect(foreign.status).toBe(404);
    },
  );

  it.each(['get_media', 'get_media_lineage', 'add_favourite', 'remove_favourite', 'rename_media'] as const)(
    'a picture of others is to %s like an unknown one',
    async (name) => {
      const body = name === 'rename_media' ? { body: { name: 'Mine' } } : {};
      const foreign = await answer(name, { params: { media_id: mia.asset_id }, ...body });
      expect(foreign).toEqual(await answer(name, { params: { media_id: `ast_${UNKNOWN}` }, ...body }));
      expect(foreign.status).toBe(404);
    },
  );

  it.each([
    ['get_workflow_run', undefined],
    ['cancel_workflow_run', {}],
    ['estimate_workflow_run_retry', {}],
  ] as const)('a workflow run of others is to %s like an unknown one', async (name, body) => {
    const ask = (workflow_run_id: string) => answer(name, { params: { workflow_run_id }, ...(body ? { body } : {}) });
    const foreign = await ask(mia.run_id);
    expect(foreign).toEqual(await ask(`run_${UNKNOWN}`));
    expect(foreign.status).toBe(404);
  });

  it('a batch of others is to no list, and to other routes like an unknown one', async () => {
    const body = { mode: 'list', orders: [{ ...ORDER, input: { prompt: 'x' } }] };
    const { id } = (await service.call('create_batch', { key: mia.session, body })).body;
    for (const name of ['get_batch', 'list_batch_orders', 'pause_batch', 'retry_batch', 'export_batch'] as const) {
      const foreign = await answer(name, { params: { batch_id: id } });
      expect(foreign).toEqual(await answer(name, { params: { batch_id: `bat_${UNKNOWN}` } }));
      expect(foreign.status).toBe(404);
    }
    expect((await service.call('list_batches', { key: noa.session })).body.data).toEqual([]);
    expect((await service.call('list_batches', { key: mia.session })).body.data).toMatchObject([{ id }]);
  });

  it('the same Idempotency-Key of two members is two requests, and of one member one', async () => {
    const body = { ...ORDER, input: { prompt: 'the same' } };
    const send = async (key: string) =>
      (await service.call('create_generation', { key, body, idempotency_key: 'same' })).body;
    const first = await send(mia.session);
    const others = await Promise.all(Array.from({ length: 8 }, () => send(noa.session)));
    expect(new Set(others.map(({ id }) => id)).size).toBe(1);
    expect(others[0]?.id).not.toBe(first.id);
    expect((await send(mia.session)).id).toBe(first.id);
    for (const id of [first.id, others[0]?.id ?? ''])
      await service.call('cancel_generation', { params: { generation_id: id } });
  });

  it('a signed link of others is an input: who has the link has the file', async () => {
    const { url } = (await service.call('get_media', { params: { media_id: mia.asset_id } })).body;
    const input = { prompt: 'a hat', images: [{ url }] };
    const body = { task: 'image.edit', model: 'imgmodel-b-2', input };
    expect((await service.request('create_generation', { key: noa.session, body })).status).toBe(201);
  });

  it('media of others are neither deleted nor archived', async () => {
    const deletion = { key: noa.session, body: { ids: [mia.asset_id, noa.asset_id], dry_run: true } };
    const { body } = await service.call('delete_media', deletion);
    expect(body.deleted.map(({ id }) => id)).toEqual([noa.asset_id]);
    expect(body.kept).toMatchObject([{ id: mia.asset_id, reason: 'not_found' }]);
    const archive = { key: noa.session, body: { ids: [mia.asset_id, noa.asset_id] } };
    const { body: packed } = await service.call('archive_media', archive);
    expect(packed).toMatchObject({ count: 1, missing_ids: [mia.asset_id] });
  });

  it('a member still reads and retries their own', async () => {
    const read = { key: noa.session, params: { generation_id: noa.generation_id } };
    expect((await service.call('get_generation', read)).status).toBe(200);
    const media = { key: noa.session, params: { media_id: noa.asset_id } };
    expect((await service.call('add_favourite', media)).body.favourite).toBe(true);
    expect((await service.call('get_media', media)).status).toBe(200);
  });
});
