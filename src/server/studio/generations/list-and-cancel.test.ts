import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration } from './generation-lease.ts';
import { settleFailed, settleSucceeded } from './settle-generation.ts';
import { type TestOrganization, useSharedService } from './testing/shared-service-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';

const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine] }));
let studio: TestOrganization;

const create = async (prompt: string, by: TestOrganization = studio): Promise<Generation> => {
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt } };
  return (await by.call('create_generation', { body })).body;
};
const params = (id: string) => ({ params: { generation_id: id } });
const read = async (id: string) => (await studio.call('get_generation', params(id))).body;
const retryCode = async (id: string) => {
  const { status, error } = await studio.callError('retry_generation', params(id));
  return `${status} ${error.code}`;
};
async function end(id: string, status: 'succeeded' | 'failed'): Promise<void> {
  const { deps } = service.get();
  const lease = await claimGeneration(deps, id);
  if (!lease) throw new Error(`${id} could not be claimed.`);
  if (status === 'succeeded') await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
  else await settleFailed(deps, lease, { code: 'engine_failed', message: 'No.', retryable: true });
}
const force = (id: string, status: GenerationStatus) =>
  service.get().deps.db.update(generations).set({ status }).where(eq(generations.id, id));

describe('list', () => {
  let all: Generation[];
  const list = async (query: Record<string, string | number> = {}) =>
    (await studio.call('list_generations', { query })).body;
  const ids = async (query: Record<string, string | number>) => (await list(query)).data.map(({ id }) => id);

  beforeAll(async () => {
    studio = await service.createOrganization('100');
    all = [];
    for (const prompt of [
      'A red lighthouse',
      'a 100% blue_boat',
      'a 1000 blueXboat',
      'back\\slash',
      'A LIGHTHOUSE again',
    ]) {
      service.get().deps.clock.advance(1_000);
      all.unshift(await create(prompt));
    }
    const search = { task: 'social.search', input: { platform: 'social_a', query: 'lighthouse keepers', limit: 1 } };
    service.get().deps.clock.advance(1_000);
    all.unshift((await studio.call('create_generation', { body: search })).body);
  });

  it('returns consecutive pages, newest first', async () => {
    expect(await ids({})).toEqual(all.map(({ id }) => id));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list({ limit: 4, ...(cursor ? { cursor } : {}) });
      seen.push(...page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  it('returns no cursor on the last page', async () => {
    expect(await list({ limit: 6 })).toMatchObject({ has_more: false, next_cursor: null });
    expect(await list({ limit: 5 })).toMatchObject({ has_more: true });
  });

  it.each([
    ['lighthouse', [0, 1, 5]],
    ['100%', [3, 4]],
    ['blue boat', [4]],
    ['oat', []],
    ['%', []],
    ['no such thing', []],
  ])('finds “%s” from the start of a word on, regardless of case', async (q, places) => {
    expect(await ids({ q })).toEqual(places.map((at) => all[at]?.id));
  });

  it('filters by status, task, model and time', async () => {
    expect(await ids({ task: 'social.search' })).toEqual([all[0]?.id]);
    expect(await ids({ model: 'imgmodel-a-2' })).toHaveLength(5);
    expect(await ids({ status: 'running' })).toEqual([]);
    expect(await ids({ status: 'queued' })).toHaveLength(6);
    const third = all[2]?.created_at ?? '';
    expect(await ids({ created_after: third })).toEqual(all.slice(0, 3).map(({ id }) => id));
    expect(await ids({ created_before: third })).toEqual(all.slice(3).map(({ id }) => id));
    expect(await ids({ created_after: '9999-12-31T23:59:59-12:00' })).toEqual([]);
    expect(await ids({ created_after: '0000-01-01T00:00:00Z', task: '', q: '' })).toHaveLength(6);
  });

  it.each<Record<string, string | number>>([
    { limit: 0 },
    { limit: 201 },
    { limit: 'x' },
    { status: 'done' },
    { task: 'x' },
    { created_after: 'today' },
  ])('returns 422 for %o', async (query) => {
    expect(await studio.callError('list_generations', { query })).toMatchObject({
      status: 422,
      error: { code: 'invalid_request' },
    });
  });

  it('returns 422 for a cursor that is invalid or of another organization or list', async () => {
    const { next_cursor } = await list({ limit: 1 });
    const other = await service.createOrganization('1');
    const cursor = next_cursor ?? '';
    expect((await other.callError('list_generations', { query: { cursor } })).status).toBe(422);
    expect((await studio.callError('list_ledger', { query: { cursor } })).status).toBe(400);
    for (const madeUp of ['x', `${cursor}x`, 'AAAA.BBBB', '.']) {
      expect((await studio.callError('list_generations', { query: { cursor: madeUp } })).status).toBe(422);
    }
  });
});

describe('another organization', () => {
  it('gets the same 404 as for an unknown generation', async () => {
    studio = await service.createOrganization('1');
    const other = await service.createOrganization('1');
    const { id } = await create('mine');
    const unknown = `gen_${'0'.repeat(26)}`;
    for (const name of ['get_generation', 'cancel_generation', 'retry_generation'] as const) {
      const [foreign, never] = [await other.callError(name, params(id)), await other.callError(name, params(unknown))];
      const strip = ({ status, error }: typeof foreign) => ({ status, error: { ...error, request_id: '' } });
      expect(strip(foreign)).toEqual(strip(never));
      expect(foreign).toMatchObject({ status: 404, error: { code: 'generation_not_found' } });
    }
    expect((await other.call('list_generations')).body.data).toEqual([]);
    expect((await other.call('list_ledger', { query: { generation_id: id } })).body.data).toEqual([]);
    expect((await read(id)).status).toBe('queued');
  });

  it.each(['a%20b', 'x'.repeat(65), 'é'])('returns 422 for the malformed id %s', async (id) => {
    const answer = await studio.callError('get_generation', params(decodeURIComponent(id)));
    expect(answer).toMatchObject({ status: 422, error: { code: 'invalid_request' } });
  });
});

describe('cancel', () => {
  beforeEach(async () => {
    studio = await service.createOrganization('1');
  });

  it('releases the reservation and changes nothing the second time', async () => {
    const { id } = await create('x');
    const first = await studio.call('cancel_generation', params(id));
    expect(first.body).toMatchObject({ status: 'canceled', usage: { amount_usd: '0.03', billing_status: 'released' } });
    expect(first.body.completed_at).not.toBeNull();
    service.get().deps.clock.advance(1_000);
    const second = await studio.call('cancel_generation', params(id));
    expect(second.body).toEqual(first.body);
    expect((await studio.call('get_billing_summary')).body).toMatchObject({
      available_usd: '1.00',
      reserved_usd: '0.00',
    });
  });

  it.each(['succeeded', 'failed'] as const)('does not change a generation that has %s', async (status) => {
    const { id } = await create('x');
    await end(id, status);
    const before = await read(id);
    expect((await studio.call('cancel_generation', params(id))).body).toEqual(before);
  });

  it('does not change a generation in manual review', async () => {
    const { id } = await create('x');
    await force(id, 'manual_review');
    const { body } = await studio.call('cancel_generation', params(id));
    expect(body).toMatchObject({ status: 'manual_review', completed_at: null, usage: { billing_status: 'reserved' } });
  });
});

describe('retry', () => {
  beforeEach(async () => {
    studio = await service.createOrganization('1');
  });

  it('creates a new generation with the same request and metadata', async () => {
    const order = {
      task: 'image.create',
      model: 'imgmodel-a-2',
      input: { prompt: 'x', resolution: '2K', aspect_ratio: '1:1' },
    };
    const { body: first } = await studio.call('create_generation', { body: { ...order, metadata: { a: 'b' } } });
    await end(first.id, 'failed');
    const { status, body } = await studio.call('retry_generation', params(first.id));
    expect(status).toBe(201);
    const { task, model, input, metadata, usage } = first;
    expect(body).toMatchObject({
      task,
      model,
      input,
      metadata,
      usage,
      status: 'queued',
      retry_of: first.id,
      error: null,
    });
    expect(body.id).not.toBe(first.id);
  });

  it('returns 409 for a queued, running, succeeded generation or one in review', async () => {
    const { id } = await create('x');
    expect(await retryCode(id)).toBe('409 retry_not_allowed');
    for (const status of ['running', 'manual_review'] as const) {
      await force(id, status);
      expect(await retryCode(id)).toBe('409 retry_not_allowed');
    }
    await force(id, 'queued');
    await end(id, 'succeeded');
    expect(await retryCode(id)).toBe('409 retry_not_allowed');
  });

  it('returns 409 for an older attempt, depending on the status of the latest', async () => {
    const { id } = await create('x');
    await end(id, 'failed');
    const { body: second } = await studio.call('retry_generation', params(id));
    expect(await retryCode(id)).toBe('409 active_retry_exists');
    expect(await retryCode(second.id)).toBe('409 retry_not_allowed');
    await studio.call('cancel_generation', params(second.id));
    expect(await retryCode(id)).toBe('409 retry_not_latest');
    const { body: third } = await studio.call('retry_generation', params(second.id));
    expect(await retryCode(id)).toBe('409 active_retry_exists');
    await end(third.id, 'succeeded');
    expect(await retryCode(second.id)).toBe('409 retry_not_latest');
  });

  it('returns 402 without sufficient balance and creates nothing', async () => {
    const { id } = await create('x');
    await end(id, 'failed');
    await studio.call('create_credit', { body: { amount_usd: '-0.98', description: 'Less' } });
    expect((await studio.callError('retry_generation', params(id))).status).toBe(402);
    expect((await studio.call('list_generations')).body.data).toHaveLength(1);
  });

  it('returns 400 if the model was disabled since', async () => {
    const { id } = await create('x');
    await end(id, 'failed');
    const { supports } = engine;
    engine.supports = (task) => task !== 'image.create';
    expect(await retryCode(id)).toBe('400 task_unavailable');
    engine.supports = supports;
    expect((await studio.call('retry_generation', params(id))).status).toBe(201);
  });
});
