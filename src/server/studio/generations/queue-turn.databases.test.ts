import { TransactionRollbackError, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { type TestOrganization, describeOnBothDatabases } from './testing/shared-service-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { createFakeProviderAdapter } from './testing/fake-provider-adapter.ts';
import { type FakeProviderServer, startFakeProviderServer } from './testing/fake-provider-server.ts';
import { waitFor } from './testing/wait-for.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

let upstream: FakeProviderServer;
beforeAll(async () => {
  upstream = await startFakeProviderServer();
});
afterAll(() => upstream.close());

const UPSTREAM_MODEL = 'imgmodel-a-2';
const local = createScriptedEngine();
const engine = createUpstreamEngine({
  name: 'studio',
  adapter: createFakeProviderAdapter(() => upstream, { pollAfterMs: 5 }),
  supports: (_task, model) => model === UPSTREAM_MODEL,
});
const config = { workerConcurrency: 1, upstreamConcurrency: 1, maxQueuedFreeGenerations: 3 };

describeOnBothDatabases(
  'Keys with work in the queue',
  () => ({ engines: [engine, local], config }),
  (service) => {
    const bench = createWorkerFixture(service);
    afterEach(() => bench.stop());

    const addKey = async (studio: TestOrganization, name: string): Promise<TestOrganization> => {
      const { key } = (await studio.call('create_api_key', { body: { name, kind: 'member' } })).body;
      return { ...studio, key, ...createTestClient(service.get().app, key) };
    };
    const createMany = async (studio: TestOrganization, count: number, order: Record<string, unknown>) => {
      const created = await Promise.all(Array.from({ length: count }, () => bench.create(studio, 'a pear', order)));
      return created.map(({ id }) => id);
    };
    const isDone = (studio: TestOrganization, id: string) => async () =>
      (await bench.read(studio, id)).status === 'succeeded';

    it.each([
      ['in this process', { model: 'imgmodel-b-2' }, () => local.jobs.map(({ generation_id }) => generation_id)],
      ['at another service', { model: UPSTREAM_MODEL }, () => upstream.submits],
    ])('take turns %s regardless of how many generations each has queued', async (_where, order, started) => {
      const first = await service.createOrganization('10');
      const second = await addKey(first, 'Second');
      const third = await addKey(first, 'Third');
      const many = await createMany(first, 8, order);
      const few = await createMany(second, 2, order);
      const [late = ''] = await createMany(third, 1, order);
      await bench.start();
      for (const id of [...many, ...few, late]) await waitFor(`the end of ${id}`, isDone(first, id));
      const places = started().filter((id) => [...many, ...few, late].includes(id));
      // Two may run at once and start in either order. By age it would be the last of eleven.
      expect(places.indexOf(late)).toBeLessThanOrEqual(4);
      expect(few.map((id) => places.indexOf(id)).sort((a, b) => a - b)[1]).toBeLessThanOrEqual(6);
    });

    it.each([
      ['in two workers', { model: 'imgmodel-b-2' }, () => local.jobs.map(({ generation_id }) => generation_id)],
      ['at another service', { model: UPSTREAM_MODEL }, () => upstream.submits],
    ])('of one organization share its turns %s', async (_where, order, started) => {
      const many = await service.createOrganization('10');
      const colleagues = [many];
      for (const name of ['B', 'C', 'D', 'E', 'F']) colleagues.push(await addKey(many, name));
      const theirs: string[] = [];
      for (const colleague of colleagues) theirs.push(...(await createMany(colleague, 5, order)));
      const few = await service.createOrganization('10');
      const late: string[] = [];
      for (let count = 0; count < 4; count += 1) late.push(...(await createMany(few, 1, order)));
      const turnOf = new Map(
        (await service.get().deps.db.select().from(generations)).map(({ id, turn }) => [id, turn] as const),
      );
      const turns = (ids: readonly string[]) => ids.map((id) => turnOf.get(id) ?? -1).sort((a, b) => a - b);
      expect(colleagues.map((_, at) => turns(theirs.slice(5 * at, 5 * at + 5)))).toEqual([
        [0, 1, 2, 3, 4],
        [0, 2, 4, 6, 8],
        [1, 4, 7, 10, 13],
        [2, 6, 10, 14, 18],
        [3, 8, 13, 18, 23],
        [4, 10, 16, 22, 28],
      ]);
      expect(turns(late)).toEqual([0, 1, 2, 3]);
      await bench.start();
      await bench.start();
      for (const id of theirs) await waitFor(`the end of ${id}`, isDone(many, id));
      for (const id of late) await waitFor(`the end of ${id}`, isDone(few, id));
      const places = started().filter((id) => [...theirs, ...late].includes(id));
      // By turn it is the 13th; spare slots may start work of idle keys before it. If each key had its
      // own turns, it would be the 28th.
      expect(places.indexOf(late[3] ?? '')).toBeLessThanOrEqual(20);
      // The first of the last colleague does not wait for all of the others.
      expect(Math.min(...theirs.slice(25).map((id) => places.indexOf(id)))).toBeLessThanOrEqual(24);
    });

    it('do not wait for long work of another key', async () => {
      const first = await service.createOrganization('10');
      const second = await addKey(first, 'Second');
      const order = { model: 'imgmodel-b-2' };
      const long = [await bench.create(first, 'hang', order), await bench.create(first, 'hang', order)];
      await bench.start();
      await bench.waitForStatus(first, long[0]?.id ?? '', 'running');
      const quick = await bench.create(second, 'a pear', order);
      await bench.waitForStatus(first, quick.id, 'succeeded');
      const next = await bench.create(second, 'a pear', order);
      await bench.waitForStatus(first, next.id, 'succeeded');
      expect((await bench.read(first, long[1]?.id ?? '')).status).toBe('queued');
      for (const { id } of long) await first.call('cancel_generation', { params: { generation_id: id } });
    });

    it('do not wait in one lane for work queued in the other', async () => {
      const studio = await service.createOrganization('10');
      await createMany(studio, 5, { model: UPSTREAM_MODEL });
      const [id = ''] = await createMany(studio, 1, { model: 'imgmodel-b-2' });
      const { db } = service.get().deps;
      const [row] = await db.select().from(generations).where(eq(generations.id, id));
      expect(row).toMatchObject({ lane: 'generation.run', turn: 0 });
    });

    it('get their turn without a scan of the queue, before and after it has statistics', async () => {
      const studio = await service.createOrganization('10');
      const { id } = await bench.create(studio, 'a pear');
      const readRows = sql<number>`select (seq_tup_read + idx_tup_fetch)::integer as count
        from pg_stat_xact_user_tables where relname = 'generations'`;
      const counted = service.get().deps.db.transaction(async (tx) => {
        const countRows = async () =>
          ((await tx.execute(readRows)) as { rows: { count: number }[] }).rows[0]?.count ?? 0;
        await tx.execute(sql`insert into api_keys select (jsonb_populate_record(api_keys,
            jsonb_build_object('id', api_keys.id || n, 'secret_sha256', api_keys.id || n))).*
          from api_keys, generations, generate_series(1, 20) as n
          where api_keys.id = created_by and generations.id = ${id}`);
        await tx.execute(sql`insert into generations select (jsonb_populate_record(generations,
            jsonb_build_object('id', id || n, 'chain_id', id || n, 'turn', n))).*
          from generations, generate_series(1, 500) as n where id = ${id}`);
        const counts: number[] = [];
        for (const statement of ['select', 'analyze generations']) {
          await tx.execute(sql.raw(statement));
          const before = await countRows();
          await tx.execute(sql`select next_turn(created_by || n, lane) from generations, generate_series(1, 2) as n
            where id = ${id}`);
          counts.push((await countRows()) - before);
        }
        expect(Math.max(...counts)).toBeLessThan(100);
        tx.rollback();
      });
      await expect(counted).rejects.toThrow(TransactionRollbackError);
    });

    it('get 429 above the limit of queued free generations', async () => {
      const studio = await service.createOrganization('1');
      const video = { url: 'https://example.com/a.mp4' };
      const body = { task: 'video.extract_audio', input: { video } };
      const answers = await Promise.all(Array.from({ length: 6 }, () => studio.request('create_generation', { body })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
      const refused = await studio.callError('create_generation', { body });
      expect(refused.error).toMatchObject({
        code: 'rate_limit_exceeded',
        message:
          'This key has reached its limit of 3 queued free generations. Wait until some have started, or cancel some.',
      });
      expect(refused.headers['retry-after']).toBe('10');
      const other = await addKey(studio, 'Other');
      expect((await other.call('create_generation', { body })).status).toBe(201);
      await createMany(studio, 1, { model: 'imgmodel-b-2' });
    });
  },
);
