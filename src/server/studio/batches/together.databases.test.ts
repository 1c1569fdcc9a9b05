import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { batches } from '#server/platform/db/schema/batch-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { advanceAll, listOrders, readBatch } from './testing/batch-fixture.ts';

const picture = (prompt: string, model = 'imgmodel-a-2', metadata?: Record<string, string>) => ({
  task: 'image.create',
  model,
  input: { prompt },
  ...(metadata ? { metadata } : {}),
});
const together = (orders: readonly object[], more: object = {}) => ({ mode: 'together', orders, ...more });

describeOnBothDatabases(
  'orders together',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const count = async ({ organization_id }: TestOrganization) => {
      const { db } = service.get().deps;
      const ofGenerations = eq(generations.organization_id, organization_id);
      const ofBatches = eq(batches.organization_id, organization_id);
      return [await db.$count(generations, ofGenerations), await db.$count(batches, ofBatches)];
    };

    it('start in one transaction, as generations of their own', async () => {
      const studio = await service.createOrganization('50');
      const body = together([picture('a'), picture('b'), picture('c')], { name: 'Trio', metadata: { job: '7' } });
      const { body: batch } = await studio.call('create_batch', { body });
      expect(batch).toMatchObject({ status: 'running', counts: { total: 3, active: 3 }, reserved_usd: '0.09' });
      expect(batch.generations?.map(({ input }) => input['prompt'])).toEqual(['a', 'b', 'c']);
      const { data } = (await studio.call('list_generations', { query: { batch_id: batch.id } })).body;
      expect(data.map(({ batch_id, metadata }) => [batch_id, metadata])).toEqual(
        ['c', 'b', 'a'].map(() => [batch.id, { job: '7' }]),
      );
      await advanceAll(service.get().deps, batch.id);
      const done = await readBatch(studio, batch.id);
      expect(done).toMatchObject({ status: 'completed', counts: { succeeded: 3 }, spent_usd: '0.09' });
      expect(done.completed_at).not.toBeNull();
      const orders = await listOrders(studio, batch.id);
      expect(orders.map(({ index, generation }) => [index, generation?.input['prompt']])).toEqual([
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
      ]);
    });

    it('start none if the funds do not cover the total, which the error names', async () => {
      const studio = await service.createOrganization('0.08');
      const body = together([picture('a'), picture('b'), picture('c')]);
      const refusal = await studio.callError('create_batch', { body });
      expect(refusal).toMatchObject({ status: 402, error: { code: 'insufficient_balance' } });
      expect(refusal.error.message).toBe('This needs $0.09, and $0.08 is available.');
      expect(await count(studio)).toEqual([0, 0]);
      expect((await studio.call('get_billing_summary')).body.available_usd).toBe('0.08');
    });

    it('start none if a budget does not cover its share of the total', async () => {
      const studio = await service.createOrganization('50');
      const scope = 'model:imgmodel-a-2';
      await studio.call('set_budget', { body: { scope, interval: 'day', limit_usd: '0.05' } });
      const body = together([picture('a'), picture('b', 'imgmodel-b-2'), picture('c')]);
      const { error } = await studio.callError('create_batch', { body });
      expect(error.budget).toMatchObject({ scope, needed_usd: '0.06', left_usd: '0.05', limit_usd: '0.05' });
      expect(await count(studio)).toEqual([0, 0]);
    });

    it('need an approval by their total', async () => {
      const { call, callError, addPerson } = service.get();
      const { session: key } = await addPerson('member', 'Ada');
      await call('update_settings', { body: { approval_above_usd: '0.05' } });
      const { error } = await callError('create_batch', { key, body: together([picture('a'), picture('b')]) });
      expect(error).toMatchObject({ code: 'approval_required', approval: { needed_usd: '0.06', limit_usd: '0.05' } });
      await call('update_settings', { body: { approval_above_usd: '0.06' } });
      await call('create_batch', { key, body: together([picture('a'), picture('b')]) });
      await call('update_settings', { body: { approval_above_usd: null } });
    });

    it('start none if one is invalid, and name its field', async () => {
      const studio = await service.createOrganization('50');
      const empty = await studio.callError('create_batch', { body: together([picture('a'), picture(' ')]) });
      expect(empty.status).toBe(422);
      expect(empty.error.details?.map(({ path }) => path)).toEqual(['orders.1.input.prompt']);
      const unknown = await studio.callError('create_batch', {
        body: together([picture('a'), picture('b', 'no-model')]),
      });
      expect(unknown.error).toMatchObject({ code: 'model_not_found' });
      expect(unknown.error.message).toMatch(/^Order 2: /);
      expect(await count(studio)).toEqual([0, 0]);
    });

    it('are bounded: 2 to 16, and no amount to stop at', async () => {
      const studio = await service.createOrganization('50');
      const many = Array.from({ length: 17 }, (_, index) => picture(String(index)));
      for (const orders of [many, [picture('a')]]) {
        const { error } = await studio.callError('create_batch', { body: together(orders) });
        expect(error.details?.map(({ path }) => path)).toEqual(['orders']);
      }
      const stop = together([picture('a'), picture('b')], { stop_at_usd: '1' });
      expect((await studio.callError('create_batch', { body: stop })).error.details?.[0]?.path).toBe('stop_at_usd');
    });

    it('start once however often the request is sent with its key', async () => {
      const studio = await service.createOrganization('50');
      const sent = { body: together([picture('a'), picture('b')]), idempotency_key: 'once' };
      const answers = await Promise.all([1, 2, 3].map(() => studio.call('create_batch', sent)));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(answers[1]?.body.generations).toEqual(answers[0]?.body.generations);
      expect(await count(studio)).toEqual([2, 1]);
      const other = { ...sent, body: together([picture('a'), picture('c')]) };
      expect((await studio.callError('create_batch', other)).error.code).toBe('idempotency_conflict');
    });

    it('never exceed the funds, however many batches start at once', async () => {
      const studio = await service.createOrganization('0.20');
      const body = together([picture('a'), picture('b')]);
      const answers = await Promise.all(Array.from({ length: 8 }, () => studio.request('create_batch', { body })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(await count(studio)).toEqual([6, 3]);
    });

    it('are limited to the tasks and models of the key', async () => {
      const studio = await service.createOrganization('50');
      const { key } = (
        await studio.call('create_api_key', {
          body: { name: 'Narrow', kind: 'member', scopes: { models: ['imgmodel-b-2'], tasks: null, read_only: false } },
        })
      ).body;
      const body = together([picture('a', 'imgmodel-b-2'), picture('b')]);
      const refusal = await studio.callError('create_batch', { key, body });
      expect(refusal).toMatchObject({ status: 401, error: { code: 'authentication_error' } });
      expect(await count(studio)).toEqual([0, 0]);
    });

    it('are canceled together, and what is reserved is released', async () => {
      const studio = await service.createOrganization('50');
      const { body: batch } = await studio.call('create_batch', { body: together([picture('a'), picture('b')]) });
      const params = { batch_id: batch.id };
      const same = (await studio.call('cancel_batch', { params, body: {} })).body;
      expect(same).toMatchObject({ status: 'running', counts: { active: 2 } });
      const canceled = (await studio.call('cancel_batch', { params, body: { cancel_running: true } })).body;
      expect(canceled).toMatchObject({ status: 'canceled', counts: { canceled: 2 }, reserved_usd: '0.00' });
      expect((await studio.call('get_billing_summary')).body.available_usd).toBe('50.00');
    });

    it('keep a generation that is retried by itself in its place', async () => {
      const studio = await service.createOrganization('50');
      const { body: batch } = await studio.call('create_batch', { body: together([picture('fail'), picture('b')]) });
      await advanceAll(service.get().deps, batch.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'completed', counts: { failed: 1 } });
      const generation_id = batch.generations?.[0]?.id ?? '';
      const { body: retry } = await studio.call('retry_generation', { params: { generation_id } });
      expect(retry.batch_id).toBe(batch.id);
      expect((await listOrders(studio, batch.id))[0]?.generation?.id).toBe(retry.id);
      expect(await readBatch(studio, batch.id)).toMatchObject({ status: 'running', counts: { total: 2, active: 1 } });
    });
  },
);
