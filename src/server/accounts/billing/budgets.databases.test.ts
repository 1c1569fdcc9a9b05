import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { budgets } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { appendEntry } from './ledger/append-entries.ts';
import { readBudgetUsage } from './budget-usage.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';

const IMAGE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };

describeOnBothDatabases(
  'budgets by scope',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-06-24T10:00:00.000Z')) }),
  (service) => {
    it('count the entries of their scope, in concurrent orders of two people', async () => {
      const { call, request, deps, organization_id, addPerson } = service.get();
      const [ada, bob] = [await addPerson('member', 'Ada'), await addPerson('member', 'Bob')];
      const scopes = ['organization', `person:${ada.person.id}`, `key:${bob.person.key_id}`, 'model:imgmodel-a-2'];
      const limits = ['9', '0.06', '0.09', '0.12'];
      for (const [index, scope] of scopes.entries())
        for (const interval of ['day', 'week', 'month'] as const)
          await call('set_budget', { body: { scope, interval, limit_usd: limits[index] ?? '' } });
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          request('create_generation', { key: index % 2 ? ada.session : bob.session, body: IMAGE }),
        ),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
      expect(answers.filter(({ status }) => status === 402)).toHaveLength(12);
      const rows = await deps.db.select().from(budgets).where(eq(budgets.organization_id, organization_id));
      expect(rows).toHaveLength(12);
      for (const row of rows) {
        const usage = await deps.db.transaction((tx) => readBudgetUsage(tx, organization_id, row, deps.clock.now()));
        expect(row).toMatchObject(usage);
      }
    });

    it('limit a tag value, count what was spent before they were set, and reset each day', async () => {
      const { deps } = service.get();
      const one = await service.createOrganization('5');
      const { organization_id } = one;
      const client = { label: 'Client', required: false, values: null };
      await one.call('set_tag', { params: { tag_name: 'client' }, body: client });
      const order = { ...IMAGE, metadata: { client: 'Acme = Co' } };
      const create = async () => (await one.call('create_generation', { body: order })).body.id;
      const id = await create();
      const scope = 'tag:client=Acme = Co';
      const body = { scope, interval: 'day', limit_usd: '0.05' } as const;
      const { body: budget } = await one.call('set_budget', { body });
      expect(budget).toMatchObject({ scope, reserved_usd: '0.03', left_usd: '0.02', interval_start: '2026-06-24' });
      const read = async () => (await one.call('list_budgets')).body.data[0];
      await one.call('cancel_generation', { params: { generation_id: id } });
      expect(await read()).toMatchObject({ reserved_usd: '0.00', spent_usd: '0.00' });
      const other = await create();
      const entry = { task: 'image.create', model: 'imgmodel-a-2', description: 'x', created_by: null } as const;
      const [row] = await deps.db.select().from(generations).where(eq(generations.id, other));
      const about = { ...entry, generation_id: other, key_id: row?.created_by ?? '' };
      await one.call('set_budget', { body });
      const now = deps.clock.now();
      await deps.db.transaction(async (tx) => {
        await appendEntry(tx, organization_id, { ...about, type: 'RELEASE', amount_micro_usd: 30_000n }, now);
        await appendEntry(tx, organization_id, { ...about, type: 'SETTLE', amount_micro_usd: -30_000n }, now);
      });
      expect(await read()).toMatchObject({ reserved_usd: '0.00', spent_usd: '0.03' });
      await one.call('delete_budget', { params: { budget_id: budget.id } });
      expect((await one.call('set_budget', { body })).body).toMatchObject({ spent_usd: '0.03' });
      deps.clock.advance(86_400_000);
      expect(await read()).toMatchObject({ spent_usd: '0.00', interval_start: '2026-06-25' });
    });

    it('limit no model, tag or value that work can’t have', async () => {
      const one = await service.createOrganization('5');
      const setTag = (tag_name: string, values: string[] | null) =>
        one.call('set_tag', { params: { tag_name }, body: { label: 'Client', required: false, values } });
      await setTag('client', ['acme', 'globex']);
      await setTag('project', null);
      const set = async (scope: string) => {
        const response = await one.request('set_budget', { body: { scope, limit_usd: '1' } });
        return isErrorResponse(response) ? [response.status, response.error.details] : response.status;
      };
      const refused = (message: string) => [422, [{ path: 'scope', message }]];
      expect(await set('tag:client=nosuch')).toEqual(refused('“Client” has no value “nosuch”.'));
      expect(await set('tag:client=Acme')).toEqual(refused('“Client” has no value “Acme”.'));
      expect(await set('model:added-nosuch')).toEqual(refused('There is no such model.'));
      expect(await set('tag:nosuch=x')).toEqual(refused('There is no tag “nosuch”. Define it first.'));
      expect(await set(`tag:project=${'x'.repeat(65)}`)).toMatchObject([422, [{ path: 'scope' }]]);
      expect(await set('tag:project= x')).toMatchObject([422, [{ path: 'scope' }]]);
      expect(await Promise.all(['tag:client=acme', 'tag:project=anything'].map(set))).toEqual([200, 200]);
      // One that is there can still be changed.
      await setTag('client', ['globex']);
      expect(await set('tag:client=acme')).toBe(200);
    });

    it('say that their person was removed or their key revoked', async () => {
      const { call, addPerson } = service.get();
      const { person } = await addPerson('member', 'Gus');
      const { body: key } = await call('create_api_key', { body: { name: 'Old', kind: 'member' } });
      const scopes = [`person:${person.id}`, `key:${key.id}`];
      for (const scope of scopes) await call('set_budget', { body: { scope, limit_usd: '3' } });
      const read = async () => {
        const { data } = (await call('list_budgets')).body;
        return scopes.map((scope) => data.find((budget) => budget.scope === scope)?.is_scope_removed);
      };
      expect(await read()).toEqual([false, false]);
      await call('remove_person', { params: { person_id: person.id } });
      await call('delete_api_key', { params: { key_id: key.id } });
      expect(await read()).toEqual([true, true]);
    });

    it('show members theirs and shared ones, without what others spent', async () => {
      const { call, callError, addPerson } = service.get();
      const member = await addPerson('member', 'Eve');
      await call('set_budget', { body: { scope: `person:${member.person.id}`, limit_usd: '3' } });
      const { body } = await call('list_budgets', { key: member.session });
      expect(new Set(body.data.map(({ scope }) => scope))).toEqual(
        new Set(['organization', `person:${member.person.id}`, 'model:imgmodel-a-2']),
      );
      for (const { scope, spent_usd } of body.data) expect(spent_usd).toBe(scope.startsWith('person:') ? '0.00' : null);
      const invalid = ['model:none', 'tag:=x', 'person:', 'everything'];
      for (const scope of invalid)
        expect((await callError('set_budget', { body: { scope, limit_usd: '1' } })).status).toBe(422);
      expect((await callError('set_budget', { body: { scope: 'person:per_x', limit_usd: '1' } })).status).toBe(404);
      expect((await callError('set_budget', { body: { limit_usd: '1' } })).status).toBe(422);
    });
  },
);
