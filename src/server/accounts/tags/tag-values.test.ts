import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const clock = createTestClock(new Date('2026-02-10T10:00:00.000Z'));

describe('values of tags', () => {
  let service: TestService;
  let [mia, noa] = ['', ''];
  beforeAll(async () => {
    service = await createTestService({ engines: [createScriptedEngine()], clock });
    const body = { label: 'Client', required: false, values: null };
    await service.call('set_tag', { params: { tag_name: 'client' }, body });
    mia = (await service.addPerson('member', 'Mia')).session;
    noa = (await service.addPerson('member', 'Noa')).session;
    for (const [key, client] of [
      [mia, 'Acme'],
      [noa, 'Beta 100%'],
      [mia, 'Gamma'],
      [noa, 'Acme'],
      [noa, ''],
    ] as const) {
      await service.call('create_generation', { key, body: { ...ORDER, metadata: { client } } });
      clock.advance(2 * 3_600_000);
    }
  });
  afterAll(() => service.close());

  const values = async (query: Record<string, string | number> = {}, key = mia) =>
    (await service.call('list_tag_values', { key, params: { tag_name: 'client' }, query })).body.data.map(
      ({ value }) => value,
    );
  const listed = async (tags: object, key = mia) =>
    (await service.call('list_generations', { key, query: { tags: JSON.stringify(tags) } })).body.data.map(
      (generation) => generation.tags?.['client'] ?? null,
    );

  it('are suggested, the latest first and each once', async () => {
    expect(await values()).toEqual(['Acme', 'Gamma', 'Beta 100%']);
    expect(await values({ limit: 1 })).toEqual(['Acme']);
    expect(await values({ q: 'M' })).toEqual(['Acme', 'Gamma']);
    expect(await values({ q: '%' })).toEqual(['Beta 100%']);
    const { body } = await service.call('list_tag_values', { params: { tag_name: 'other' } });
    expect(body.data).toEqual([]);
    const { error } = await service.callError('list_tag_values', {
      params: { tag_name: 'client' },
      query: { q: 'x'.repeat(65) },
    });
    expect(error.details?.[0]?.path).toBe('q');
  });

  it('filter the generations, also those without one', async () => {
    expect(await listed({ client: 'Acme' })).toEqual(['Acme', 'Acme']);
    expect(await listed({ client: null })).toEqual([null]);
    expect(await listed({ client: 'Nobody' })).toEqual([]);
    const { error } = await service.callError('list_generations', { query: { tags: 'x' } });
    expect(error.details?.[0]?.path).toBe('tags');
  });

  it('of others are unknown to members who see only their own work', async () => {
    await service.call('update_settings', { body: { members_see_own_work_only: true } });
    expect(await values({}, noa)).toEqual(['Acme', 'Beta 100%']);
    expect(await values({}, mia)).toEqual(['Gamma', 'Acme']);
    expect(await listed({ client: 'Gamma' }, noa)).toEqual([]);
    expect(await values({}, service.keys.organization)).toEqual(['Acme', 'Gamma', 'Beta 100%']);
  });

  it('are one value whatever their case, in the spelling that was used first', async () => {
    const order = async (client: string) =>
      (await service.call('create_generation', { key: mia, body: { ...ORDER, metadata: { client } } })).body;
    const generation = await order('ACME');
    expect([generation.tags, generation.metadata]).toEqual([{ client: 'Acme' }, { client: 'ACME' }]);
    expect(await listed({ client: 'Acme' }, service.keys.organization)).toEqual(['Acme', 'Acme', 'Acme']);
    const body = { label: 'Size', required: false, values: ['Large'] };
    await service.call('set_tag', { params: { tag_name: 'size' }, body });
    const sized = { ...ORDER, metadata: { size: 'large' } };
    expect((await service.call('create_generation', { key: mia, body: sized })).body.tags).toEqual({ size: 'Large' });
  });
});
