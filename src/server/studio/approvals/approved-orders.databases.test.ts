import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { OrderRequest } from '#contract/resources/request.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { advanceBatch } from '#server/studio/batches/advance-batch.ts';
import { findCaller } from '#server/accounts/keys/find-caller.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { type CrashMoment, createCrashingDeps } from '#server/studio/workflows/testing/crash-points.ts';
import { createDefinition, imageStep } from '#server/studio/workflows/testing/workflow-fixture.ts';
import { decideRequest } from './decide-request.ts';

const generation = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } } as const;
const order: OrderRequest = { type: 'generation', generation };
const text = { type: 'string', maxLength: 100 };
const starter = createDefinition({
  slug: 'one-image',
  input_schema: { type: 'object', properties: { prompt: text }, required: ['prompt'] },
  steps: [imageStep('image', '${{ input.prompt }}')],
});

describeOnBothDatabases(
  'orders above the limit',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-06-24T10:00:00.000Z')) }),
  (service) => {
    let member: { session: string; key_id: string; person_id: string };
    let admins: string[];
    const addMember = async (name: string) => {
      const { session, person } = await service.get().addPerson('member', name);
      return { session, key_id: person.key_id, person_id: person.id };
    };
    beforeAll(async () => {
      const { addPerson, call } = service.get();
      member = await addMember('Ada');
      admins = [(await addPerson('administrator', 'Bea')).session, (await addPerson('administrator', 'Cem')).session];
      await call('create_workflow_starter', { body: starter });
    });
    beforeEach(() => setLimit('0.01'));
    const setLimit = (approval_above_usd: string | null) =>
      service.get().call('update_settings', { body: { approval_above_usd } });
    const ask = async (asked: OrderRequest = order, key = member.session) =>
      (await service.get().call('create_request', { key, body: { kind: 'order', order: asked, note: 'Please' } })).body;
    const decision = (request_id: string, body: Record<string, unknown> = {}) => ({
      key: admins[0] ?? '',
      params: { request_id },
      body: { decision: 'approve', ...body },
    });
    const approve = async (id: string, body = {}) =>
      (await service.get().call('decide_request', decision(id, body))).body;
    const read = async (request_id: string, key = member.session) =>
      (await service.get().call('get_request', { key, params: { request_id } })).body;
    const countWork = async ({ key_id } = member) => {
      const { db } = service.get().deps;
      const [of_key, ofRun] = [eq(generations.created_by, key_id), eq(workflowRuns.created_by, key_id)];
      return (await db.$count(generations, of_key)) + (await db.$count(workflowRuns, ofRun));
    };
    /** Places work of the member without a limit and cancels it, so that it can be retried. */
    const createCanceled = async (kind: 'generation' | 'workflow_run') => {
      const { call } = service.get();
      const key = member.session;
      await setLimit(null);
      if (kind === 'generation') {
        const { id } = (await call('create_generation', { key, body: generation })).body;
        await call('cancel_generation', { key, params: { generation_id: id } });
        await setLimit('0.01');
        return id;
      }
      const body = { starter_slug: starter.slug, input: { prompt: 'a cat' } };
      const { id } = (await call('create_workflow_run', { key, body })).body;
      await call('cancel_workflow_run', { key, params: { workflow_run_id: id }, body: {} });
      await setLimit('0.01');
      return id;
    };
    const orders: Record<Exclude<OrderRequest['type'], 'batch'>, () => Promise<OrderRequest>> = {
      generation: async () => order,
      generation_retry: async () => ({
        type: 'generation_retry',
        generation_id: await createCanceled('generation'),
      }),
      workflow_run: async () => ({
        type: 'workflow_run',
        workflow_run: { starter_slug: starter.slug, input: { prompt: 'a cat' } },
      }),
      workflow_run_retry: async () => ({
        type: 'workflow_run_retry',
        workflow_run_id: await createCanceled('workflow_run'),
        inputs: { prompt: 'a dog' },
      }),
    };
    const types = Object.keys(orders) as (keyof typeof orders)[];

    it.each(types)('are held back and started once when approved, as work of who asked: %s', async (type) => {
      const asked = await orders[type]();
      const { call, callError } = service.get();
      const key = member.session;
      if (asked.type === 'generation_retry') {
        const params = { generation_id: asked.generation_id };
        expect((await callError('retry_generation', { key, params })).error.code).toBe('approval_required');
      }
      if (asked.type === 'workflow_run')
        expect((await callError('create_workflow_run', { key, body: asked.workflow_run })).status).toBe(402);
      if (asked.type === 'workflow_run_retry') {
        const params = { workflow_run_id: asked.workflow_run_id };
        const body = { inputs: asked.inputs };
        expect((await callError('retry_workflow_run', { key, params, body, idempotency_key: 'r' })).status).toBe(402);
      }
      const request = await ask(asked);
      const before = await countWork();
      const prompt = type.startsWith('generation') ? 'x' : type === 'workflow_run' ? 'a cat' : 'a dog';
      expect((await read(request.id)).order?.input).toMatchObject({ prompt });
      const estimate = await call('estimate_request', { key, params: { request_id: request.id } });
      expect(estimate.body).toMatchObject({ amount_usd: '0.03', is_bounded: true, problem: null });
      const answers = await Promise.all(
        admins.map((admin) => service.get().request('decide_request', { ...decision(request.id), key: admin })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await countWork()).toBe(before + 1);
      const approved = await read(request.id);
      expect(approved.status).toBe('approved');
      await call('update_settings', { body: { members_see_own_work_only: true } });
      const { generation_id, workflow_run_id } = approved;
      const placed = generation_id
        ? (await call('get_generation', { key, params: { generation_id } })).body
        : (await call('get_workflow_run', { key, params: { workflow_run_id: workflow_run_id ?? '' } })).body;
      await call('update_settings', { body: { members_see_own_work_only: false } });
      expect(placed.retry_of).toBe(request.order?.retry_of);
      const list = generation_id ? 'list_generations' : 'list_workflow_runs';
      const listed = (await call(list, { key, query: { person_id: member.person_id } })).body.data;
      expect(listed.map(({ id }) => id)).toContain(generation_id ?? workflow_run_id);
      const refusal = await callError('estimate_request', { key, params: { request_id: request.id } });
      expect(refusal.error.code).toBe('request_not_pending');
    });

    it.each<CrashMoment>(['within', 'after'])(
      'start once if the process ends %s the transaction of the decision',
      async (moment) => {
        for (const type of types) {
          const { id } = await ask(await orders[type]());
          const before = await countWork();
          const caller = await findCaller(service.get().deps, admins[0] ?? '');
          if (!caller) throw new Error('No caller.');
          const { deps, count } = createCrashingDeps(service.get().deps, 1, moment);
          await expect(decideRequest(deps, caller, id, { decision: 'approve' })).rejects.toThrow('terminating');
          expect(count.transactions).toBe(1);
          expect((await read(id)).status).toBe(moment === 'within' ? 'pending' : 'approved');
          const again = await service.get().request('decide_request', decision(id));
          expect(again.status).toBe(moment === 'within' ? 200 : 409);
          expect(await countWork()).toBe(before + 1);
        }
      },
    );

    it.each(['together', 'list'] as const)('may be several at once: %s', async (mode) => {
      const { call, callError, deps } = service.get();
      const { session: key, key_id } = await addMember(`Dan ${mode}`);
      const body = { mode, orders: [generation, generation] };
      expect((await callError('create_batch', { key, body })).error.code).toBe('approval_required');
      const request = await ask({ type: 'batch', batch: body }, key);
      expect(request).toMatchObject({ amount_usd: '0.06', order: { type: 'batch', count: 2, task: 'image.create' } });
      const approved = await approve(request.id);
      const batch_id = approved.batch_id ?? '';
      if (mode === 'list') await advanceBatch(deps, batch_id, new AbortController().signal);
      const { body: placed } = await call('get_batch', { key, params: { batch_id } });
      expect(placed).toMatchObject({ mode, counts: { active: 2 }, created_by: { id: key_id }, reserved_usd: '0.06' });
    });

    it('return the stored response to a decision that is sent again with its key', async () => {
      const { id } = await ask();
      const { call, callError } = service.get();
      const sent = { ...decision(id, { reason: 'Fine' }), idempotency_key: 'decide-once' };
      const { body: first } = await call('decide_request', sent);
      const { body, headers } = await call('decide_request', sent);
      expect(body).toEqual(first);
      expect(headers['idempotent-replayed']).toBe('true');
      const other = await callError('decide_request', { ...sent, body: { decision: 'reject' } });
      expect(other.error.code).toBe('idempotency_conflict');
    });

    it('keep waiting while funds or a budget do not cover them', async () => {
      const { call, callError } = service.get();
      const { id } = await ask();
      const { available_usd } = (await call('get_billing_summary')).body;
      await call('create_credit', { body: { amount_usd: `-${available_usd}`, description: 'All of it' } });
      const refusal = await callError('decide_request', decision(id));
      expect(refusal).toMatchObject({ status: 402, error: { code: 'insufficient_balance' } });
      await call('create_credit', { body: { amount_usd: '50', description: 'More' } });
      const scope = `person:${member.person_id}`;
      const { body: budget } = await call('set_budget', { body: { scope, interval: 'month', limit_usd: '0' } });
      expect((await callError('decide_request', decision(id))).error.budget?.id).toBe(budget.id);
      expect((await read(id)).status).toBe('pending');
      await call('delete_budget', { params: { budget_id: budget.id } });
      expect((await approve(id)).status).toBe('approved');
    });

    it('are rejected with a reason once who asked may no longer create work', async () => {
      const { call } = service.get();
      const reason = 'The person or key that asked can no longer create work.';
      const changed = await addMember('Eve');
      const [first, second, third] = [
        await ask(order, changed.session),
        await ask(order, changed.session),
        await ask(order, changed.session),
      ];
      const setRole = (role: 'viewer' | 'administrator') =>
        call('update_person', { params: { person_id: changed.person_id }, body: { name: 'Eve', role } });
      await setRole('viewer');
      const key = admins[0] ?? '';
      const { body: estimate } = await call('estimate_request', { key, params: { request_id: first.id } });
      expect(estimate).toMatchObject({ amount_usd: null, problem: reason });
      expect(await approve(first.id)).toMatchObject({ status: 'rejected', reason, decided_by: null });
      await setRole('administrator');
      expect(await approve(second.id)).toMatchObject({ status: 'approved' });
      await call('remove_person', { params: { person_id: changed.person_id } });
      expect(await approve(third.id)).toMatchObject({ status: 'rejected', reason });
      expect(await countWork(changed)).toBe(1);
    });

    it.each(['generation_retry', 'workflow_run_retry'] as const)(
      'do not repeat work of others for members who see only their own: %s',
      async (type) => {
        const { call, callError } = service.get();
        const body = { kind: 'order', order: await orders[type](), note: 'Please' } as const;
        const other = await addMember(`Fay ${type}`);
        await call('update_settings', { body: { members_see_own_work_only: true } });
        expect((await callError('create_request', { key: other.session, body })).status).toBe(404);
        expect((await call('create_request', { key: member.session, body })).status).toBe(201);
        await call('update_settings', { body: { members_see_own_work_only: false } });
      },
    );

    it('show auditors every request, and let them decide none', async () => {
      const { call, callError, addPerson } = service.get();
      const auditor = (await addPerson('auditor', 'Dan')).session;
      const { id } = await ask();
      const { body } = await call('list_requests', { key: auditor, query: { status: 'pending' } });
      expect(body.data.map((request) => request.id)).toContain(id);
      expect(await read(id, auditor)).toMatchObject({ created_by: { name: 'Ada' }, note: 'Please' });
      for (const answer of ['approve', 'reject']) {
        const sent = { key: auditor, params: { request_id: id }, body: { decision: answer } };
        expect((await callError('decide_request', sent)).status).toBe(401);
      }
    });
  },
);
