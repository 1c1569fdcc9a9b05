import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { parseCsv } from '#server/accounts/billing/testing/parse-csv.ts';

const ORDERS = [
  { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } },
  { task: 'image.create', model: 'imgmodel-b-pro', input: { prompt: 'x' } },
  { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'x', images: [{ url: 'https://example.com/a.png' }] } },
  { task: 'social.search', input: { platform: 'social_a', query: 'x', limit: 3 } },
] as const;
type Query = Record<string, string>;

describeOnBothDatabases(
  'the filtered ledger',
  () => ({
    engines: [createScriptedEngine()],
    clock: createTestClock(new Date('2026-05-30T20:00:00.000Z')),
  }),
  (service) => {
    let studio: TestOrganization;
    let second: { id: string; key: string };
    let all: LedgerEntry[];

    const write = async (at: number, key: string): Promise<void> => {
      const { deps } = service.get();
      const { body } = await studio.call('create_generation', { key, body: ORDERS[at % ORDERS.length] ?? {} });
      const lease = at % 7 === 6 ? null : await claimGeneration(deps, body.id);
      if (!lease) return;
      const failure = { code: 'x', message: 'No.', retryable: true };
      if (at % 5 === 0) await settleFailed(deps, lease, failure);
      else await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
      if (at % 6 === 3)
        await studio.request('create_refund', { body: { generation_id: body.id, reason: '=Blurred, "twice"' } });
    };
    const paged = async (query: Query, limit = 100): Promise<LedgerEntry[]> => {
      const entriesFound: LedgerEntry[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: { body: { data: LedgerEntry[]; next_cursor: string | null } } = await studio.call(
          'list_ledger',
          {
            query: { ...query, limit, cursor },
          },
        );
        entriesFound.push(...body.data);
        cursor = body.next_cursor;
      }
      return entriesFound;
    };
    const total = (entries: readonly LedgerEntry[]) =>
      formatUsd(entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n));

    beforeAll(async () => {
      studio = await service.createOrganization('50');
      const { organization_id } = studio;
      second = await createKey(service.get().deps, { organization_id, name: 'Second', kind: 'member' });
      for (let at = 0; at < 40; at += 1) {
        await write(at, at % 3 === 0 ? second.key : studio.key);
        service.get().deps.clock.advance(47 * 60_000);
      }
      all = await paged({});
    });

    /** Every combination of filters, including times. */
    const combinations = function* (): Generator<Query> {
      const options: Record<string, (string | undefined)[]> = {
        type: [undefined, 'SETTLE', 'REFUND'],
        task: [undefined, 'image.create', 'social.search'],
        model: [undefined, 'imgmodel-a-2'],
        key_id: [undefined, second.id],
        created_after: [undefined, '2026-05-31T03:03:00.000Z'],
        created_before: [undefined, '2026-05-31T19:30:00+02:00'],
      };
      let queries: Query[] = [{}];
      for (const [name, values] of Object.entries(options)) {
        queries = queries.flatMap((query) =>
          values.map((value) => (value === undefined ? query : { ...query, [name]: value })),
        );
      }
      yield* queries;
    };
    const fits = (entry: LedgerEntry, query: Query): boolean =>
      (!query['type'] || entry.type === query['type']) &&
      (!query['task'] || entry.task === query['task']) &&
      (!query['model'] || entry.model === query['model']) &&
      (!query['key_id'] || entry.key?.id === query['key_id']) &&
      (!query['created_after'] || Date.parse(entry.created_at) >= Date.parse(query['created_after'])) &&
      (!query['created_before'] || Date.parse(entry.created_at) < Date.parse(query['created_before']));

    it('lists, sums and exports the same entries for every combination of filters', async () => {
      let entry_count = 0;
      for (const query of combinations()) {
        const expected = all.filter((entry) => fits(entry, query));
        entry_count += expected.length > 0 ? 1 : 0;
        expect(await paged(query, 30), JSON.stringify(query)).toEqual(expected);
        if (entry_count % 5 !== 1) continue;
        const { body: sums } = await studio.call('get_ledger_sums', { query });
        expect(sums).toMatchObject({ count: expected.length, amount_usd: total(expected) });
        const lines = parseCsv(await studio.callCsv('export_ledger', { query }));
        expect(lines.map((line) => line['id'])).toEqual(expected.map(({ id }) => id).toReversed());
        expect(lines.map((line) => line['amount_usd'])).toEqual(
          expected.map(({ amount_usd }) => amount_usd).toReversed(),
        );
      }
      expect(entry_count).toBeGreaterThan(60);
    });

    it('matches the generation id only exactly', async () => {
      const of_generation = all.find(({ type }) => type === 'REFUND')?.generation_id ?? '';
      const entries = await paged({ generation_id: of_generation });
      expect(entries.map(({ type }) => type)).toEqual(['REFUND', 'SETTLE', 'RELEASE', 'RESERVE']);
      expect(await paged({ generation_id: of_generation, type: 'SETTLE' }, 1)).toHaveLength(1);
      expect(await paged({ generation_id: of_generation, model: 'lipsync-v3' })).toEqual([]);
      const { body } = await studio.call('get_ledger_sums', { query: { generation_id: of_generation } });
      expect(body).toMatchObject({ count: 4, amount_usd: '0.00', spent_usd: '0.00' });
    });

    it('finds one entry by its number, combined with other filters', async () => {
      const { seq = 0, type, id } = all[7] ?? {};
      const entriesFound = await paged({ seq: String(seq) });
      expect(entriesFound).toEqual([all[7]]);
      expect(await paged({ seq: String(seq), type: type === 'SETTLE' ? 'REFUND' : 'SETTLE' })).toEqual([]);
      expect(await paged({ seq: String(seq), created_before: '2026-05-30T00:00:00.000Z' })).toEqual([]);
      expect(await paged({ seq: String(all.length + 1) })).toEqual([]);
      const { body } = await studio.call('get_ledger_sums', { query: { seq: String(seq) } });
      expect(body).toMatchObject({ count: 1 });
      const lines = parseCsv(await studio.callCsv('export_ledger', { query: { seq: String(seq) } }));
      expect(lines.map((line) => line['id'])).toEqual([id]);
      const refusal = await studio.callError('list_ledger', { query: { seq: 'led_1' } });
      expect(refusal).toMatchObject({ status: 422, error: { details: [{ path: 'seq' }] } });
    });

    it('exports times for spreadsheets next to exact ones', async () => {
      const [line] = parseCsv(await studio.callCsv('export_ledger'));
      expect(line).toMatchObject({ created_at: '2026-05-30T20:00:00.000Z', date_utc: '2026-05-30 20:00:00' });
    });

    it('escapes formulas so that the original text can be restored', async () => {
      const text = await studio.callCsv('export_ledger', { query: { type: 'REFUND' } });
      const [line] = parseCsv(text);
      expect(line).toMatchObject({ description: `'=Blurred, "twice"`, key_name: 'Second', created_by_name: 'Key' });
      expect(text).toContain(`,"'=Blurred, ""twice""",`);
      expect(parseCsv(await studio.callCsv('export_ledger', { query: { type: 'SETTLE' } }))[0]?.['amount_usd']).toMatch(
        /^-0\.\d+$/,
      );
    });

    it('daily spending matches the summary and the entries', async () => {
      const range = { from: '2026-05-30T22:00:00Z', to: '2026-06-01T01:00:00Z' };
      const { body: summary } = await studio.call('get_billing_summary', { query: range });
      const spending = all.filter(
        (entry) =>
          (entry.type === 'SETTLE' || entry.type === 'REFUND') &&
          fits(entry, { created_after: range.from, created_before: range.to }),
      );
      for (const by of ['task', 'model', 'key'] as const) {
        const { body } = await studio.call('get_spending', { query: { ...range, by } });
        const sum = body.data.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
        expect(formatUsd(-sum)).toBe(total(spending));
        const days = summary.by_day.map(({ date, amount_usd, count }) => {
          const rows = body.data.filter((row) => row.date === date);
          expect(formatUsd(rows.reduce((sum, row) => sum + parseUsd(row.amount_usd), 0n))).toBe(amount_usd);
          expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(count);
          return date;
        });
        expect(days).toEqual(['2026-05-30', '2026-05-31', '2026-06-01']);
      }
      expect((await studio.callError('get_spending', { query: range })).status).toBe(422);
    });

    it('holds what its reservations add up to', async () => {
      const { body: summary } = await studio.call('get_billing_summary');
      const { body: page } = await studio.call('list_reservations', { query: { limit: 2 } });
      const { body: rest } = await studio.call('list_reservations', { query: { cursor: page.next_cursor ?? '' } });
      const held = [...page.data, ...rest.data];
      expect(held.length).toBeGreaterThan(3);
      expect(formatUsd(held.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n))).toBe(
        summary.reserved_usd,
      );
      expect((await studio.callError('list_reservations', { query: { cursor: 'AAAA.BBBB' } })).status).toBe(400);
    });

    it('neither skips nor repeats entries during writes, and the summary matches it at every moment', async () => {
      const writers = { areDone: false };
      const writing = Promise.all(
        [0, 1, 2].map(async (lane) => {
          for (let at = lane; at < 36; at += 3) await write(at, lane === 0 ? second.key : studio.key);
        }),
      ).finally(() => {
        writers.areDone = true;
      });
      while (!writers.areDone) {
        // The embedded database never yields to the event loop by itself.
        await setImmediate();
        const { body: summary } = await studio.call('get_billing_summary', { query: { from: '2026-05-01T00:00:00Z' } });
        const entries = (await paged({}, 7)).toReversed();
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
        // The summary equals the ledger up to the entry that has its balances.
        const spent = (upto: readonly LedgerEntry[]) =>
          upto.reduce(
            (sum, { type, amount_usd }) => (/SETTLE|REFUND/.test(type) ? sum - parseUsd(amount_usd) : sum),
            0n,
          );
        const moments = entries.map((_, at) => entries.slice(0, at + 1));
        const fitting = moments.filter(
          (upto) =>
            upto.at(-1)?.available_after_usd === summary.available_usd &&
            upto.at(-1)?.balance_after_usd === summary.balance_usd &&
            formatUsd(spent(upto)) === summary.spent_total_usd,
        );
        expect(fitting.length).toBeGreaterThan(0);
        const grouped = [summary.by_day, summary.by_task, summary.by_model, summary.by_key].map((group) =>
          formatUsd(group.reduce((sum: bigint, { amount_usd }) => sum + parseUsd(amount_usd), 0n)),
        );
        expect(new Set([...grouped, summary.spent_total_usd]).size).toBe(1);
      }
      await writing;
    });
  },
);
