import { expect, it } from 'vitest';
import { createQuickEngine } from '#server/studio/workflows/testing/quick-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { advanceBatch } from './advance-batch.ts';
import { requeueStalledBatches } from './batch-advancer.ts';
import { advanceAll, listActive, listOrders, neverAborted, readBatch, searchOrder } from './testing/batch-fixture.ts';

const searches = (count: number, limit = 10) =>
  Array.from({ length: count }, (_, index) => searchOrder(`posts ${index}`, limit));

describeOnBothDatabases(
  'a list of orders',
  () => ({ engines: [createQuickEngine()] }),
  (service) => {
    const create = async (studio: TestOrganization, orders: readonly object[], more: object = {}) =>
      (await studio.call('create_batch', { body: { mode: 'list', orders, ...more } })).body;
    const advance = (id: string) => advanceBatch(service.get().deps, id, neverAborted, Infinity);

    it('starts its orders in order, a few at a time, and completes', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, searches(20), { name: 'Twenty' });
      expect(batch).toMatchObject({ name: 'Twenty', status: 'running', counts: { total: 20, waiting: 20 } });
      expect(batch).toMatchObject({ estimated_usd: '1.40', reserved_usd: '0.00' });
      await advance(batch.id);
      await advance(batch.id);
      expect(await listActive(service.get().deps.db, batch.id)).toHaveLength(8);
      expect(await readBatch(studio, batch.id)).toMatchObject({
        counts: { waiting: 12, active: 8 },
        reserved_usd: '0.56',
      });
      await advanceAll(service.get().deps, batch.id);
      const done = await readBatch(studio, batch.id);
      expect(done).toMatchObject({ status: 'completed', counts: { succeeded: 20 }, spent_usd: '1.40' });
      const orders = await listOrders(studio, batch.id);
      expect(orders.map(({ generation }) => generation?.input['query'])).toEqual(
        searches(20).map(({ input }) => input.query),
      );
      const ids = orders.map(({ generation }) => generation?.id ?? '');
      expect(ids).toEqual([...ids].sort());
    });

    it('marks orders that can not start as failed, with the reason, and continues', async () => {
      const studio = await service.createOrganization('50');
      const orders = [
        searchOrder('fine'),
        searchOrder(' '),
        { ...searchOrder('x'), task: 'no.task' },
        searchOrder('also'),
      ];
      const batch = await create(studio, orders);
      expect(batch.estimated_usd).toBe('0.14');
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({
        status: 'completed',
        counts: { succeeded: 2, failed: 2 },
      });
      const failed = await listOrders(studio, batch.id, { status: 'failed' });
      expect(failed.map(({ index, error }) => [index, error?.code, error?.details?.[0]?.path])).toEqual([
        [1, 'invalid_request', 'input.query'],
        [2, 'task_not_found', undefined],
      ]);
    });

    it('stops before an order would exceed its limit, and continues with a new one', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, searches(6), { stop_at_usd: '0.30' });
      await advanceAll(service.get().deps, batch.id);
      const paused = await readBatch(studio, batch.id);
      expect(paused).toMatchObject({
        status: 'paused',
        pause_reason: 'stop_at',
        spent_usd: '0.28',
        stop_at_usd: '0.30',
      });
      expect(paused.pause_message).toBe('The next order costs $0.07, and $0.28 of $0.30 is used.');
      const params = { batch_id: batch.id };
      await studio.call('resume_batch', { params, body: {} });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'paused', counts: { waiting: 2 } });
      const resumed = (await studio.call('resume_batch', { params, body: { stop_at_usd: null } })).body;
      expect(resumed).toMatchObject({ status: 'running', stop_at_usd: null, pause_reason: null, pause_message: null });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed', spent_usd: '0.42' });
    });

    it('is resumed, raised and retried only by who created it and by administrators', async () => {
      const { call, callError, addPerson, deps } = service.get();
      const owner = await addPerson('administrator', 'Ada');
      const member = await addPerson('member', 'Mia');
      const scopes = { tasks: ['video.trim'], models: null, read_only: false };
      const addKey = async (body: object, key?: string) =>
        (await call('create_api_key', { body: { name: 'K', ...body }, ...(key === undefined ? {} : { key }) })).body
          .key;
      const others = [
        await addKey({ kind: 'organization', scopes }),
        await addKey({ kind: 'member', owner: 'me' }, owner.session),
        member.session,
      ];
      const createBody = { mode: 'list', orders: searches(3), stop_at_usd: '0.10' };
      const { id } = (await call('create_batch', { key: owner.session, body: createBody })).body;
      await advanceAll(deps, id);
      const params = { batch_id: id };
      for (const key of others) {
        const raised = await callError('resume_batch', { key, params, body: { stop_at_usd: null } });
        expect([raised.status, raised.error.code]).toEqual([401, 'authentication_error']);
        expect((await callError('retry_batch', { key, params })).status).toBe(401);
      }
      expect(await readBatch({ call }, id)).toMatchObject({ status: 'paused', stop_at_usd: '0.10' });
      await call('resume_batch', { key: owner.session, params, body: { stop_at_usd: '0.15' } });
      await advanceAll(deps, id);
      await call('resume_batch', { params, body: { stop_at_usd: null } });
      await advanceAll(deps, id);
      expect(await readBatch({ call }, id)).toMatchObject({ status: 'completed', spent_usd: '0.21' });
      const { data } = (await call('list_audit_events', { query: { action: 'batch.resumed', target_id: id } })).body;
      expect(data.map(({ actor, before, after }) => [actor.name, before, after])).toMatchObject([
        ['Bootstrap key', { stop_at_usd: '0.15' }, { stop_at_usd: null }],
        ['Ada', { stop_at_usd: '0.10' }, { stop_at_usd: '0.15' }],
      ]);
    });

    it('pauses while funds or a budget do not cover the next order', async () => {
      const studio = await service.createOrganization('0.20');
      const batch = await create(studio, searches(4));
      await advanceAll(service.get().deps, batch.id);
      const poor = await readBatch(studio, batch.id);
      expect(poor).toMatchObject({ status: 'paused', pause_reason: 'funds', counts: { succeeded: 2, waiting: 2 } });
      expect(poor.pause_message).toContain('$0.06 is available');
      await studio.call('create_credit', { body: { amount_usd: '5', description: 'More' } });
      const scope = 'organization';
      const { body: budget } = await studio.call('set_budget', { body: { scope, interval: 'day', limit_usd: '0.14' } });
      await studio.call('resume_batch', { params: { batch_id: batch.id }, body: {} });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'paused', pause_reason: 'budget' });
      await studio.call('delete_budget', { params: { budget_id: budget.id } });
      await studio.call('resume_batch', { params: { batch_id: batch.id }, body: {} });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed', counts: { succeeded: 4 } });
    });

    it('pauses and resumes when asked to', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, searches(10));
      const params = { batch_id: batch.id };
      await advance(batch.id);
      const paused = (await studio.call('pause_batch', { params })).body;
      expect(paused).toMatchObject({ status: 'paused', pause_reason: 'requested', counts: { active: 8, waiting: 2 } });
      await advanceAll(service.get().deps, batch.id);
      const quiet = (await studio.call('pause_batch', { params })).body;
      expect(quiet).toMatchObject({ status: 'paused', counts: { succeeded: 8, waiting: 2 } });
      await studio.call('resume_batch', { params, body: {} });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed' });
      expect((await studio.call('pause_batch', { params })).body.status).toBe('completed');
    });

    it('cancels what waits, and active orders if asked to', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, searches(10));
      await advance(batch.id);
      const params = { batch_id: batch.id };
      const canceled = (await studio.call('cancel_batch', { params, body: {} })).body;
      expect(canceled).toMatchObject({ status: 'canceled', counts: { canceled: 2, active: 8 } });
      const all = (await studio.call('cancel_batch', { params, body: { cancel_running: true } })).body;
      expect(all).toMatchObject({ status: 'canceled', counts: { canceled: 10 }, reserved_usd: '0.00' });
      await advanceAll(service.get().deps, batch.id);
      expect((await readBatch(studio, batch.id)).counts.canceled).toBe(10);
    });

    it('starts failed orders again, as retries where they have a generation', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, [searchOrder('fail here'), searchOrder(' '), searchOrder('fine')]);
      await advanceAll(service.get().deps, batch.id);
      const [first] = await listOrders(studio, batch.id);
      expect((await readBatch(studio, batch.id)).counts).toMatchObject({ failed: 2, succeeded: 1 });
      const params = { batch_id: batch.id };
      const retried = (await studio.call('retry_batch', { params })).body;
      expect(retried).toMatchObject({ status: 'running', completed_at: null, counts: { waiting: 2, succeeded: 1 } });
      await advance(batch.id);
      const [again, invalid] = await listOrders(studio, batch.id);
      expect(again?.generation).toMatchObject({
        retry_of: first?.generation?.id,
        status: 'queued',
        batch_id: batch.id,
      });
      expect(invalid).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed', counts: { failed: 2, total: 3 } });
      expect((await readBatch(studio, batch.id)).spent_usd).toBe('0.07');
    });

    it('starts nothing more for a key that was revoked', async () => {
      const studio = await service.createOrganization('50');
      const { body: key } = await studio.call('create_api_key', { body: { name: 'Shop', kind: 'member' } });
      const body = { mode: 'list', orders: searches(3) };
      const { body: batch } = await studio.call('create_batch', { key: key.key, body });
      await studio.call('delete_api_key', { params: { key_id: key.id } });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed', counts: { failed: 3 } });
      expect((await listOrders(studio, batch.id))[0]?.error?.code).toBe('key_revoked');
    });

    it('needs an approval by what it can cost, and never exceeds the limit', async () => {
      const { call, callError, addPerson, deps } = service.get();
      const { session: key } = await addPerson('member', 'Ben');
      await call('update_settings', { body: { approval_above_usd: '0.20' } });
      const body = { mode: 'list', orders: searches(4) };
      expect((await callError('create_batch', { key, body })).error.code).toBe('approval_required');
      const bounded = { ...body, stop_at_usd: '0.20' };
      const { id } = (await call('create_batch', { key, body: bounded })).body;
      await call('resume_batch', { key, params: { batch_id: id }, body: {} });
      await advanceAll(deps, id);
      await call('resume_batch', { key, params: { batch_id: id }, body: { stop_at_usd: null } });
      await advanceAll(deps, id);
      const paused = await readBatch({ call }, id);
      expect(paused).toMatchObject({ status: 'paused', pause_reason: 'approval', spent_usd: '0.14' });
      await call('update_settings', { body: { approval_above_usd: null } });
    });

    it('exports its orders and results as CSV, without formulas', async () => {
      const studio = await service.createOrganization('50');
      const batch = await create(studio, [searchOrder('=1+1'), searchOrder(' '), searchOrder('fail')]);
      await advanceAll(service.get().deps, batch.id);
      const csv = await studio.callCsv('export_batch', { params: { batch_id: batch.id } });
      const [header, ...rows] = csv.trim().split('\r\n');
      expect(header?.replaceAll('"', '')).toContain(
        'index,prompt,task,model,status,cost_usd,generation_id,details,results,error',
      );
      expect(rows[0]).toMatch(
        /^1,"'=1\+1","social\.search",,"succeeded",0\.07,"gen_\w+","http\S+\/generations\/gen_\w+",,$/,
      );
      expect(rows[1]).toMatch(/^2," ","social\.search",,"failed",,,,,"\S/);
      expect(rows[2]).toMatch(/^3,"fail","social\.search",,"failed",,"gen_/);
    });

    it('is enqueued again if its job was lost', async () => {
      const studio = await service.createOrganization('50');
      await create(studio, searches(1));
      expect(await requeueStalledBatches(service.get().deps, 0)).toBeGreaterThan(0);
      expect(await requeueStalledBatches(service.get().deps, 3_600_000)).toBe(0);
    });

    it('is listed newest first by page, with its orders by page', async () => {
      const studio = await service.createOrganization('50');
      const ids = [];
      for (let at = 0; at < 3; at += 1) ids.push((await create(studio, searches(5))).id);
      const first = (await studio.call('list_batches', { query: { limit: 2 } })).body;
      const rest = (await studio.call('list_batches', { query: { limit: 2, cursor: first.next_cursor ?? '' } })).body;
      expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids.toReversed());
      const params = { batch_id: ids[0] ?? '' };
      const page = (await studio.call('list_batch_orders', { params, query: { limit: 3 } })).body;
      const query = { limit: 3, cursor: page.next_cursor ?? '' };
      const next = (await studio.call('list_batch_orders', { params, query })).body;
      expect([...page.data, ...next.data].map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
      const bad = { params, query: { cursor: 'AAAA.BBBB' } };
      expect((await studio.callError('list_batch_orders', bad)).status).toBe(400);
    });
  },
);
