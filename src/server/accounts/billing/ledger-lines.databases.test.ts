import { beforeAll, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry, LedgerLine } from '#contract/resources/ledger.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { parseCsv } from './testing/parse-csv.ts';
import { parseLedgerSearch } from './ledger/ledger-search.ts';

type Query = Record<string, string>;
const PRO = { task: 'image.create', model: 'imgmodel-b-pro' } as const;
const SMALL = { task: 'image.create', model: 'imgmodel-a-2' } as const;

it.each([
  ['500', { seq: '500' }],
  ['# 500', { seq: '500' }],
  ['$0.04', { amount: '40000' }],
  ['−$1,234.50', { amount: '1234500000' }],
  ['0.09', { amount: '90000' }],
  ['$5', { amount: '5000000' }],
  ['led_01abc', { entry_id: 'led_01abc' }],
  ['gen_01abc', { generation_id: 'gen_01abc' }],
  ['run_01abc', { workflow_run_id: 'run_01abc' }],
  ['Red fox', { words: "'red':* & 'fox':*" }],
  ['!?', {}],
])('the search %j is for %j', (text, search) => {
  const { amount_micro_usd, ...parsed } = parseLedgerSearch(text) ?? {};
  expect({ ...parsed, ...(amount_micro_usd && { amount: String(amount_micro_usd) }) }).toEqual(search);
});

describeOnBothDatabases(
  'ledger lines',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-05-30T20:00:00.000Z')) }),
  (service) => {
    let studio: TestOrganization;
    let ids: Record<'open' | 'failed' | 'retried' | 'charged' | 'partly' | 'refunded', string>;

    const order = async (
      prompt: string,
      model: typeof SMALL | typeof PRO = SMALL,
      metadata?: Record<string, string>,
    ) => {
      const body = { ...model, input: { prompt }, ...(metadata && { metadata }) };
      return (await studio.call('create_generation', { body })).body.id;
    };
    const finish = async (id: string, isGood: boolean): Promise<void> => {
      const { deps } = service.get();
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('No lease.');
      if (isGood) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
      else await settleFailed(deps, lease, { code: 'x', message: 'No.', retryable: true });
    };
    const refund = (generation_id: string, reason: string, amount_usd?: string) =>
      studio.call('create_refund', { body: { generation_id, reason, ...(amount_usd && { amount_usd }) } });
    const listAll = async <T>(name: 'list_ledger' | 'list_ledger_lines', query: Query = {}, limit = 100) => {
      const rows: T[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: { body: List<unknown> } = await studio.call(name, { query: { ...query, limit, cursor } });
        rows.push(...(body.data as T[]));
        cursor = body.next_cursor;
      }
      return rows;
    };
    const lines = (query?: Query, limit?: number) => listAll<LedgerLine>('list_ledger_lines', query, limit);
    const entries = (query?: Query, limit?: number) => listAll<LedgerEntry>('list_ledger', query, limit);
    const found = async (query: Query) =>
      (await lines(query)).map(({ generation_id, status }) => generation_id ?? status);
    const total = (rows: readonly { amount_usd: string }[]) =>
      formatUsd(rows.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n));

    beforeAll(async () => {
      studio = await service.createOrganization('50');
      await studio.call('set_tag', {
        params: { tag_name: 'client' },
        body: { label: 'Client', required: false, values: null },
      });
      const open = await order('A harbour at dusk', PRO);
      const failed = await order('A red fox');
      await finish(failed, false);
      const { body } = await studio.call('retry_generation', { params: { generation_id: failed } });
      await finish(body.id, true);
      service.get().deps.clock.advance(86_400_000);
      const charged = await order('A lighthouse', PRO, { client: 'Acme' });
      await finish(charged, true);
      const partly = await order('Two lighthouses', PRO, { client: '=Beta' });
      await finish(partly, true);
      const refunded = await order('A snowy mountain');
      await finish(refunded, true);
      await refund(partly, 'Too dark', '0.04');
      await refund(partly, 'Still too dark', '0.01');
      await refund(refunded, 'Blurred');
      await studio.call('create_credit', { body: { amount_usd: '25', description: 'Budget for March' } });
      await studio.call('create_credit', { body: { amount_usd: '-3.5', description: 'Correction' } });
      ids = { open, failed, retried: body.id, charged, partly, refunded };
    });

    it('fold the entries of each generation, and leave others alone', async () => {
      const [adjusted, credited, refunded, partly, charged, retried, failed, open, first] = await lines();
      expect(open).toMatchObject({
        status: 'reserved',
        amount_usd: '-0.09',
        charged_usd: '0.00',
        first_seq: 3,
        last_seq: 3,
        entry_count: 1,
        prompt: 'A harbour at dusk',
        description: 'Create an image · ImgModel B Pro',
      });
      expect(failed).toMatchObject({
        generation_id: ids.failed,
        status: 'released',
        amount_usd: '0.00',
        entry_count: 2,
      });
      expect(retried).toMatchObject({
        generation_id: ids.retried,
        status: 'charged',
        amount_usd: '-0.03',
        entry_count: 3,
      });
      expect(charged).toMatchObject({ status: 'charged', charged_usd: '0.09', tags: { client: 'Acme' }, reason: null });
      expect(partly).toMatchObject({
        status: 'partly_refunded',
        amount_usd: '-0.04',
        charged_usd: '0.09',
        refunded_usd: '0.05',
        reason: 'Still too dark',
        description: 'Create an image · ImgModel B Pro',
        entry_count: 5,
      });
      expect(refunded).toMatchObject({ status: 'refunded', amount_usd: '0.00', reason: 'Blurred', entry_count: 4 });
      expect(credited).toMatchObject({ status: 'credited', amount_usd: '25.00', generation_id: null, prompt: null });
      expect(adjusted).toMatchObject({ status: 'adjusted', amount_usd: '-3.50', description: 'Correction' });
      expect(first).toMatchObject({ status: 'adjusted', first_seq: 2, entry_count: 1 });
      const last = (await entries()).find(({ seq }) => seq === partly?.last_seq);
      expect(partly).toMatchObject({ last_entry_id: last?.id, last_entry_at: last?.created_at });
    });

    it.each([1, 3, 100])('sum to the ledger, each entry in one line, in pages of %i', async (limit) => {
      const [all, folded] = [await entries({}, limit), await lines({}, limit)];
      expect(total(folded)).toBe(total(all));
      expect(folded.reduce((sum, { entry_count }) => sum + entry_count, 0)).toBe(all.length);
      expect(folded).toEqual(await lines());
    });

    it('of a type stand where their first entry of that type stands', async () => {
      expect(await found({ type: 'SETTLE' })).toEqual([ids.refunded, ids.partly, ids.charged, ids.retried]);
      expect(await found({ type: 'REFUND' })).toEqual([ids.refunded, ids.partly]);
      expect(await found({ type: 'REFUND', created_before: '2026-05-31T00:00:00Z' })).toEqual([]);
      expect(await found({ type: 'ADJUSTMENT' })).toEqual(
        ['adjusted', 'adjusted'].slice(0, (await lines({ type: 'ADJUSTMENT' })).length),
      );
    });

    it('and entries are found by number, id, amount and text', async () => {
      const [line] = await lines({ generation_id: ids.partly });
      for (const seq of [line?.first_seq, line?.last_seq]) {
        expect(await found({ q: `#${seq}` })).toEqual([ids.partly]);
        expect((await entries({ q: String(seq) })).map((entry) => entry.seq)).toEqual([seq]);
      }
      const { id = '' } = (await entries({ type: 'SETTLE', generation_id: ids.charged }))[0] ?? {};
      expect(await found({ q: id })).toEqual([ids.charged]);
      expect((await entries({ q: id })).map((entry) => entry.id)).toEqual([id]);
      expect(await found({ q: ids.failed })).toEqual([ids.failed]);
      expect(await found({ q: '$0.04' })).toEqual([ids.partly]);
      expect(await found({ q: '0.09' })).toEqual([ids.partly, ids.charged, ids.open]);
      expect(await found({ q: '$25' })).toEqual(['credited']);
      expect((await entries({ q: '−$0.03' })).length).toBe(9);
      expect(await found({ q: 'lighthouse' })).toEqual([ids.partly, ids.charged]);
      expect(await found({ q: 'RED fo' })).toEqual([ids.retried, ids.failed]);
      expect(await found({ q: 'blurred' })).toEqual([ids.refunded]);
      expect((await entries({ q: 'blurred' })).length).toBe(4);
      expect(await found({ q: 'march budget' })).toEqual(['credited']);
      for (const q of ['zebra', '#999999', 'led_00000000000000000000000000', '$77', '!!'])
        expect(await found({ q })).toEqual([]);
    });

    it('are found by searches and filters together', async () => {
      expect(await found({ q: 'lighthouse', tags: '{"client":"Acme"}' })).toEqual([ids.charged]);
      expect(await found({ tags: '{"client":null}', type: 'SETTLE' })).toEqual([ids.refunded, ids.retried]);
      expect(await found({ tags: '{"client":"Acme"}', model: 'imgmodel-a-2' })).toEqual([]);
      expect(await found({ tags: '{"client":"Acme"}', type: 'ADMIN_CREDIT' })).toEqual([]);
      expect(await found({ q: '0.09', model: PRO.model, created_before: '2026-05-31T00:00:00Z' })).toEqual([ids.open]);
      expect(await found({ q: '$0.09', type: 'SETTLE' })).toEqual([ids.partly, ids.charged]);
      expect(await found({ q: ids.open, generation_id: ids.failed })).toEqual([]);
      expect(await found({ q: 'fox', key_id: 'key_00000000000000000000000000' })).toEqual([]);
      const linesCsv = parseCsv(await studio.callCsv('export_ledger', { query: { q: 'lighthouses', type: 'SETTLE' } }));
      expect(linesCsv).toMatchObject([{ prompt: 'Two lighthouses', tag_client: `'=Beta`, person_name: '' }]);
    });

    it('of other organizations match nothing', async () => {
      const other = await service.createOrganization('10');
      for (const q of ['lighthouse', ids.charged, '0.09', 'blurred']) {
        expect((await other.call('list_ledger_lines', { query: { q } })).body.data).toEqual([]);
        expect((await other.call('list_ledger', { query: { q } })).body.data).toEqual([]);
      }
      const { id = '' } = (await entries())[0] ?? {};
      expect((await other.callError('get_ledger_entry', { params: { entry_id: id } })).status).toBe(404);
    });

    it('reject a search of more than 500 characters and a cursor of another list', async () => {
      const { status, error } = await studio.callError('list_ledger_lines', { query: { q: 'x'.repeat(501) } });
      expect([status, error.details?.[0]?.path]).toEqual([422, 'q']);
      const { body } = await studio.call('list_ledger', { query: { limit: 1 } });
      const cursor = body.next_cursor ?? '';
      expect((await studio.callError('list_ledger_lines', { query: { cursor } })).status).toBe(400);
    });

    it('have entries with hashes, neighbors and the entries of their generation', async () => {
      const all = (await entries()).toReversed();
      const [first, , , fourth] = all;
      const read = async (entry_id = '') => (await studio.call('get_ledger_entry', { params: { entry_id } })).body;
      expect(await read(fourth?.id)).toMatchObject({
        ...fourth,
        previous_hash: all[2]?.hash,
        previous: { id: all[2]?.id, seq: 3 },
        next: { id: all[4]?.id, seq: 5 },
        entries: [{ seq: 4 }, { seq: 5 }],
      });
      expect(await read(first?.id)).toMatchObject({
        previous_hash: '0'.repeat(64),
        previous: null,
        entries: [{ seq: 1 }],
      });
      expect((await read(all.at(-1)?.id)).next).toBeNull();
    });

    it('neither repeat nor move while entries are appended between pages', async () => {
      const before = await lines();
      const seen: string[] = [];
      let cursor = '';
      for (let page = 0; page < before.length; page += 1) {
        const { body } = await studio.call('list_ledger_lines', { query: { limit: 1, cursor } });
        seen.push(...body.data.map(({ id }) => id));
        cursor = body.next_cursor ?? '';
        if (page === 1) await finish(ids.open, true);
        if (page === 2) await refund(ids.charged, 'Late');
        if (page === 3) await order('A late one');
      }
      expect(seen).toEqual(before.map(({ id }) => id));
      const after = await lines();
      expect(after.slice(1).map(({ id }) => id)).toEqual(seen);
      expect(total(after)).toBe(total(await entries()));
    });
  },
);
