import { beforeAll, expect, it } from 'vitest';
import type { CostBasis } from '#contract/providers.ts';
import type { MarginRow } from '#contract/resources/margin.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import { parseCsv } from '#server/accounts/billing/testing/parse-csv.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import {
  describeOnBothDatabases,
  type SharedService,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { markSubmitting, recordAccepted } from '#server/studio/generations/upstream/upstream-job.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { createConnection } from './connections.ts';

const DAY_MS = 24 * 3_600_000;
const clock = createTestClock(new Date('2026-02-01T00:00:00.000Z'));
const FAILURE = { code: 'engine_failed', message: 'No.', retryable: true };

interface JobOptions {
  /** $0.03 by default. */
  model?: string;
  task?: string;
  input?: Record<string, unknown>;
  metadata?: Record<string, string>;
  engine?: string;
  connection_id?: string;
  cost?: bigint;
  basis?: CostBasis;
  outcome?: 'succeeds' | 'fails' | 'is refused' | 'runs locally';
}

/** Runs a generation to its end, as a worker does. @returns its id */
async function runJob(service: SharedService, client: TestOrganization, options: JobOptions): Promise<string> {
  const { deps } = service.get();
  const { model = 'imgmodel-a-2', task = 'image.create', input = { prompt: 'x' }, outcome = 'succeeds' } = options;
  const body = { task, model: model === '' ? null : model, input, metadata: options.metadata ?? {} };
  const { id } = (await client.call('create_generation', { body })).body;
  const lease = await claimGeneration(deps, id);
  if (!lease) throw new Error('It could not be claimed.');
  const done = { outputs: [], data: null, lengths: {} };
  if (outcome === 'runs locally') {
    await settleSucceeded(deps, lease, done);
    return id;
  }
  const { engine: name = 'painter', connection_id, cost = null, basis = null } = options;
  await markSubmitting(deps, lease, { name, ...(connection_id === undefined ? {} : { connection_id }) }, {});
  const completion = { cost_micro_usd: cost, cost_basis: basis, handle: undefined };
  if (outcome !== 'is refused') await recordAccepted(deps, lease, { id: 'job-1' });
  if (outcome === 'succeeds') await settleSucceeded(deps, lease, done, completion);
  else await settleFailed(deps, lease, FAILURE, completion);
  return id;
}

const short = ({ name, count, charged_usd, cost_usd, margin_usd, unknown_cost_count }: MarginRow) =>
  `${name}: ${count} jobs, ${charged_usd} - ${cost_usd} = ${margin_usd}, ${unknown_cost_count} unknown`;

describeOnBothDatabases(
  'The margin',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    let studio: TestOrganization;
    let other: TestOrganization;
    let connection_id: string;
    let refunded: string;
    const read = async (query: Record<string, string> = {}, client = studio) =>
      (
        await client.call('get_margin', {
          query: { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z', ...query },
        })
      ).body;
    const rows = async (group_by: string) => (await read({ group_by })).data.map(short);

    beforeAll(async () => {
      clock.advance(Date.parse('2026-02-01T00:00:00Z') - clock.now().getTime());
      studio = await service.createOrganization('50');
      other = await service.createOrganization('50');
      const { deps } = service.get();
      connection_id = await createConnection(deps, {
        provider: 'openai-compatible',
        address: 'http://127.0.0.1:9000/v1',
        models: [],
        api_key: null,
        created_by: null,
      });
      await runJob(service, studio, { cost: 10_000n, basis: 'reported', engine: 'painter/fast' });
      await runJob(service, studio, {
        cost: 20_000n,
        basis: 'computed',
        engine: `${connection_id}.1/x`,
        connection_id,
      });
      await runJob(service, studio, { outcome: 'runs locally' });
      await runJob(service, other, { cost: 1_000_000n, basis: 'reported' });
      clock.advance(DAY_MS);
      // A loss, and a refund that makes one.
      await runJob(service, studio, { model: 'imgmodel-b-2', cost: 90_000n, basis: 'list' });
      refunded = await runJob(service, studio, { cost: 5_000n, basis: 'reported', engine: 'painter/slow' });
      await runJob(service, studio, {
        task: 'social.search',
        model: '',
        input: { platform: 'social_a', query: 'x', limit: 10 },
        engine: 'finder',
      });
      await runJob(service, studio, { model: 'imgmodel-b-pro', cost: 60_000n, basis: 'reported', outcome: 'fails' });
      await runJob(service, studio, { model: 'imgmodel-b-pro', outcome: 'fails' });
      await runJob(service, studio, { model: 'imgmodel-b-pro', outcome: 'is refused' });
      clock.advance(40 * DAY_MS);
      const body = { generation_id: refunded, reason: 'Blurred', amount_usd: '0.03' };
      await studio.call('create_refund', { body });
      await runJob(service, studio, { cost: 1n, basis: 'reported' });
    });

    it('lists losses first and keeps jobs without a known cost apart', async () => {
      expect(await rows('model')).toEqual([
        'ImgModel B Pro: 3 jobs, 0.00 - 0.06 = -0.06, 1 unknown',
        'ImgModel B 2: 1 jobs, 0.04 - 0.09 = -0.05, 0 unknown',
        'Search social media: 1 jobs, 0.07 - 0.00 = 0.00, 1 unknown',
        'ImgModel A 2: 3 jobs, 0.09 - 0.035 = 0.055, 0 unknown',
      ]);
      expect((await read()).total).toEqual({
        count: 8,
        charged_usd: '0.20',
        cost_usd: '0.185',
        corrected_usd: '0.00',
        margin_usd: '-0.055',
        by_basis: { reported: 3, computed: 1, list: 1 },
        unknown_cost_count: 2,
      });
    });

    it('books a refund in the month in which it was made, as statements do', async () => {
      const months = { 1: ['2026-02', '-0.055'], 2: ['2026-03', '-0.000001'] } as const;
      for (const [month, margin_usd] of Object.values(months)) {
        const query = { month, costs: 'true' } as const;
        const { costs } = (await studio.call('get_statement', { query })).body;
        const from = `${month}-01T00:00:00Z`;
        const to = new Date(Date.UTC(2026, Number(month.slice(5)), 1)).toISOString();
        const { total } = await read({ from, to });
        expect([month, total.margin_usd, total.cost_usd]).toEqual([month, costs?.margin_usd, costs?.cost_usd]);
        expect(total.margin_usd).toBe(margin_usd);
      }
      expect((await read({ group_by: 'month', to: '2026-04-01T00:00:00Z' })).data.map(short)).toEqual([
        '2026-02: 8 jobs, 0.20 - 0.185 = -0.055, 2 unknown',
        '2026-03: 1 jobs, 0.00 - 0.000001 = -0.000001, 0 unknown',
      ]);
    });

    it('has the cost of work that was free, which has no entries', async () => {
      const client = await service.createOrganization('50');
      const { db } = service.get().deps;
      const now = clock.now();
      const [id, key] = [createId('gen', now), (await client.call('get_me')).body.key.id];
      await db.insert(generations).values({
        id,
        chain_id: id,
        organization_id: client.organization_id,
        task: 'image.create',
        model: 'imgmodel-a-2',
        status: 'succeeded',
        input: {},
        amount_micro_usd: 0n,
        line_items: [],
        billing_status: 'settled',
        created_by: key,
        created_at: now,
        updated_at: now,
        completed_at: now,
      });
      await db.insert(upstreamJobs).values({
        generation_id: id,
        engine: 'painter/free',
        state: 'ended',
        media_lengths: {},
        cost_micro_usd: 7_000n,
        cost_basis: 'list',
        submitted_at: now,
        updated_at: now,
      });
      const { data } = (await client.call('get_margin', { query: { group_by: 'key' } })).body;
      expect(data.map((row) => [row.id, row.count, row.charged_usd, row.margin_usd])).toEqual([
        [key, 1, '0.00', '-0.007'],
      ]);
    });

    it('counts what is left of a charge that was refunded in part, then nothing of it', async () => {
      const client = await service.createOrganization('50');
      const generation_id = await runJob(service, client, { cost: 5_000n, basis: 'reported' });
      await runJob(service, client, { cost: 5_000n, basis: 'reported' });
      const charged = async () => {
        const now = clock.now().getTime();
        const period = {
          from: new Date(now - DAY_MS).toISOString(),
          to: new Date(now + DAY_MS).toISOString(),
        };
        return (await read(period, client)).total.charged_usd;
      };
      expect(await charged()).toBe('0.06');
      for (const [amount_usd, left] of [
        ['0.01', '0.05'],
        ['0.015', '0.035'],
        ['0.005', '0.03'],
      ] as const) {
        await client.call('create_refund', { body: { generation_id, reason: 'Blurred', amount_usd } });
        expect(await charged()).toBe(left);
      }
    });

    it('names providers by their connection or their name in the operator’s file', async () => {
      const { data } = await read({ group_by: 'provider' });
      expect(data.map(({ id, name }) => [id, name])).toEqual([
        ['file:painter', 'painter'],
        ['file:finder', 'finder'],
        [connection_id, 'OpenAI-compatible server (127.0.0.1:9000)'],
      ]);
      expect(data[0]).toMatchObject({ count: 6, by_basis: { reported: 3, computed: 0, list: 1 } });
    });

    it('groups by key and by UTC day, in order', async () => {
      const [key, ...others] = (await read({ group_by: 'key' })).data;
      expect([key?.count, others]).toEqual([8, []]);
      const me = (await studio.call('get_me')).body.key;
      expect(key).toMatchObject({ id: me.id, name: me.name });
      expect(await rows('day')).toEqual([
        '2026-02-01: 2 jobs, 0.06 - 0.03 = 0.03, 0 unknown',
        '2026-02-02: 6 jobs, 0.14 - 0.155 = -0.085, 2 unknown',
      ]);
    });

    it('groups by person and by tag, with a row for work without one', async () => {
      const maker = service.get();
      const { session, person } = await maker.addPerson('member', 'Mia');
      await maker.call('set_tag', {
        params: { tag_name: 'client' },
        body: { label: 'Client', required: false, values: null },
      });
      const from = clock.now().toISOString();
      const period = { from, to: new Date(clock.now().getTime() + DAY_MS).toISOString() };
      for (const [key, client, cost] of [
        [session, 'Acme', 10_000n],
        [session, null, 50_000n],
        [maker.keys.organization, 'Acme', 20_000n],
      ] as const) {
        const call = ((name, options) => maker.call(name, { ...options, key })) as TestOrganization['call'];
        await runJob(service, { ...studio, call }, { cost, basis: 'reported', metadata: client ? { client } : {} });
      }
      const groups = async (group_by: string) =>
        (await maker.call('get_margin', { query: { ...period, group_by } })).body.data.map((row) => [
          row.id,
          short(row),
        ]);
      expect(await groups('person')).toEqual([
        [person.id, 'Mia: 2 jobs, 0.06 - 0.06 = 0.00, 0 unknown'],
        ['(none)', 'Programs: 1 jobs, 0.03 - 0.02 = 0.01, 0 unknown'],
      ]);
      expect(await groups('tag:client')).toEqual([
        ['(none)', '(none): 1 jobs, 0.03 - 0.05 = -0.02, 0 unknown'],
        ['Acme', 'Acme: 2 jobs, 0.06 - 0.03 = 0.03, 0 unknown'],
      ]);
      const csv = parseCsv(await maker.callCsv('export_margin', { query: { ...period, group_by: 'tag:client' } }));
      expect(csv.map(({ group_by, id }) => [group_by, id])).toEqual([
        ['tag:client', '(none)'],
        ['tag:client', 'Acme'],
      ]);
    });

    it('counts a job at the time it completed, from the first bound to before the second', async () => {
      const count = async (from: string, to: string) => (await read({ from, to })).total.count;
      expect(await count('2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z')).toBe(2);
      expect(await count('2026-02-01T00:00:00.001Z', '2026-02-02T00:00:00.001Z')).toBe(6);
      expect(await count('2026-02-03T00:00:00Z', '2026-03-01T00:00:00Z')).toBe(0);
      const year = await read({ from: '2025-12-15T00:00:00Z', to: '2026-12-15T00:00:00Z' });
      expect(year.total.count).toBe(9);
      expect(year.data.find(({ id }) => id === 'imgmodel-a-2')?.count).toBe(4);
    });

    it('covers this month by default, and at most 366 days', async () => {
      const { from, to, total } = (await studio.call('get_margin')).body;
      expect([from, to, total.count]).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-15T00:00:00.000Z', 1]);
      const until = (await studio.call('get_margin', { query: { to: '2026-03-01T00:00:00Z' } })).body;
      expect(until.from).toBe('2026-02-01T00:00:00.000Z');
      for (const [query, path] of [
        [{ from: '2025-02-01T00:00:00Z', to: '2026-02-03T00:00:00Z' }, 'from'],
        [{ from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }, 'to'],
        [{ group_by: 'platform' }, 'group_by'],
      ] as const) {
        for (const name of ['get_margin', 'export_margin'] as const) {
          const { status, error } = await studio.callError(name, { query });
          expect([status, error.details?.[0]?.path]).toEqual([422, path]);
        }
      }
    });

    it('is about the caller’s own organization', async () => {
      const { data } = await read({}, other);
      expect(data.map(short)).toEqual(['ImgModel A 2: 1 jobs, 0.03 - 1.00 = -0.97, 0 unknown']);
      const { key } = (await studio.call('create_api_key', { body: { name: 'Ana', kind: 'member' } })).body;
      for (const name of ['get_margin', 'export_margin'] as const)
        expect((await studio.callError(name, { key })).status).toBe(401);
    });

    it('has the same rows as CSV, in which names run no formulas', async () => {
      const name = '=cmd(), "Ana"';
      const { key } = (await other.call('create_api_key', { body: { name, kind: 'member' } })).body;
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
      const { id } = (await other.call('create_generation', { body, key })).body;
      const { deps } = service.get();
      const lease = await claimGeneration(deps, id);
      if (!lease) throw new Error('It could not be claimed.');
      await markSubmitting(deps, lease, { name: 'painter' }, {});
      const completion = { cost_micro_usd: 10_000n, cost_basis: 'list', handle: undefined } as const;
      await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);
      const query = { group_by: 'key', from: '2026-02-01T00:00:00Z' };
      const { data } = (await other.call('get_margin', { query })).body;
      const lines = parseCsv(await other.callCsv('export_margin', { query }));
      expect(lines).toHaveLength(2);
      expect(lines[1]).toEqual({
        group_by: 'key',
        id: data[1]?.id,
        name: `'${name}`,
        jobs: '1',
        charged_usd: '0.03',
        cost_usd: '0.01',
        corrected_usd: '0.00',
        margin_usd: '0.02',
        reported_costs: '0',
        computed_costs: '0',
        list_costs: '1',
        unknown_costs: '0',
      });
      expect(lines.map((line) => line['margin_usd'])).toEqual(data.map(({ margin_usd }) => margin_usd));
    });
  },
);
