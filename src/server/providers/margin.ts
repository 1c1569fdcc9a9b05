import { type SQL, and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { isModelId, isTaskId, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { MarginGroup } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { CostBasis } from '#contract/providers.ts';
import type { Margin, MarginRow, MarginSums } from '#contract/resources/margin.ts';
import { ledgerEntries } from '#server/db/billing-schema.ts';
import type { Db } from '#server/db/db.ts';
import { providerConnections } from '#server/db/provider-schema.ts';
import { apiKeys, generations, upstreamJobs } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { findPreset } from '#server/engines/presets/presets.ts';
import { type MarginPeriod, resolveMarginPeriod } from './margin-period.ts';

type Reader = { db: Pick<Db, 'select'> };

/** Ids of providers as in `GET /v1/providers`: engines of the operator’s file have their name in it. */
const GROUP_IDS = {
  model: sql<string>`coalesce(${generations.model}, ${generations.task})`,
  provider: sql<string>`coalesce(${upstreamJobs.connection_id}, 'file:' || split_part(${upstreamJobs.engine}, '/', 1))`,
  key: sql<string>`${generations.created_by}`,
  day: sql<string>`to_char(${generations.completed_at} at time zone 'UTC', 'YYYY-MM-DD')`,
} as const satisfies Record<MarginGroup, SQL<string>>;

interface Sums {
  count: number;
  charged_micro_usd: bigint;
  cost_micro_usd: bigint;
  by_basis: Record<CostBasis, number>;
  unknown_cost_count: number;
}

/**
 * Sums charges and costs of the jobs that completed in a period at a provider, by default this month. The lowest margin
 * comes first; days are in order. Decision: Margin
 * @throws {ApiError} 422 if the period is empty or too long
 */
export async function readMargin(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  { group_by, ...range }: MarginPeriod & { group_by: MarginGroup },
): Promise<Margin> {
  const { from, to } = resolveMarginPeriod(range, clock.now());
  const groups = await sumJobs({ db }, organization_id, { group_by, from, to });
  const names = await readGroupNames(
    { db },
    group_by,
    groups.map(({ id }) => id),
  );
  const by_margin = (a: Sums, b: Sums) => Number(marginOf(a) - marginOf(b));
  return {
    object: 'billing_margin',
    currency: 'usd',
    from: from.toISOString(),
    to: to.toISOString(),
    group_by,
    data: (group_by === 'day' ? groups : groups.toSorted(by_margin)).map(
      ({ id, ...sums }): MarginRow => ({ id, name: names.get(id) ?? id, ...presentSums(sums) }),
    ),
    total: presentSums(groups.reduce(addSums, EMPTY_SUMS)),
  };
}

async function sumJobs(
  { db }: Reader,
  organization_id: string,
  { group_by, from, to }: { group_by: MarginGroup; from: Date; to: Date },
): Promise<(Sums & { id: string })[]> {
  const { cost_micro_usd, cost_basis, handle, state } = upstreamJobs;
  const { completed_at, status } = generations;
  const id = GROUP_IDS[group_by];
  const charge = sql`(select -sum(entry.amount_micro_usd) from ${ledgerEntries} as entry
    where entry.generation_id = ${generations.id} and entry.type in ('SETTLE', 'REFUND'))`;
  // A job that the provider never accepted costs nothing; of a submit without a response nobody knows.
  const may_have_cost = sql`(${handle} is not null or ${status} = 'succeeded' or ${state} = 'submitting')`;
  const rows = await db
    .select({
      id,
      count: sql<number>`count(*)::int`,
      // As text, because a sum may exceed what a double represents exactly.
      charged: sql<string>`coalesce(sum(${charge}), 0)::text`,
      cost: sql<string>`coalesce(sum(${cost_micro_usd}), 0)::text`,
      reported: countBasis('reported'),
      computed: countBasis('computed'),
      list: countBasis('list'),
      unknown_cost_count: sql<number>`count(*) filter (where ${cost_micro_usd} is null and ${may_have_cost})::int`,
    })
    .from(generations)
    .innerJoin(upstreamJobs, eq(upstreamJobs.generation_id, generations.id))
    .where(and(eq(generations.organization_id, organization_id), gte(completed_at, from), lt(completed_at, to)))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  function countBasis(basis: CostBasis) {
    return sql<number>`count(*) filter (where ${cost_micro_usd} is not null
      and coalesce(${cost_basis}, 'reported') = ${basis})::int`;
  }
  return rows.map(({ id: group, count, charged, cost, unknown_cost_count, ...by_basis }) => ({
    id: group,
    count,
    charged_micro_usd: BigInt(charged),
    cost_micro_usd: BigInt(cost),
    by_basis,
    unknown_cost_count,
  }));
}

async function readGroupNames(
  { db }: Reader,
  group_by: MarginGroup,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0 || group_by === 'day') return new Map();
  if (group_by === 'model') return new Map(ids.map((id) => [id, nameModel(id)]));
  if (group_by === 'key') {
    const keys = await db.select().from(apiKeys).where(inArray(apiKeys.id, [...ids]));
    return new Map(keys.map(({ id, name }) => [id, name]));
  }
  const connections = await db.select().from(providerConnections).where(inArray(providerConnections.id, [...ids]));
  const connected = new Map(connections.map((connection) => [connection.id, nameConnection(connection)]));
  return new Map(ids.map((id) => [id, connected.get(id) ?? id.replace(/^file:/, '')]));
}

function nameModel(id: string): string {
  if (isModelId(id)) return MODEL_NAMES[id];
  return isTaskId(id) ? TASKS[id].name : id;
}

/** Several servers may speak the protocol of one provider, so an address of its own is part of the name. */
function nameConnection({ provider, address }: typeof providerConnections.$inferSelect): string {
  const name = findPreset(provider)?.name ?? provider;
  return address !== null && URL.canParse(address) ? `${name} (${new URL(address).host})` : name;
}

const EMPTY_SUMS: Sums = {
  count: 0,
  charged_micro_usd: 0n,
  cost_micro_usd: 0n,
  by_basis: { reported: 0, computed: 0, list: 0 },
  unknown_cost_count: 0,
};

const addSums = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  charged_micro_usd: a.charged_micro_usd + b.charged_micro_usd,
  cost_micro_usd: a.cost_micro_usd + b.cost_micro_usd,
  by_basis: {
    reported: a.by_basis.reported + b.by_basis.reported,
    computed: a.by_basis.computed + b.by_basis.computed,
    list: a.by_basis.list + b.by_basis.list,
  },
  unknown_cost_count: a.unknown_cost_count + b.unknown_cost_count,
});

const marginOf = ({ charged_micro_usd, cost_micro_usd }: Sums): bigint => charged_micro_usd - cost_micro_usd;

const presentSums = (sums: Sums): MarginSums => ({
  count: sums.count,
  charged_usd: formatUsd(sums.charged_micro_usd),
  cost_usd: formatUsd(sums.cost_micro_usd),
  margin_usd: formatUsd(marginOf(sums)),
  by_basis: sums.by_basis,
  unknown_cost_count: sums.unknown_cost_count,
});
