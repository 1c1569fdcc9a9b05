import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatUsd } from '#contract/money/money.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import {
  type SharedService,
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { appendEntries } from './ledger/append-entries.ts';

const IMAGE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };

async function settled(service: SharedService, studio: TestOrganization): Promise<string> {
  const { deps } = service.get();
  const { body } = await studio.call('create_generation', { body: IMAGE });
  const lease = await claimGeneration(deps, body.id);
  if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
  return body.id;
}

describeOnBothDatabases(
  'money is protected',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-06-29T10:00:00.000Z')) }),
  (service) => {
    let studio: TestOrganization;
    let generation_id: string;
    const refused = async (statement: string): Promise<string | undefined> => {
      const { db } = service.get().deps;
      return db.execute(sql.raw(statement)).then(
        () => 'accepted',
        (error: unknown) => sqlStateOf(error),
      );
    };

    beforeAll(async () => {
      studio = await service.createOrganization('2');
      generation_id = await settled(service, studio);
      await studio.call('create_generation', { body: IMAGE });
    });

    describe('by the database, which', () => {
      it.each([
        `update ledger_entries set amount_micro_usd = 1`,
        `update ledger_entries set description = '' where false`,
        `delete from ledger_entries`,
        `truncate ledger_entries`,
        `update accounts set available_micro_usd = available_micro_usd + 1`,
        `insert into accounts values ('org_x', 1, 0, 0, 0)`,
        `delete from accounts`,
        `truncate accounts`,
        `update ledger_days set count = 0`,
        `delete from ledger_days`,
        `truncate ledger_days`,
        `insert into ledger_tags values ('org_x', 'client', 'acme', 'SETTLE', 1)`,
        `delete from ledger_tags`,
        `truncate ledger_tags`,
        `update generations set tags = '{"client": "acme"}'`,
      ])('rejects %s', async (statement) => {
        expect(await refused(statement)).toBe('EM005');
      });

      const CHECK = '23514';
      const UNIQUE = '23505';
      it.each([
        ['TOP_UP', -1, false, CHECK],
        ['ADMIN_CREDIT', 0, false, CHECK],
        ['ADJUSTMENT', 0, false, CHECK],
        ['RESERVE', 1, true, CHECK],
        ['GIFT', 1, false, CHECK],
        ['ADMIN_CREDIT', 1, true, CHECK],
        ['RESERVE', -1, false, CHECK],
        ['RESERVE', -1, true, UNIQUE],
        ['RELEASE', 30_000, true, UNIQUE],
        ['RELEASE', 29_999, true, 'EM004'],
        ['SETTLE', -30_000, true, UNIQUE],
        ['SETTLE', -30_001, true, 'EM004'],
        ['REFUND', 30_001, true, 'EM003'],
        ['ADJUSTMENT', -3_000_000, false, 'EM001'],
      ] as const)('rejects a %s of %i', async (type, amount, of_generation, code) => {
        const of = of_generation ? `'${generation_id}', 'image.create', 'key_x'` : 'null, null, null';
        const statement = `insert into ledger_entries (id, organization_id, type, amount_micro_usd, generation_id, task, key_id, description, created_at)
          values ('led_x', '${studio.organization_id}', '${type}', ${amount}, ${of}, 'x', now())`;
        expect(await refused(statement)).toBe(code);
      });

      it('assigns number, balances and hash, and times that never decrease', async () => {
        const other = await service.createOrganization('1');
        const { db } = service.get().deps;
        const { organization_id } = other;
        const draft = { type: 'TOP_UP', description: '“ü”\n\\"\u2028\u007f\u0001😀', created_by: null } as const;
        const early = new Date('2020-01-01T00:00:00Z');
        const [row] = await db.transaction((tx) =>
          appendEntries(tx, organization_id, [{ ...draft, amount_micro_usd: 5n }], early),
        );
        expect(row).toMatchObject({ seq: 3n, available_after_micro_usd: 1_000_005n });
        expect(row?.created_at.toISOString()).toBe('2026-06-29T10:00:00.000Z');
        const forged = { seq: 99n, available_after_micro_usd: 9n, balance_after_micro_usd: 9n, hash: 'f'.repeat(64) };
        const [same] = await db
          .insert(ledgerEntries)
          .values({ ...draft, ...forged, id: 'led_forged', organization_id, amount_micro_usd: 1n, created_at: early })
          .returning();
        expect(same).toMatchObject({
          seq: 4n,
          available_after_micro_usd: 1_000_006n,
          balance_after_micro_usd: 1_000_006n,
        });
        expect((await other.call('get_verification')).body).toMatchObject({ ok: true, checked_entries: 4 });
      });
    });

    describe('by its verification, which', () => {
      it('reports its checks for a correct ledger', async () => {
        const { body } = await studio.call('get_verification');
        expect(body).toMatchObject({ ok: true, problem: null, checked_entries: 6, head: { seq: 6 } });
        expect(body.checks).toHaveLength(10);
        const { seq = 0, hash = '' } = body.head ?? {};
        await studio.call('create_credit', { body: { amount_usd: '1', description: 'x' } });
        const { body: later } = await studio.call('get_verification', { query: { seq, hash } });
        expect(later).toMatchObject({ ok: true, checked_entries: 7 });
        const { body: lost } = await studio.call('get_verification', { query: { seq, hash: 'a'.repeat(64) } });
        expect(lost).toMatchObject({ ok: false, head: { seq: 7 }, problem: { check: 'known_head', seq: null } });
        expect((await service.get().callError('get_verification', { key: service.get().keys.member })).status).toBe(
          401,
        );
        const half = await studio.callError('get_verification', { query: { seq } });
        expect(half).toMatchObject({ status: 422, error: { details: [{ path: 'hash' }] } });
      });

      const REHASH = `update ledger_entries e set hash = ledger_entry_hash(p.hash, e) from ledger_entries p
        where p.organization_id = e.organization_id and p.seq = e.seq - 1 and e.organization_id = '$org' and e.seq = 3`;
      it.each([
        [
          'a changed amount',
          `update ledger_entries set amount_micro_usd = -1 where seq = 3 and organization_id = '$org'`,
          'chain',
          3,
        ],
        [
          'a changed reason',
          `update ledger_entries set description = 'y' where seq = 2 and organization_id = '$org'`,
          'chain',
          2,
        ],
        [
          'another time',
          `update ledger_entries set created_at = created_at + interval '1 ms' where seq = 2 and organization_id = '$org'`,
          'chain',
          2,
        ],
        [
          'an amount that was hashed again',
          `update ledger_entries set amount_micro_usd = -1 where seq = 3 and organization_id = '$org'; ${REHASH}`,
          'balances',
          3,
        ],
        [
          'an entry between that is gone',
          `delete from ledger_entries where seq = 2 and organization_id = '$org'`,
          'sequence',
          3,
        ],
        [
          'the last entry gone',
          `delete from ledger_entries where seq = 6 and organization_id = '$org'`,
          'sequence',
          null,
        ],
        [
          'the last entry gone, the account with it',
          `delete from ledger_entries where seq = 6 and organization_id = '$org';
           update accounts set last_seq = 5, last_hash = (select hash from ledger_entries where seq = 5 and organization_id = '$org') where organization_id = '$org'`,
          'account',
          null,
        ],
        [
          'money in the account',
          `update accounts set available_micro_usd = available_micro_usd + 1 where organization_id = '$org'`,
          'account',
          null,
        ],
        [
          'a sum of a day',
          `update ledger_days set amount_micro_usd = 1 where organization_id = '$org'`,
          'spending',
          null,
        ],
        [
          'a changed tag of a charge',
          `update generations set tags = '{"client": "acme"}' where billing_status = 'settled' and organization_id = '$org'`,
          'spending',
          null,
        ],
        [
          'what a generation has reserved',
          `update generations set amount_micro_usd = 1 where billing_status = 'reserved' and organization_id = '$org'`,
          'reservations',
          null,
        ],
        [
          'a doubled bill',
          `update generations set amount_micro_usd = amount_micro_usd * 2 where billing_status = 'settled' and organization_id = '$org'`,
          'bills',
          5,
        ],
        [
          'a bill whose lines add up to something else',
          `update generations set line_items = '[]' where billing_status = 'settled' and organization_id = '$org'`,
          'bills',
          5,
        ],
        [
          'a charge that its generation denies',
          `update generations set billing_status = 'released' where billing_status = 'settled' and organization_id = '$org'`,
          'bills',
          5,
        ],
      ] as const)('finds %s', async (name, statements, check, seq) => {
        const victim = await service.createOrganization('2');
        await settled(service, victim);
        await victim.call('create_generation', { body: IMAGE });
        const { db } = service.get().deps;
        await db.transaction(async (tx) => {
          // The owner of the tables can disable triggers.
          for (const table of ['ledger_entries', 'accounts', 'ledger_days', 'generations']) {
            await tx.execute(sql.raw(`alter table ${table} disable trigger user`));
          }
          for (const statement of statements.split(';')) {
            await tx.execute(sql.raw(statement.replaceAll('$org', victim.organization_id)));
          }
          await tx.execute(sql.raw(`alter table ledger_entries enable trigger ledger_entries_append`));
          await tx.execute(sql.raw(`alter table ledger_entries enable always trigger ledger_entries_append_only`));
          for (const table of ['accounts', 'ledger_days']) {
            await tx.execute(sql.raw(`alter table ${table} enable trigger user`));
          }
        });
        const { body } = await victim.call('get_verification');
        expect(body).toMatchObject({ ok: false, problem: { check, seq } });
        const failed = body.checks.flatMap((each) => (each.ok ? [] : [each.name]));
        // The last entry is a reservation, which its generation and its day still show.
        expect(failed).toEqual(name.endsWith('the account with it') ? [check, 'reservations', 'spending'] : [check]);
        if (seq !== null) expect(body.checked_entries).toBeLessThan(seq);
      });

      it('finds a charge that is missing in the ledger, and swapped reservations', async () => {
        const { db } = service.get().deps;
        const victim = await service.createOrganization('5');
        const { organization_id } = victim;
        const { body: canceled } = await victim.call('create_generation', { body: IMAGE });
        await victim.call('cancel_generation', { params: { generation_id: canceled.id } });
        const set = (column: string, id: string) =>
          db.execute(
            sql.raw(`update generations set ${column} where id = '${id}' and organization_id = '${organization_id}'`),
          );
        await set(`billing_status = 'settled'`, canceled.id);
        const { body: forged } = await victim.call('get_verification');
        expect(forged).toMatchObject({ ok: false, checked_entries: 3, problem: { check: 'bills', seq: 4 } });
        await set(`billing_status = 'released'`, canceled.id);
        const { body: cheap } = await victim.call('create_generation', { body: IMAGE });
        const { body: dear } = await victim.call('create_generation', {
          body: { ...IMAGE, model: 'imgmodel-b-pro' },
        });
        await set(`amount_micro_usd = 90000`, cheap.id);
        await set(`amount_micro_usd = 30000`, dear.id);
        const { body: swapped } = await victim.call('get_verification');
        expect(swapped).toMatchObject({ ok: false, problem: { check: 'reservations', seq: null } });
        await set(`amount_micro_usd = 30000`, cheap.id);
        await set(`amount_micro_usd = 90000`, dear.id);
        expect((await victim.call('get_verification')).body.ok).toBe(true);
      });
    });

    describe('by credits, which', () => {
      it('take effect once per idempotency key', async () => {
        const one = await service.createOrganization('1');
        const body = { amount_usd: '5', description: 'x' };
        const idempotency_key = 'credit';
        const answers = await Promise.all([1, 2, 3].map(() => one.call('create_credit', { body, idempotency_key })));
        expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
        expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(2);
        expect((await one.call('get_billing_summary')).body.available_usd).toBe('6.00');
        const other = await one.callError('create_credit', { body: { ...body, amount_usd: '6' }, idempotency_key });
        expect(other).toMatchObject({ status: 409, error: { code: 'idempotency_conflict' } });
        await one.call('create_credit', { body });
        expect((await one.call('get_billing_summary')).body.available_usd).toBe('11.00');
      });

      it('are rejected above the available funds, with separated thousands in the message', async () => {
        const one = await service.createOrganization('1234.5');
        const refusal = await one.callError('create_credit', { body: { amount_usd: '-8600', description: 'x' } });
        expect(refusal).toMatchObject({
          status: 400,
          error: { message: 'This needs $8,600.00, and $1,234.50 is available.' },
        });
      });
    });

    describe('by refunds, which', () => {
      it('return part of a charge and then the rest, never more', async () => {
        const id = await settled(service, studio);
        const refund = (body: Record<string, string>, key = {}) =>
          studio.request('create_refund', { body: { generation_id: id, reason: 'Blurred', ...body }, ...key });
        const before = (await studio.call('get_billing_summary')).body;
        const part = await refund({ amount_usd: '0.01' });
        expect(part).toMatchObject({
          status: 201,
          body: { type: 'REFUND', amount_usd: '0.01', description: 'Blurred' },
        });
        const read = async () => (await studio.call('get_generation', { params: { generation_id: id } })).body.usage;
        expect(await read()).toMatchObject({ billing_status: 'settled', amount_usd: '0.03', refunded_usd: '0.01' });
        const [listed] = (await studio.call('list_generations', { query: { limit: 1 } })).body.data;
        expect(listed).toMatchObject({ id, usage: { refunded_usd: '0.01' } });
        const more = await refund({ amount_usd: '0.020001' });
        expect(more).toMatchObject({
          status: 400,
          error: { message: 'Only $0.02 of this charge can still be refunded.' },
        });
        const both = await Promise.all([refund({}), refund({}), refund({}, { idempotency_key: 'a' })]);
        expect(both.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
        expect(await read()).toMatchObject({ billing_status: 'refunded', amount_usd: '0.03', refunded_usd: '0.03' });
        const after = (await studio.call('get_billing_summary')).body;
        expect(after.spent_total_usd).toBe(
          formatUsd(BigInt(Math.round(Number(before.spent_total_usd) * 1e6)) - 30_000n),
        );
        expect((await studio.call('get_verification')).body.ok).toBe(true);
      });

      it('take effect once per idempotency key', async () => {
        const id = await settled(service, studio);
        const body = { generation_id: id, amount_usd: '0.01', reason: 'x' };
        const [first, second] = await Promise.all(
          [1, 2].map(() => studio.call('create_refund', { body, idempotency_key: 'once' })),
        );
        expect(second?.body).toEqual(first?.body);
        const { body: entries } = await studio.call('list_ledger', { query: { generation_id: id, type: 'REFUND' } });
        expect(entries.data).toHaveLength(1);
      });

      it('are rejected without a charge, for unknown generations and for members', async () => {
        const { body } = await studio.call('create_generation', { body: IMAGE });
        const ask = (generation_id: string, key = studio.key) =>
          studio.callError('create_refund', { key, body: { generation_id, reason: 'x' } });
        expect((await ask(body.id)).status).toBe(400);
        expect((await ask('gen_01m7y6v0gyeg6ksk7hyezzk3qs')).status).toBe(404);
        expect((await ask(body.id, service.get().keys.member)).status).toBe(401);
      });
    });

    describe('by budgets, which', () => {
      it('stop concurrent requests at the limit and name the contact', async () => {
        const one = await service.createOrganization('5');
        await one.call('create_generation', { body: IMAGE });
        await settled(service, one);
        const set = { key_id: null, limit_usd: '0.20', contact: 'Anna (anna@example.com)' };
        expect((await one.call('set_budget', { body: set })).body).toMatchObject({
          spent_usd: '0.03',
          reserved_usd: '0.03',
          left_usd: '0.14',
          state: 'ok',
          month: '2026-06',
          warn_at_percent: 80,
        });
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => one.request('create_generation', { body: IMAGE })),
        );
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
        const refusal = answers.find(isErrorResponse);
        expect(refusal).toMatchObject({ status: 402, error: { code: 'insufficient_balance' } });
        expect(refusal?.error.message).toBe(
          'This needs $0.03, and $0.02 is left of the $0.20 budget of this organization for June 2026. ' +
            'To get more, contact Anna (anna@example.com).',
        );
        expect(refusal?.error.budget).toEqual({
          id: 'organization',
          key_name: null,
          scope: 'organization',
          scope_name: null,
          interval: 'month',
          interval_start: '2026-06-01',
          month: '2026-06',
          needed_usd: '0.03',
          limit_usd: '0.20',
          left_usd: '0.02',
          contact: 'Anna (anna@example.com)',
        });
        const { body } = await one.call('list_budgets');
        expect(body.data).toMatchObject([
          { id: 'organization', state: 'warning', left_usd: '0.02', reserved_usd: '0.15' },
        ]);
        const created = answers.find((answer) => !isErrorResponse(answer));
        const params = { generation_id: created && !isErrorResponse(created) ? created.body.id : '' };
        await one.call('cancel_generation', { params });
        expect((await one.request('create_generation', { body: IMAGE })).status).toBe(201);
        await one.call('delete_budget', { params: { budget_id: 'organization' } });
        expect((await one.request('create_generation', { body: IMAGE })).status).toBe(201);
        expect((await one.callError('delete_budget', { params: { budget_id: 'organization' } })).status).toBe(404);
      });

      it('limit one key, reset each month in UTC, and exclude refunds', async () => {
        const two = await service.createOrganization('5');
        const { deps } = service.get();
        const member = await createKey(deps, { organization_id: two.organization_id, name: 'Ben', kind: 'member' });
        const { body: budget } = await two.call('set_budget', { body: { key_id: member.id, limit_usd: '0.06' } });
        expect(budget).toMatchObject({ id: member.id, key: { name: 'Ben' }, left_usd: '0.06', contact: null });
        const mine = { ...two, ...two, key: member.key };
        const order = { key: member.key, body: IMAGE };
        const { body: first } = await two.call('create_generation', order);
        const lease = await claimGeneration(deps, first.id);
        if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
        await two.call('create_generation', order);
        const refusal = await two.callError('create_generation', order);
        expect(refusal.error.message).toContain('budget of the key “Ben” for June 2026. To get more, contact an admin');
        expect(refusal.error.budget).toMatchObject({
          id: member.id,
          key_name: 'Ben',
          limit_usd: '0.06',
          contact: null,
        });
        expect((await two.request('create_generation', { body: IMAGE })).status).toBe(201);
        await two.call('create_refund', { body: { generation_id: first.id, reason: 'x' } });
        expect((await two.request('create_generation', order)).status).toBe(201);
        deps.clock.advance(2 * 24 * 3_600_000);
        expect((await two.call('list_budgets', { key: mine.key })).body.data).toMatchObject([
          { month: '2026-07', spent_usd: '0.00', reserved_usd: '0.06', state: 'exhausted' },
        ]);
        const params = {
          generation_id:
            (await two.call('list_reservations', { query: { limit: 1 } })).body.data[0]?.generation_id ?? '',
        };
        await two.call('cancel_generation', { params });
        expect((await two.request('create_generation', order)).status).toBe(201);
      });

      it('return 404, 401 and 422 for foreign keys, member keys and invalid limits', async () => {
        const { organization_id } = service.get();
        const foreign = await createKey(service.get().deps, { organization_id, name: 'x', kind: 'member' });
        const set = (body: Record<string, unknown>) => studio.callError('set_budget', { body });
        expect((await set({ key_id: foreign.id, limit_usd: '1' })).status).toBe(404);
        expect((await set({ key_id: null, limit_usd: '-1' })).status).toBe(422);
        expect((await set({ key_id: null, limit_usd: '1', warn_at_percent: 101 })).status).toBe(422);
        const key = service.get().keys.member;
        expect((await studio.callError('set_budget', { key, body: { key_id: null, limit_usd: '1' } })).status).toBe(
          401,
        );
      });
    });

    it('is consistent after all of this', async () => {
      const { db } = service.get().deps;
      const rows = await db
        .select({ id: ledgerEntries.id })
        .from(ledgerEntries)
        .where(eq(ledgerEntries.organization_id, studio.organization_id));
      expect((await studio.call('get_verification')).body).toMatchObject({ ok: true, checked_entries: rows.length });
    });
  },
);
