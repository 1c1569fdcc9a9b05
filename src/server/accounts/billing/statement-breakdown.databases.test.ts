import { beforeAll, expect, it } from 'vitest';
import { parseUsd } from '#contract/money/money.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import type { TestService } from '#server/app/testing/test-service.ts';
import { parseCsv } from './testing/parse-csv.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
const MONTH = '2026-02';

describeOnBothDatabases(
  'a statement',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-02-10T10:00:00.000Z')) }),
  (service) => {
    let studio: TestService;
    let mia: { id: string; session: string };
    beforeAll(async () => {
      studio = service.get();
      for (const name of ['client', 'project']) {
        const body = { label: name, required: false, values: null };
        await studio.call('set_tag', { params: { tag_name: name }, body });
      }
      const { session, person } = await studio.addPerson('member', 'Mia');
      mia = { id: person.id, session };
      await charge({ client: 'Acme', project: 'Film' });
      await charge({ client: 'Beta' }, mia.session);
      await charge({ client: 'Acme' }, mia.session);
      const refunded = await charge({});
      await studio.call('create_refund', { body: { generation_id: refunded, reason: 'Blurred', amount_usd: '0.01' } });
    });

    async function charge(metadata: Record<string, string>, key?: string): Promise<string> {
      const { deps } = studio;
      const { body } = await studio.call('create_generation', {
        body: { ...ORDER, metadata },
        ...(key ? { key } : {}),
      });
      const lease = await claimGeneration(deps, body.id);
      if (lease) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} });
      return body.id;
    }
    const read = async (query: object = {}) =>
      (await studio.call('get_statement', { query: { month: MONTH, ...query } })).body;
    const sum = (rows: readonly { amount_usd: string }[]) =>
      rows.reduce((total, { amount_usd }) => total + parseUsd(amount_usd), 0n);

    it('breaks spending down by person and by tag, with a row for work without one', async () => {
      const whole = await read();
      expect(whole).toMatchObject({ filter: null, breakdowns: [] });
      for (const [by, names] of [
        ['person', ['Mia', 'Programs']],
        ['tag:client', ['Acme', 'Beta', '(none)']],
        ['tag:project', ['(none)', 'Film']],
        ['tag:unknown', ['(none)']],
      ] as const) {
        const { breakdowns, spent_usd } = await read({ by });
        expect(breakdowns.map((each) => each.by)).toEqual([by]);
        expect(breakdowns[0]?.rows.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
        expect(sum(breakdowns[0]?.rows ?? [])).toBe(parseUsd(spent_usd));
        expect(spent_usd).toBe(whole.spent_usd);
      }
    });

    it('covers a person, programs or values of tags, whose sums make the whole', async () => {
      const whole = parseUsd((await read()).spent_usd);
      const ofMia = await read({ person_id: mia.id, by: 'tag:client' });
      expect(ofMia).toMatchObject({
        filter: { person: { id: mia.id, name: 'Mia' }, tags: {} },
        opening: null,
        closing: null,
        entry_count: 6,
      });
      expect(ofMia.breakdowns[0]?.rows.map(({ name, count }) => [name, count]).toSorted()).toEqual([
        ['Acme', 1],
        ['Beta', 1],
      ]);
      expect(ofMia.head_hash).toBe((await read()).head_hash);
      const programs = await read({ person_id: '(none)' });
      expect(programs.filter).toEqual({ person: { id: null, name: 'Programs' }, tags: {} });
      expect(parseUsd(ofMia.spent_usd) + parseUsd(programs.spent_usd)).toBe(whole);
      const byClient = await Promise.all(
        ['Acme', 'Beta', null].map((client) => read({ tags: JSON.stringify({ client }), by: 'person' })),
      );
      expect(byClient.map(({ filter }) => filter?.tags['client'])).toEqual(['Acme', 'Beta', null]);
      expect(sum(byClient.map(({ spent_usd }) => ({ amount_usd: spent_usd })))).toBe(whole);
      for (const each of byClient) expect(sum(each.breakdowns[0]?.rows ?? [])).toBe(parseUsd(each.spent_usd));
    });

    it('filters ledger, spending and the breakdown by programs', async () => {
      const query = { person_id: '(none)' };
      const { body } = await studio.call('list_ledger', { query: { ...query, type: 'SETTLE' } });
      expect(body.data).toHaveLength(2);
      const period = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' };
      const { body: spending } = await studio.call('get_spending', { query: { by: 'person', ...period, ...query } });
      expect(spending.data).toMatchObject([{ id: null, name: 'Programs', count: 2 }]);
      const { body: pivot } = await studio.call('get_pivot', {
        query: { rows: 'person', columns: 'month', ...period, ...query },
      });
      expect(pivot).toMatchObject({ rows: [{ id: null }], columns: [{ id: MONTH }], total: { count: 2 } });
      const own = await studio.call('get_spending', { key: mia.session, query: { by: 'person', ...period, ...query } });
      expect(own.body.data).toEqual([]);
    });

    it('says in CSV and PDF what it covers', async () => {
      const query = { month: MONTH, by: 'person', tags: '{"client":"Acme"}' };
      const lines = parseCsv(await studio.callCsv('export_statement', { query }));
      expect(lines[0]).toMatchObject({ section: 'filter', name: 'client', note: 'Acme' });
      expect(lines.some((line) => line['section'] === 'opening')).toBe(false);
      expect(lines.filter((line) => line['section'] === 'by person').map((line) => line['name'])).toEqual(
        (await read({ by: 'person', tags: query.tags })).breakdowns[0]?.rows.map(({ name }) => name),
      );
      const { statusCode, headers, payload } = await studio.app.inject({
        url: '/v1/billing/statement.pdf',
        query,
        headers: { authorization: `Bearer ${studio.keys.organization}` },
      });
      expect([statusCode, headers['content-type'], payload.slice(0, 4)]).toEqual([200, 'application/pdf', '%PDF']);
      const { error } = await studio.callError('print_statement', { query: { month: 'x' } });
      expect(error.details?.[0]?.path).toBe('month');
    });

    it('verifies, day by day', async () => {
      expect((await studio.call('get_verification')).body.ok).toBe(true);
    });
  },
);
