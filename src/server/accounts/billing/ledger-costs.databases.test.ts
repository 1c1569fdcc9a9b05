import { beforeAll, expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { CostBasis } from '#contract/providers.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting } from '#server/studio/generations/upstream/upstream-job.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { parseCsv } from './testing/parse-csv.ts';

const clock = createTestClock(new Date('2026-05-10T20:00:00.000Z'));
const ACME = { po: 'PO-4471', client: 'Acme' };

describeOnBothDatabases(
  'provider costs in the ledger',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    let studio: TestOrganization;
    let ids: Record<'charged' | 'failed' | 'preview' | 'unknown', string>;

    /** An image for $0.03. */
    async function run(job: { cost: bigint | null; basis: CostBasis | null } | null, isGood = true): Promise<string> {
      const { deps } = service.get();
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' }, metadata: ACME };
      const { id } = (await studio.call('create_generation', { body })).body;
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('No lease.');
      if (job) await markSubmitting(deps, lease, { name: 'painter' }, {});
      const completion = job && { cost_micro_usd: job.cost, cost_basis: job.basis, handle: undefined };
      if (isGood) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion ?? undefined);
      else await settleFailed(deps, lease, { code: 'x', message: 'No.', retryable: true }, completion ?? undefined);
      return id;
    }
    const csv = async (key = studio.key) => parseCsv(await studio.callCsv('export_ledger', { key }));

    beforeAll(async () => {
      studio = await service.createOrganization('50');
      const charged = await run({ cost: 4_745n, basis: 'reported' });
      ids = {
        charged,
        failed: await run({ cost: 1_000n, basis: 'list' }, false),
        preview: await run(null),
        unknown: await run({ cost: null, basis: null }),
      };
      await studio.call('create_refund', { body: { generation_id: charged, reason: 'Dark', amount_usd: '0.01' } });
      const tag = { label: 'Client', required: false, values: null };
      await studio.call('set_tag', { params: { tag_name: 'client' }, body: tag });
    });

    it('stand once in the entries of a generation, at its charge or the release without one', async () => {
      const { data } = (await studio.call('list_ledger', { query: { limit: 100 } })).body;
      const of = (id: string) =>
        data
          .filter(({ generation_id }) => generation_id === id)
          .map(({ type, cost_usd, cost_basis, margin_usd }) => [type, cost_usd, cost_basis, margin_usd])
          .toReversed();
      expect(of(ids.charged)).toEqual([
        ['RESERVE', null, null, null],
        ['RELEASE', null, null, null],
        ['SETTLE', '0.004745', 'reported', '0.025255'],
        ['REFUND', null, null, '-0.01'],
      ]);
      expect(of(ids.failed)).toEqual([
        ['RESERVE', null, null, null],
        ['RELEASE', '0.001', 'list', '-0.001'],
      ]);
      for (const id of [ids.preview, ids.unknown]) expect(of(id)[2]).toEqual(['SETTLE', null, null, null]);
    });

    it('stand in lines with the margin after refunds, and lines list the numbers of their entries', async () => {
      const { data } = (await studio.call('list_ledger_lines', { query: {} })).body;
      const line = (id: string) => data.find(({ generation_id }) => generation_id === id);
      expect(line(ids.charged)).toMatchObject({
        cost_usd: '0.004745',
        cost_basis: 'reported',
        margin_usd: '0.015255',
        seqs: [3, 4, 5, 14],
      });
      expect(line(ids.failed)).toMatchObject({ cost_usd: '0.001', margin_usd: '-0.001', seqs: [6, 7] });
      expect(line(ids.unknown)).toMatchObject({ cost_usd: null, cost_basis: null, margin_usd: null });
    });

    it('are the last columns of the CSV, after tags and metadata, and add up to those of the statement', async () => {
      const rows = await csv();
      expect(Object.keys(rows[0] ?? {}).slice(-5)).toEqual([
        'tag_client',
        'metadata',
        'cost_usd',
        'cost_basis',
        'margin_usd',
      ]);
      const settled = rows.find(({ type, generation_id }) => type === 'SETTLE' && generation_id === ids.charged);
      expect(settled).toMatchObject({ cost_usd: '0.004745', cost_basis: 'reported', margin_usd: '0.025255' });
      expect(JSON.parse(settled?.['metadata'] ?? '')).toEqual(ACME);
      const sum = (name: string) => formatUsd(rows.reduce((total, row) => total + parseUsd(row[name] || '0'), 0n));
      const { costs } = (await studio.call('get_statement', { query: { costs: 'true' } })).body;
      const uncorrected = { corrected_usd: '0.00', outside_orders_usd: '0.00' };
      expect(costs).toEqual({
        ...uncorrected,
        cost_usd: '0.005745',
        margin_usd: '0.014255',
        known_count: 1,
        unknown_count: 2,
      });
      expect([sum('cost_usd'), sum('margin_usd')]).toEqual([costs?.cost_usd, costs?.margin_usd]);
      const statement = await studio.callCsv('export_statement', { query: { costs: 'true' } });
      expect(statement).toContain('"costs","provider_cost",0.005745,1,,"2 charges without a known cost"\r\n');
      expect(statement).toContain('"costs","margin",0.014255,1,,"of work with a known cost"\r\n');
      clock.advance(31 * 86_400_000);
      const next = (await studio.call('get_statement', { query: { costs: 'true' } })).body;
      expect(next.costs).toEqual({
        ...uncorrected,
        cost_usd: null,
        margin_usd: null,
        known_count: 0,
        unknown_count: 0,
      });
    });

    it('are in a statement only if it is asked for', async () => {
      // The work is older than the tag.
      for (const tags of [undefined, JSON.stringify({ client: null })]) {
        const query = { month: '2026-05', ...(tags === undefined ? {} : { tags }) };
        expect((await studio.call('get_statement', { query })).body.costs).toBeUndefined();
        expect(await studio.callCsv('export_statement', { query })).not.toContain('"costs"');
        const asked = { ...query, costs: 'true' } as const;
        expect((await studio.call('get_statement', { query: asked })).body.costs?.cost_usd).toBe('0.005745');
        expect(await studio.callCsv('export_statement', { query: asked })).toContain(
          '"costs","provider_cost",0.005745',
        );
      }
    });

    it('are absent without the permission to see them', async () => {
      const { organization_id } = studio;
      const { key } = await createKey(service.get().deps, { organization_id, name: 'Ben', kind: 'member' });
      for (const name of ['list_ledger', 'list_ledger_lines'] as const) {
        const { data } = (await studio.call(name, { key, query: {} })).body;
        expect(data.length).toBeGreaterThan(3);
        for (const row of data) expect(Object.keys(row).join(' ')).not.toMatch(/cost|margin/);
      }
      expect(Object.keys((await csv(key))[0] ?? {}).at(-1)).toBe('metadata');
      expect((await studio.call('get_statement', { key, query: { costs: 'true' } })).body.costs).toBeUndefined();
    });

    it('are found by metadata, value of a tag, and the name of a key or person', async () => {
      const { deps } = service.get();
      const { organization_id } = studio;
      const { key } = await createKey(deps, { organization_id, name: 'Zebra exporter', kind: 'member' });
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A red fox' } };
      const { id } = (await studio.call('create_generation', { key, body })).body;
      const found = async (q: string, query = {}) => {
        const csv = parseCsv(await studio.callCsv('export_ledger', { query: { q, ...query } }));
        const { data } = (await studio.call('list_ledger_lines', { query: { q, ...query } })).body;
        const ids = data.map(({ generation_id }) => generation_id).toSorted();
        expect([...new Set(csv.map(({ generation_id }) => generation_id))].toSorted()).toEqual(ids);
        return ids;
      };
      const ofAcme = Object.values(ids).toSorted();
      for (const q of ['PO-4471', 'acme', 'po 44']) expect(await found(q), q).toEqual(ofAcme);
      for (const q of ['zebra', 'export zebra', 'red fox']) expect(await found(q), q).toEqual([id]);
      expect(await found('zebra', { type: 'RESERVE' })).toEqual([id]);
      expect(await found('zebra acme')).toEqual([]);
    });

    it('come with the metadata in the details of an entry', async () => {
      const { data } = (await studio.call('list_ledger', { query: { generation_id: ids.charged } })).body;
      const entry = (await studio.call('get_ledger_entry', { params: { entry_id: data[1]?.id ?? '' } })).body;
      expect(entry).toMatchObject({ type: 'SETTLE', metadata: ACME, cost_usd: '0.004745' });
    });
  },
);
