import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FocusView } from '#contract/resources/audit.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { appendEntry } from '#server/accounts/billing/ledger/append-entries.ts';
import { parseCsv } from '#server/accounts/billing/testing/parse-csv.ts';
import { PRICED_REQUESTS, SAMPLE_FAILURE } from '#server/accounts/billing/testing/ledger-fixture.ts';
import { createKey } from '#server/accounts/keys/create-key.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';
import { findFocusProblems, type FocusRecord } from './testing/focus-rules.ts';

const HOUR_MS = 3_600_000;
const clock = createTestClock(new Date('2026-10-31T08:00:00.000Z'));
const PERIOD = '2026-11';

const steps = fc.record({
  act: fc.constantFrom('top up', 'credit', 'adjust', 'work', 'work', 'work', 'fail', 'refund'),
  request: fc.constantFrom(...PRICED_REQUESTS.map(({ body }) => body)),
  client: fc.constantFrom(null, 'acme', '=globex, "Ltd"'),
  cost: fc.option(fc.bigInt(0n, 900_000n)),
  amount: fc.bigInt(1n, 20_000_000n),
  isRunUpstream: fc.boolean(),
});
type Step = typeof steps extends fc.Arbitrary<infer Value> ? Value : never;

describeOnBothDatabases(
  'A month as FOCUS 1.2',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    let studio: TestOrganization;
    let charges: FocusRecord[];
    let costs: FocusRecord[];
    /** What is left of each charge. */
    const left = new Map<string, bigint>();

    async function work(step: Step): Promise<string> {
      const { deps } = service.get();
      const metadata = step.client === null ? {} : { client: step.client };
      const { id } = (await studio.call('create_generation', { body: { ...step.request, metadata } })).body;
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      const completion = step.isRunUpstream
        ? { cost_micro_usd: step.cost, cost_basis: step.cost === null ? null : ('list' as const), handle: undefined }
        : undefined;
      if (completion) await markSubmitting(deps, lease, { name: 'painter/image' }, {});
      if (completion) await recordAccepted(deps, lease, { request_id: `req-${id}` });
      if (step.act === 'fail') await settleFailed(deps, lease, SAMPLE_FAILURE, completion);
      else await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);
      const { usage } = (await studio.call('get_generation', { params: { generation_id: id } })).body;
      if (step.act === 'work' && parseUsd(usage.amount_usd) > 0n) left.set(id, parseUsd(usage.amount_usd));
      return id;
    }

    async function perform(step: Step): Promise<void> {
      clock.advance(HOUR_MS);
      const { deps } = service.get();
      const { act, amount } = step;
      if (act === 'work' || act === 'fail') await work(step);
      else if (act === 'refund') {
        const [generation_id, most = 0n] = [...left].at(Number(amount % BigInt(left.size || 1))) ?? [];
        if (generation_id === undefined) return;
        const refund = amount % 2n === 0n || most < 2n ? most : (amount % (most - 1n)) + 1n;
        const body = { generation_id, reason: '=Blurred', amount_usd: formatUsd(refund) };
        await studio.call('create_refund', { body });
        if (refund === most) left.delete(generation_id);
        else left.set(generation_id, most - refund);
      } else {
        const type = act === 'top up' ? 'TOP_UP' : act === 'credit' ? 'ADMIN_CREDIT' : 'ADJUSTMENT';
        const entry = { type, amount_micro_usd: type === 'ADJUSTMENT' ? -amount % 1000n : amount } as const;
        if (entry.amount_micro_usd === 0n) return;
        const of = { ...entry, description: 'Bank, “transfer”', created_by: null };
        await deps.db.transaction((tx) => appendEntry(tx, studio.organization_id, of, clock.now()));
      }
    }
    const download = async (view: FocusView, key = studio.key) =>
      parseCsv(await studio.callCsv('export_focus', { key, query: { period: PERIOD, view } }));
    const sum = (rows: readonly FocusRecord[], name: string, category?: string): bigint =>
      rows
        .filter(({ ChargeCategory }) => category === undefined || ChargeCategory === category)
        .reduce((total, row) => total + parseUsd(row[name] || '0'), 0n);
    const statement = async () =>
      (await studio.call('get_statement', { query: { month: PERIOD, costs: 'true' } })).body;
    const entriesOf = async (type: string): Promise<bigint> =>
      parseUsd((await statement()).by_type.find((each) => each.type === type)?.amount_usd ?? '0');

    beforeAll(async () => {
      studio = await service.createOrganization('200');
      await studio.call('set_tag', {
        params: { tag_name: 'client' },
        body: { label: 'Client', required: false, values: null },
      });
      const generated = fc.sample(steps, { numRuns: 90, seed: 46 });
      const before = { ...generated[0], act: 'work', request: PRICED_REQUESTS[0].body } as Step;
      const earlier = await work({ ...before, isRunUpstream: true });
      clock.advance(24 * HOUR_MS);
      for (const step of generated) await perform(step);
      if (left.has(earlier))
        await studio.call('create_refund', { body: { generation_id: earlier, reason: 'Late', amount_usd: '0.01' } });
      [charges, costs] = [await download('charges'), await download('costs')];
    });

    it('follows every rule of the columns that a program can check', () => {
      expect(charges.length).toBeGreaterThan(40);
      expect(costs.length).toBeGreaterThan(5);
      expect([findFocusProblems(charges), findFocusProblems(costs)]).toEqual([[], []]);
      expect(new Set(charges.map(({ ChargeCategory }) => ChargeCategory))).toEqual(
        new Set(['Usage', 'Purchase', 'Credit', 'Adjustment']),
      );
    });

    it('finds a row that breaks a rule', () => {
      const row = charges.find(({ x_LedgerType }) => x_LedgerType === 'SETTLE') ?? {};
      const changes: FocusRecord[] = [
        { PricingQuantity: '7.25' },
        { SkuPriceId: '' },
        { BilledCost: '+1' },
        { BillingPeriodEnd: '2026-12-01' },
        { Tags: '[1]' },
        { ChargeCategory: 'Other' },
      ];
      for (const change of changes)
        expect(findFocusProblems([{ ...row, ...change }]), JSON.stringify(change)).not.toEqual([]);
    });

    it('adds up to the ledger and to the statement of the month', async () => {
      const { spent_usd } = await statement();
      expect(formatUsd(sum(charges, 'EffectiveCost', 'Usage'))).toBe(spent_usd);
      expect(sum(charges, 'BilledCost', 'Usage')).toBe(0n);
      expect(sum(charges, 'BilledCost', 'Purchase')).toBe(await entriesOf('TOP_UP'));
      expect(sum(charges, 'BilledCost', 'Credit')).toBe(-(await entriesOf('ADMIN_CREDIT')));
      expect(sum(charges, 'BilledCost', 'Adjustment')).toBe(-(await entriesOf('ADJUSTMENT')));
      const known = (await statement()).costs?.cost_usd;
      expect(formatUsd(sum(costs, 'BilledCost'))).toBe(known);
      expect(formatUsd(sum(charges, 'x_ProviderCost'))).not.toBe(known);
    });

    it('names the generation, the request and the counterpart, and leaves text unchanged', () => {
      const [cost] = costs.filter(({ x_LedgerType }) => x_LedgerType === 'SETTLE');
      const charge = charges.find(
        (row) => row['x_LedgerType'] === 'SETTLE' && row['x_GenerationId'] === cost?.['x_GenerationId'],
      );
      expect(cost).toMatchObject({
        ProviderName: 'painter',
        BillingAccountId: 'file:painter',
        x_ProviderRequestId: `req-${cost?.['x_GenerationId']}`,
        x_ChargedCost: charge?.['EffectiveCost'],
      });
      expect(charge).toMatchObject({
        ProviderName: 'Emulsion',
        x_ProviderCost: cost?.['BilledCost'],
        x_ProviderRequestId: cost?.['x_ProviderRequestId'],
      });
      const tags = charges.flatMap(({ Tags = '' }) => (Tags === '' ? [] : [JSON.parse(Tags)]));
      expect(tags).toContainEqual({ client: '=globex, "Ltd"' });
      expect(costs.some(({ x_LedgerType }) => x_LedgerType === 'RELEASE')).toBe(true);
    });

    it('prices by unit where that explains the charge, else by request', () => {
      const settled = charges.filter(({ x_LedgerType }) => x_LedgerType === 'SETTLE');
      const ofModel = (id: string) => settled.find(({ SkuId }) => SkuId === id);
      expect(ofModel('video.create/vidmodel-c-2')).toMatchObject({
        PricingQuantity: '7',
        PricingUnit: 'Seconds',
        ListUnitPrice: '0.0575',
        SkuPriceId: 'video.create/vidmodel-c-2/Seconds/0.0575',
        EffectiveCost: '0.4025',
      });
      expect(ofModel('image.edit/imgmodel-a-2.5-flare')).toMatchObject({
        PricingQuantity: '1',
        PricingUnit: 'Requests',
        ListUnitPrice: '0.070281',
        ConsumedQuantity: '1',
        ConsumedUnit: 'Images',
      });
    });

    it('marks refunds of an earlier month as corrections', () => {
      const refunds = charges.filter(({ x_LedgerType }) => x_LedgerType === 'REFUND');
      const inMonth = new Set(
        charges.flatMap(({ x_LedgerType, x_GenerationId }) => (x_LedgerType === 'SETTLE' ? x_GenerationId : [])),
      );
      expect(new Set(refunds.map(({ ChargeClass }) => ChargeClass))).toEqual(new Set(['', 'Correction']));
      for (const { ChargeClass, x_GenerationId, EffectiveCost } of refunds) {
        expect(ChargeClass === '').toBe(inMonth.has(x_GenerationId));
        expect(EffectiveCost).toMatch(/^-/);
      }
    });

    it('shows what providers bill only with the permission for costs', async () => {
      const { organization_id } = studio;
      const { key } = await createKey(service.get().deps, { organization_id, name: 'Ben', kind: 'member' });
      const query = { period: PERIOD, view: 'costs' } as const;
      expect(await studio.callError('export_focus', { key, query })).toMatchObject({ status: 401 });
      const [row = {}] = await download('charges', key);
      expect(Object.keys(row).join(' ')).not.toMatch(/Provider(Cost|Id|RequestId)|x_ProviderName|CostBasis|Charged/);
    });

    it('rejects a period that is no month', async () => {
      for (const period of ['2026-13', '2026', 'x'])
        expect((await studio.callError('export_focus', { query: { period, view: 'charges' } })).status).toBe(422);
    });

    it('finds work by the id of its request, in Generations and in the ledger, with the permission for costs', async () => {
      const [{ x_ProviderRequestId: q = '', x_GenerationId: id } = {}] = costs;
      const idsOf = async (key: string) => [
        (await studio.call('list_generations', { key, query: { q } })).body.data.map((generation) => generation.id),
        (await studio.call('list_ledger_lines', { key, query: { q } })).body.data.map((line) => line.generation_id),
      ];
      expect(await idsOf(studio.key)).toEqual([[id], [id]]);
      const { organization_id } = studio;
      const { key } = await createKey(service.get().deps, { organization_id, name: 'Cleo', kind: 'member' });
      expect(await idsOf(key)).toEqual([[], []]);
      const other = await service.createOrganization('1');
      expect((await other.call('list_generations', { query: { q } })).body.data).toEqual([]);
    });

    describe('read by DuckDB', () => {
      it('has the columns’ types and the sums of the ledger', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'focus-'));
        const file = join(folder, 'charges.csv');
        await writeFile(file, await studio.callCsv('export_focus', { query: { period: PERIOD, view: 'charges' } }));
        const connection = await (await DuckDBInstance.create(':memory:')).connect();
        const source = `read_csv('${file}', header = true, auto_detect = true, all_varchar = false, sample_size = -1)`;
        const types = await connection.runAndReadAll(`describe select * from ${source}`);
        const typeOf = new Map(types.getRows().map(([name, type]) => [name, type]));
        for (const name of ['BilledCost', 'EffectiveCost', 'ContractedCost', 'ListCost', 'PricingQuantity'])
          expect(typeOf.get(name), name).toMatch(/DOUBLE|DECIMAL|BIGINT/);
        for (const name of ['BillingPeriodStart', 'ChargePeriodEnd']) expect(typeOf.get(name)).toMatch(/TIMESTAMP/);
        const sums = await connection.runAndReadAll(
          `select ChargeCategory, cast(sum(cast(EffectiveCost as decimal(18, 6))) as varchar), count(*)
         from ${source.replace('all_varchar = false', 'all_varchar = true')} group by 1`,
        );
        for (const [category, total, count] of sums.getRows()) {
          expect(parseUsd(String(total))).toBe(sum(charges, 'EffectiveCost', String(category)));
          expect(Number(count)).toBe(charges.filter(({ ChargeCategory }) => ChargeCategory === category).length);
        }
        connection.closeSync();
        await rm(folder, { recursive: true });
      });
    });
  },
);
