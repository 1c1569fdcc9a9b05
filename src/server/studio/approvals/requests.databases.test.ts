import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';

const generation = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const order = { type: 'generation', generation } as const;

describeOnBothDatabases(
  'requests',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-06-24T10:00:00.000Z')) }),
  (service) => {
    let member: string;
    let person_id: string;
    let admins: string[];
    beforeAll(async () => {
      const added = await service.get().addPerson('member', 'Ada');
      [member, person_id] = [added.session, added.person.id];
      admins = await Promise.all(
        ['Bea', 'Cem'].map(async (name) => (await service.get().addPerson('administrator', name)).session),
      );
    });
    const setLimit = (approval_above_usd: string | null) =>
      service.get().call('update_settings', { body: { approval_above_usd } });
    const ask = async () =>
      (await service.get().call('create_request', { key: member, body: { kind: 'order', order, note: 'Please' } }))
        .body;
    const decide = (request_id: string, body: Record<string, unknown>, key = admins[0]) =>
      service.get().request('decide_request', { key: key ?? '', params: { request_id }, body: body as never });

    it('holds back only orders of members above the limit', async () => {
      await setLimit('0.01');
      const refusal = await service.get().callError('create_generation', { key: member, body: generation });
      expect(refusal).toMatchObject({
        status: 402,
        error: { code: 'approval_required', approval: { needed_usd: '0.03', limit_usd: '0.01' } },
      });
      const others = [admins[0] ?? '', service.get().keys.member];
      for (const key of others)
        expect((await service.get().request('create_generation', { key, body: generation })).status).toBe(201);
      await setLimit('0.03');
      expect((await service.get().request('create_generation', { key: member, body: generation })).status).toBe(201);
      const body = { kind: 'order', order, note: 'Please' } as const;
      expect((await service.get().callError('create_request', { key: member, body })).status).toBe(400);
      const { body: settings } = await service.get().call('get_settings', { key: member });
      expect(settings.approval_above_usd).toBe('0.03');
    });

    it('shows by which tags an order counts, and what is left of its budgets after it', async () => {
      await setLimit('0.01');
      const { call } = service.get();
      await call('set_tag', {
        params: { tag_name: 'client' },
        body: { label: 'Client', required: false, values: null },
      });
      const set = (scope: string, limit_usd: string) =>
        call('set_budget', { body: { scope, interval: 'month', limit_usd } });
      await set(`person:${person_id}`, '5');
      await set('tag:client=Globex', '0.04');
      await set('tag:client=Acme', '1');
      const body = {
        kind: 'order',
        note: 'For Globex',
        order: { type: 'generation', generation: { ...generation, metadata: { client: 'Globex', po: '7' } } },
      } as const;
      const { id } = (await call('create_request', { key: member, body })).body;
      const params = { request_id: id };
      const admin = admins[0] ?? '';
      const { body: details } = await call('get_request', { key: admin, params });
      expect(details.order?.tags).toEqual({ client: 'Globex' });
      const { body: estimate } = await call('estimate_request', { key: admin, params });
      expect(estimate.available_usd).toBe((await call('get_billing_summary', {})).body.available_usd);
      const left = Object.fromEntries(
        estimate.budgets?.map(({ budget, left_after_usd }) => [budget.scope, [budget.left_usd, left_after_usd]]) ?? [],
      );
      expect(Object.keys(left).sort()).toEqual([`person:${person_id}`, 'tag:client=Globex']);
      expect(left['tag:client=Globex']).toEqual(['0.04', '0.01']);
      await decide(id, { decision: 'reject', reason: 'No' });
      const { data } = (await call('list_budgets', {})).body;
      for (const { id: budget_id } of data) await call('delete_budget', { params: { budget_id } });
      await call('delete_tag', { params: { tag_name: 'client' } });
    });

    it('places an approved order exactly once, in the name of who asked', async () => {
      await setLimit('0.01');
      const { id } = await ask();
      const answers = await Promise.all(admins.map((key) => decide(id, { decision: 'approve' }, key)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const approved = answers.find((answer) => !isErrorResponse(answer));
      if (!approved || isErrorResponse(approved)) throw new Error('No approval.');
      expect(approved.body).toMatchObject({ status: 'approved', created_by: { name: 'Ada' } });
      const generation_id = approved.body.generation_id ?? '';
      const { body } = await service.get().call('get_generation', { params: { generation_id } });
      expect(body.created_by.id).toBe(approved.body.created_by.id);
      const { db } = service.get().deps;
      const rows = await db.select().from(generations).where(eq(generations.created_by, body.created_by.id));
      expect(rows.filter((row) => row.created_at.getTime() >= Date.parse(approved.body.created_at))).toHaveLength(2);
      const events = await db.select().from(auditEvents).where(eq(auditEvents.target_id, id));
      expect(events.map(({ action }) => action)).toEqual(['request.created', 'request.decided']);
      const asked = { kind: 'order', amount_usd: '0.03', requested_by: 'Ada', task: 'image.create' };
      expect(events[0]?.after).toMatchObject({ ...asked, note: 'Please' });
      expect(events[1]?.after).toMatchObject({ ...asked, status: 'approved', granted_usd: '0.03', generation_id });
    });

    it('confirms a price that rose, and rejects an order whose key was revoked', async () => {
      const { db } = service.get().deps;
      const risen = await ask();
      await db.update(requests).set({ amount_micro_usd: 20_000n }).where(eq(requests.id, risen.id));
      for (const body of [{ decision: 'approve' }, { decision: 'approve', amount_usd: '0.025' }])
        expect(await decide(risen.id, body)).toMatchObject({
          status: 409,
          error: { code: 'price_changed', message: expect.stringContaining('It costs $0.03 now') as string },
        });
      expect(await decide(risen.id, { decision: 'approve', amount_usd: '0.03' })).toMatchObject({
        body: { status: 'approved', amount_usd: '0.02' },
      });
      const gone = await ask();
      const set = (revoked_at: Date | null) =>
        db.update(apiKeys).set({ revoked_at }).where(eq(apiKeys.id, gone.created_by.id));
      await set(new Date());
      expect(await decide(gone.id, { decision: 'approve' })).toMatchObject({ body: { status: 'rejected' } });
      await set(null);
    });

    it('can be canceled by who asked, and by nobody else', async () => {
      const { id } = await ask();
      const other = await service.get().addPerson('member', 'Dan');
      const params = { request_id: id };
      expect((await service.get().call('list_requests', { key: other.session })).body.data).toEqual([]);
      expect((await service.get().callError('cancel_request', { key: other.session, params })).status).toBe(404);
      expect((await service.get().call('cancel_request', { key: member, params })).body.status).toBe('canceled');
      expect((await decide(id, { decision: 'approve' })).status).toBe(409);
    });

    it('raise a budget for its interval or for good', async () => {
      await setLimit(null);
      const { call, callError } = service.get();
      const scope = `person:${person_id}`;
      const { body: budget } = await call('set_budget', { body: { scope, interval: 'week', limit_usd: '0.10' } });
      expect(budget).toMatchObject({ scope_name: 'Ada', interval_start: '2026-06-22', interval: 'week' });
      const refusal = await callError('create_generation', {
        key: member,
        body: { ...generation, model: 'imgmodel-b-pro' },
      });
      expect(refusal.error).toMatchObject({
        message: expect.stringContaining('budget of Ada for the week of June 22.') as string,
        budget: { id: budget.id, scope, interval: 'week' },
      });
      const body = { kind: 'budget', budget_id: budget.id, amount_usd: '1', note: 'More' } as const;
      const { body: once } = await call('create_request', { key: member, body });
      const twice = await Promise.all(admins.map((key) => decide(once.id, { decision: 'approve' }, key)));
      expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
      const read = async () =>
        (await call('list_budgets', { key: member })).body.data.find(({ id }) => id === budget.id);
      const [winner] = twice.flatMap((answer) => (isErrorResponse(answer) ? [] : [answer.body.decided_by?.name]));
      expect(await read()).toMatchObject({ limit_usd: '0.10', extra_usd: '1.00', updated_by: { name: winner } });
      const { body: lasting } = await call('create_request', { key: member, body: { ...body, permanent: true } });
      await decide(lasting.id, { decision: 'approve', amount_usd: '0.4' });
      const { body: log } = await call('list_audit_events', { query: { limit: '2' } });
      const [decided, raised] = log.data;
      expect(decided?.after).toMatchObject({ requested_by: 'Ada', amount_usd: '1.00', granted_usd: '0.40', scope });
      expect(raised?.before).toEqual({ limit_usd: '0.10' });
      expect(raised?.after).toEqual({
        limit_usd: '0.50',
        granted_usd: '0.40',
        scope,
        scope_name: 'Ada',
        interval: 'week',
      });
      service.get().deps.clock.advance(7 * 86_400_000);
      expect(await read()).toMatchObject({ limit_usd: '0.50', extra_usd: '0.00', interval_start: '2026-06-29' });
    });
  },
);
