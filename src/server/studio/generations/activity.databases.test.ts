import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { claimGeneration } from './generation-lease.ts';
import { settleSucceeded } from './settle-generation.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { describeOnBothDatabases, type TestOrganization } from './testing/shared-service-fixture.ts';

const config = { workerConcurrency: 1 };

describeOnBothDatabases(
  'Activity',
  () => ({ engines: [createScriptedEngine()], config }),
  (service) => {
    let studio: TestOrganization;

    const create = async (by: TestOrganization, count = 1): Promise<string[]> => {
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) {
        const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: `a pear ${made}` } };
        ids.push((await by.call('create_generation', { body })).body.id);
      }
      return ids;
    };
    const addKey = async (name: string): Promise<TestOrganization> => {
      const { key } = (await studio.call('create_api_key', { body: { name, kind: 'member' } })).body;
      return { ...studio, key, ...createTestClient(service.get().app, key) };
    };
    const available = async () => (await studio.call('get_billing_summary')).body.available_usd;
    const statusOf = async (id: string) =>
      (await studio.call('get_generation', { params: { generation_id: id } })).body.status;
    const readActivity = async (by: TestOrganization) => (await by.call('get_activity')).body;
    const claim = async (id: string) => {
      const lease = await claimGeneration(service.get().deps, id);
      if (!lease) throw new Error(`${id} could not be claimed.`);
      return lease;
    };

    beforeEach(async () => {
      await service
        .get()
        .deps.db.update(generations)
        .set({ status: 'canceled' })
        .where(sql`true`);
      studio = await service.createOrganization('100');
    });

    it('lists own work with its place in the queue of all keys', async () => {
      const other = await addKey('Other');
      const [running = '', ...mine] = await create(studio, 4);
      await claim(running);
      const [theirs = ''] = await create(other, 1);
      const activity = await readActivity(studio);
      expect(activity).toMatchObject({ running: 1, queued: 3, seconds_left: null, workflow_runs: [] });
      expect(activity.generations.map(({ generation, queue_position }) => [generation.id, queue_position])).toEqual([
        [running, null],
        [mine[0], 1],
        // Keys take turns.
        [mine[1], 3],
        [mine[2], 4],
      ]);
      expect(
        (await readActivity(other)).generations.map(({ generation, queue_position }) => [
          generation.id,
          queue_position,
        ]),
      ).toEqual([[theirs, 2]]);
    });

    it('estimates times from the own history, without the time in the queue', async () => {
      const { deps } = service.get();
      for (const id of await create(studio, 2)) {
        await settleSucceeded(deps, await claim(id), { outputs: [], data: { engine: 'preview' }, lengths: {} });
        const started_at = sql`${generations.completed_at} - interval '20 seconds'`;
        await deps.db.update(generations).set({ started_at }).where(eq(generations.id, id));
      }
      deps.clock.advance(120_000);
      const [running = ''] = await create(studio, 3);
      await claim(running);
      deps.clock.advance(5_000);
      const activity = await readActivity(studio);
      expect(activity.generations.map(({ seconds_left }) => seconds_left)).toEqual([15, 35, 55]);
      expect(activity.seconds_left).toBe(55);
    });

    it('cancels several generations and says which were kept, and why', async () => {
      const before = await available();
      const [done = '', ...ids] = await create(studio, 4);
      await settleSucceeded(service.get().deps, await claim(done), { outputs: [], data: null, lengths: {} });
      await claim(ids[0] ?? '');
      const { body } = await studio.call('cancel_generations', { body: { ids: [...ids, done, 'gen_x'] } });
      expect(body).toEqual({
        object: 'generation_cancellation',
        canceled: ids,
        kept: [
          { id: done, status: 'succeeded' },
          { id: 'gen_x', status: null },
        ],
        has_more: false,
      });
      expect(await statusOf(ids[0] ?? '')).toBe('canceled');
      expect(Number(before) - Number(await available())).toBeCloseTo(0.03, 6);
      const again = await studio.call('cancel_generations', { body: { ids } });
      expect(again.body.canceled).toEqual([]);
    });

    it('cancels all queued generations of the caller, and nothing else', async () => {
      const other = await addKey('Other');
      const [running = '', ...queued] = await create(studio, 62);
      await claim(running);
      const [theirs = ''] = await create(other, 1);
      const [ofRun = ''] = await create(studio, 1);
      await service
        .get()
        .deps.db.update(generations)
        .set({ workflow_run_id: createId('run', new Date()) })
        .where(eq(generations.id, ofRun));
      const { body } = await studio.call('cancel_generations', { body: { status: 'queued' } });
      expect(body.canceled.toSorted()).toEqual(queued.toSorted());
      expect(body).toMatchObject({ kept: [], has_more: false });
      expect(await Promise.all([running, theirs, ofRun].map(statusOf))).toEqual(['running', 'queued', 'queued']);
    });

    it('hides the work of others from members who see only their own', async () => {
      const { addPerson, app, call } = service.get();
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } };
      const { id } = (await call('create_generation', { body })).body;
      await call('update_settings', { body: { members_see_own_work_only: true } });
      const member = createTestClient(app, (await addPerson('member')).session);
      const canceled = await member.call('cancel_generations', { body: { ids: [id] } });
      expect(canceled.body).toMatchObject({ canceled: [], kept: [{ id, status: null }] });
      expect((await call('get_generation', { params: { generation_id: id } })).body.status).toBe('queued');
    });

    it.each([
      [{}, 'ids'],
      [{ ids: [] }, 'ids'],
      [{ ids: Array.from({ length: 501 }, () => 'gen_x') }, 'ids'],
      [{ status: 'running' }, 'status'],
      [{ ids: ['gen_x'], status: 'queued' }, 'ids'],
    ])('returns 422 for %o', async (body, path) => {
      const { status, error } = await studio.callError('cancel_generations', { body: body as never });
      expect([status, error.details?.[0]?.path]).toEqual([422, path]);
    });
  },
);
