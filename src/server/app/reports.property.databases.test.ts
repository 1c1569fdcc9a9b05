import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
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
import { createTestClock } from './testing/test-clock.ts';
import { randomRuns } from './testing/test-tiers.ts';

const HOUR_MS = 3_600_000;
const HISTORIES = randomRuns('REPORT_HISTORIES', { core: 1, more: 4 });
const clock = createTestClock(new Date('2026-01-20T00:00:00.000Z'));

const gapMs = fc.oneof(fc.constantFrom(0, 1, 12 * HOUR_MS), fc.integer({ min: 0, max: 30 * HOUR_MS }));
const step = fc.record({
  gapMs,
  act: fc.constantFrom('order', 'order', 'order', 'refund', 'refund', 'credit', 'correction'),
  model: fc.constantFrom('imgmodel-a-2', 'imgmodel-b-2', 'imgmodel-a-2.5-flare'),
  client: fc.constantFrom('acme', 'globex', null),
  isMember: fc.boolean(),
  engine: fc.constantFrom(null, 'painter/fast', 'finder/slow'),
  cost: fc.option(fc.integer({ min: 1, max: 90_000 }).map(BigInt)),
  isGood: fc.boolean(),
  amount: fc.integer({ min: 1, max: 20_000 }),
  pick: fc.nat({ max: 100 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface History {
  service: SharedService;
  client: TestOrganization;
  memberKey: string;
  /** What is left of each charge. */
  left: Map<string, bigint>;
}

async function order({ service, client, memberKey, left }: History, each: Step): Promise<void> {
  const { deps } = service.get();
  const metadata = each.client === null ? {} : { client: each.client };
  const body = { task: 'image.create', model: each.model, input: { prompt: 'x' }, metadata };
  const key = each.isMember ? memberKey : client.key;
  const { id } = (await client.call('create_generation', { key, body })).body;
  const lease = await claimGeneration(deps, id);
  if (!lease) throw new Error('It could not be claimed.');
  if (each.engine !== null) {
    await markSubmitting(deps, lease, { name: each.engine }, {});
    await recordAccepted(deps, lease, { id: 'job-1' });
  }
  const basis = each.cost === null ? null : ('reported' as const);
  const completion =
    each.engine === null ? undefined : { cost_micro_usd: each.cost, cost_basis: basis, handle: undefined };
  if (each.isGood) await settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} }, completion);
  else await settleFailed(deps, lease, { code: 'x', message: 'No.', retryable: true }, completion);
  if (each.isGood)
    left.set(
      id,
      parseUsd((await client.call('get_generation', { params: { generation_id: id } })).body.usage.amount_usd),
    );
}

async function perform(history: History, each: Step): Promise<void> {
  clock.advance(each.gapMs);
  const { client, left } = history;
  if (each.act === 'order') return order(history, each);
  if (each.act !== 'refund') {
    const amount_usd = formatUsd(BigInt(each.act === 'credit' ? each.amount : -each.amount));
    await client.call('create_credit', { body: { amount_usd, description: 'Bank' } });
    return;
  }
  const [generation_id, rest] = [...left][each.pick % Math.max(left.size, 1)] ?? [];
  if (generation_id === undefined || rest === undefined || rest === 0n) return;
  const amount = BigInt(each.amount) < rest ? BigInt(each.amount) : rest;
  await client.call('create_refund', { body: { generation_id, reason: 'Dark', amount_usd: formatUsd(amount) } });
  left.set(generation_id, rest - amount);
}

type Line = Record<string, string>;
const sum = (lines: readonly Line[], name: string): bigint =>
  lines.reduce((total, line) => total + parseUsd(line[name] || '0'), 0n);
const isSpending = ({ type }: Line): boolean => type === 'SETTLE' || type === 'REFUND';
const spentOf = (lines: readonly Line[]): string => formatUsd(-sum(lines.filter(isSpending), 'amount_usd'));

const COLUMN_OF = { task: 'task', model: 'model', key: 'key_id', 'tag:client': 'tag_client' } as const;
const GROUPS = ['task', 'model', 'key', 'person', 'tag:client'] as const;
const TIMES = ['month', 'week', 'day'] as const;

/** Amounts by group, without those of nothing. */
const byGroup = (lines: readonly Line[], by: keyof typeof COLUMN_OF): [string, string][] =>
  [...Map.groupBy(lines.filter(isSpending), (line) => line[COLUMN_OF[by]] ?? '')]
    .map(([id, group]): [string, string] => [id, spentOf(group)])
    .filter(([, amount]) => amount !== '0.00')
    .toSorted();
const totalOf = (rows: readonly { amount_usd: string }[]): string =>
  formatUsd(rows.reduce((total, { amount_usd }) => total + parseUsd(amount_usd), 0n));

describeOnBothDatabases(
  'All views of a month',
  () => ({ engines: [createScriptedEngine()], clock }),
  (service) => {
    it(`show the same figures to the micro-dollar, for ${HISTORIES} random histories over the end of a month`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 22, maxLength: 30 }), async (steps) => {
          const now = clock.now();
          clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 24) - now.getTime());
          const client = await service.createOrganization('50');
          const tag = { label: 'Client', required: false, values: null };
          await client.call('set_tag', { params: { tag_name: 'client' }, body: tag });
          const member = (await client.call('create_api_key', { body: { name: 'Ana', kind: 'member' } })).body;
          const history: History = { service, client, memberKey: member.key, left: new Map() };
          for (const each of steps) await perform(history, each);
          const all = parseCsv(await client.callCsv('export_ledger', { query: {} }));
          const months = [...new Set(all.map((line) => (line['created_at'] ?? '').slice(0, 7)))];
          for (const month of months) await compareViews(client, month, all);
        }),
        { numRuns: HISTORIES, endOnFailure: true },
      );
    }, 300_000);
  },
);

async function compareViews(client: TestOrganization, month: string, all: readonly Line[]): Promise<void> {
  const lines = all.filter((line) => line['created_at']?.startsWith(month));
  const [year = 0, number = 0] = month.split('-').map(Number);
  const period = {
    from: new Date(Date.UTC(year, number - 1)).toISOString(),
    to: new Date(Date.UTC(year, number)).toISOString(),
  };
  const bounds = { created_after: period.from, created_before: period.to };
  const exported = parseCsv(await client.callCsv('export_ledger', { query: bounds }));
  expect(exported).toEqual(lines);
  const spent = spentOf(lines);
  const known = { cost: formatUsd(sum(lines, 'cost_usd')), margin: formatUsd(sum(lines, 'margin_usd')) };

  const ledger = (await client.call('get_ledger_sums', { query: bounds })).body;
  expect([ledger.spent_usd, ledger.count]).toEqual([spent, lines.length]);
  const summary = (await client.call('get_billing_summary', { query: period })).body;
  for (const rows of [summary.by_day, summary.by_task, summary.by_model, summary.by_key])
    expect(totalOf(rows)).toBe(spent);

  for (const by of GROUPS) {
    const spending = (await client.call('get_spending', { query: { ...period, by } })).body;
    const pivot = (await client.call('get_pivot', { query: { ...period, rows: by } })).body;
    const crossed = (await client.call('get_pivot', { query: { ...period, rows: by, columns: 'week' } })).body;
    const query = { month, by, costs: 'true' } as const;
    const statement = (await client.call('get_statement', { query })).body;
    const [breakdown] = statement.breakdowns;
    expect([totalOf(spending.data), pivot.total.amount_usd, crossed.total.amount_usd]).toEqual([spent, spent, spent]);
    expect([statement.spent_usd, totalOf(breakdown?.rows ?? [])]).toEqual([spent, spent]);
    expect(totalOf(crossed.columns.map(({ total }) => total))).toBe(spent);
    // The cost of nothing known is null.
    expect([statement.costs?.cost_usd ?? '0.00', statement.costs?.margin_usd ?? '0.00']).toEqual([
      known.cost,
      known.margin,
    ]);
    if (by !== 'person') {
      const rows = [pivot.rows.map(({ id, total }) => ({ id, ...total })), breakdown?.rows ?? []];
      for (const each of rows)
        expect(
          each
            .map(({ id, amount_usd }): [string, string] => [id ?? '', amount_usd])
            .filter(([, amount]) => amount !== '0.00')
            .toSorted(),
        ).toEqual(byGroup(lines, by));
    }
    const csv = parseCsv(await client.callCsv('export_statement', { query }));
    const cellOf = (name: string) => csv.find((line) => line['name'] === name)?.['amount_usd'];
    expect([cellOf('spent'), cellOf('provider_cost') || '0.00', cellOf('margin') || '0.00']).toEqual([
      spent,
      known.cost,
      known.margin,
    ]);
  }
  for (const group_by of [...GROUPS, 'provider', ...TIMES] as const) {
    const { data, total } = (await client.call('get_margin', { query: { ...period, group_by } })).body;
    expect([total.cost_usd, total.margin_usd], group_by).toEqual([known.cost, known.margin]);
    expect(formatUsd(data.reduce((all, { margin_usd }) => all + parseUsd(margin_usd), 0n))).toBe(known.margin);
    expect(formatUsd(data.reduce((all, { charged_usd }) => all + parseUsd(charged_usd), 0n))).toBe(total.charged_usd);
  }
}
