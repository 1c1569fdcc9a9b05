import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { billFile, runJob } from './testing/closing-fixture.ts';

const clock = createTestClock(new Date('2026-10-01T08:00:00.000Z'));
const NOVEMBER = { month: '2026-11' };
const PROVIDER = { provider_id: 'file:painter' };
const APPEND_ONLY = ['closing_entries', 'closing_corrections'];
const TABLES = [...APPEND_ONLY, 'closing_heads', 'ledger_entries'];

describeOnBothDatabases(
  'The verification of closings',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    /** Settles twice and closes November. */
    async function close(): Promise<TestOrganization> {
      clock.advance(new Date('2026-10-20T08:00:00.000Z').getTime() - clock.now().getTime());
      const studio = await service.createOrganization('100.00');
      const job = { at: '2026-11-20T08:00:00.000Z', costMicroUsd: 40_000n };
      for (const requestId of ['dearer', 'cheaper']) await runJob(service.get(), clock, studio, { ...job, requestId });
      const lines = ['2026-11-20,m,dearer,1,0.05', '2026-11-20,m,cheaper,1,0.03', '2026-11-21,m,nobody,1,1'];
      const query = { ...PROVIDER, ...NOVEMBER, filename: 'november.csv' };
      await studio.call('create_provider_bill', { query, file: billFile(lines) });
      const settlement = { ...NOVEMBER, ...PROVIDER, action: 'book_cost' } as const;
      await studio.call('settle_findings', { body: { ...settlement, kind: 'price_differs' } });
      await studio.call('settle_findings', { body: { ...settlement, kind: 'theirs_only', note: 'The console' } });
      clock.advance(new Date('2026-12-02T08:00:00.000Z').getTime() - clock.now().getTime());
      await studio.call('close_month', { params: NOVEMBER });
      return studio;
    }

    /** As the owner of the tables, who can disable triggers. */
    const edit = ({ organization_id }: TestOrganization, statement: string) =>
      service.get().deps.db.transaction(async (tx) => {
        const run = (text: string) => tx.execute(sql.raw(text));
        for (const table of TABLES) await run(`alter table ${table} disable trigger user`);
        await run(statement.replaceAll('$org', `organization_id = '${organization_id}'`));
        for (const table of TABLES) await run(`alter table ${table} enable trigger user`);
        for (const table of APPEND_ONLY) await run(`alter table ${table} enable always trigger ${table}_append_only`);
        await run(`alter table ledger_entries enable always trigger ledger_entries_append_only`);
      });

    const verify = async (studio: TestOrganization) => (await studio.call('get_verification')).body;

    it('finds nothing where nothing was edited', async () => {
      const studio = await close();
      expect(await verify(studio)).toMatchObject({ ok: true, problem: null });
      const reason = { reason: 'Another invoice' };
      await studio.call('reopen_month', { params: NOVEMBER, body: reason });
      const { data } = (await studio.call('list_provider_bills', { query: NOVEMBER })).body;
      await studio.call('delete_provider_bill', { params: { bill_id: data[0]?.id ?? '' } });
      await studio.call('get_close', { query: NOVEMBER });
      const { checks, ok } = await verify(studio);
      expect([ok, checks.find(({ name }) => name === 'closings')]).toEqual([true, { name: 'closings', ok: true }]);
    });

    it.each([
      [
        'an edited note',
        `update closing_entries set body = replace(body, 'The console', 'Nobody') where $org`,
        /Entry 2/,
      ],
      [
        'a settlement of another month',
        `update closing_entries set month = '2026-10' where seq = 1 and $org`,
        /Entry 1/,
      ],
      ['a removed settlement', 'delete from closing_entries where seq = 1 and $org', /Entry 1 .* is missing/],
      ['a removed record', 'delete from closing_entries where seq = 3 and $org', /end with entry 2, but 3/],
      ['an edited head', `update closing_heads set last_hash = repeat('0', 64) where $org`, /end with entry 3/],
      [
        'an edited amount',
        `update closing_corrections set amount_nano = amount_nano + 1 where kind = 'theirs_only' and $org`,
        /corrections of settlement cls_/,
      ],
      [
        // Their sum stays.
        'swapped amounts',
        `update closing_corrections set amount_nano = -amount_nano where kind = 'price_differs' and $org`,
        /corrections of settlement cls_/,
      ],
      ['a removed correction', `delete from closing_corrections where kind = 'theirs_only' and $org`, /corrections of/],
      [
        'an added correction',
        `insert into closing_corrections select organization_id, 'cls_forged', finding_id, month, provider_id, subject,
           kind, generation_id, booked_at, amount_nano, is_correction from closing_corrections where $org limit 1`,
        /2026-11 belongs to no settlement/,
      ],
      ['an edited bill', `update provider_bills set sha256 = repeat('0', 64) where $org`, /closed with other bills/],
      [
        'an edited line',
        'update provider_bill_lines set usd_nano = usd_nano + 1 where row = 2 and $org',
        /lines of bill bil_.* do not add up/,
      ],
      [
        'an edited finding',
        `update closing_findings set kind = 'rounded' where kind = 'theirs_only' and $org`,
        /findings of file:painter in 2026-11 differ/,
      ],
      [
        'an added finding',
        `insert into closing_findings select (jsonb_populate_record(null::closing_findings,
           to_jsonb(found) || '{"provider_id": "file:other", "id": "fnd_added"}')).* from closing_findings as found where $org limit 1`,
        /2026-11 has other findings/,
      ],
    ])('finds %s', async (_, statement, message) => {
      const studio = await close();
      await edit(studio, statement);
      const { ok, problem, checks } = await verify(studio);
      expect({ ok, problem }).toMatchObject({ ok: false, problem: { check: 'closings', seq: null } });
      expect(problem?.message).toMatch(message);
      expect(checks.flatMap((check) => (check.ok ? [] : [check.name]))).toEqual(['closings']);
    });

    it('finds a ledger that was written anew', async () => {
      const studio = await close();
      await edit(studio, `update ledger_entries set hash = repeat('1', 64) where type = 'SETTLE' and $org`);
      const { checks } = await verify(studio);
      expect(checks.flatMap((check) => (check.ok ? [] : [check.name]))).toEqual(['chain', 'closings']);
    });
  },
);
