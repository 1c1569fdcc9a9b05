import { type SQL, and, eq, gte, lt, sql } from 'drizzle-orm';
import type { MarginGroup } from '#contract/ledger.ts';
import type { CostBasis } from '#contract/providers.ts';
import { ledgerEntries } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema.ts';

export interface JobSums {
  count: number;
  /** What settled generations were charged, less their refunds. */
  charged_micro_usd: bigint;
  cost_micro_usd: bigint;
  by_basis: Record<CostBasis, number>;
  unknown_cost_count: number;
}

interface JobFilter {
  organization_id: string;
  group_by: MarginGroup;
  from: Date;
  to: Date;
}

/** Ids of providers as in `GET /v1/providers`: engines of the operator’s file have their name in it. */
function groupColumn(by: MarginGroup): SQL<string | null> {
  switch (by) {
    case 'model':
      return sql`coalesce(${generations.model}, ${generations.task})`;
    case 'provider':
      return sql`coalesce(${upstreamJobs.connection_id}, 'file:' || split_part(${upstreamJobs.engine}, '/', 1))`;
    case 'key':
    case 'person':
      return sql`${generations.created_by}`;
    case 'day':
      return sql`to_char(${generations.completed_at} at time zone 'UTC', 'YYYY-MM-DD')`;
    default:
      return sql`${generations.tags} ->> ${by.slice('tag:'.length)}`;
  }
}

/** Sums charges and costs of the provider jobs that completed in `[from, to)`, by group; of `person`, by key. */
export async function sumJobs(
  db: Pick<Db, 'select'>,
  { organization_id, group_by, from, to }: JobFilter,
): Promise<(JobSums & { value: string | null })[]> {
  const { cost_micro_usd, handle, state } = upstreamJobs;
  const { amount_micro_usd, billing_status, completed_at, status } = generations;
  // Refunds are few, so reading them all is much faster than looking up the entries of each job.
  const refunds = db
    .select({ id: ledgerEntries.generation_id, refunded: sql`sum(${ledgerEntries.amount_micro_usd})`.as('refunded') })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.organization_id, organization_id), eq(ledgerEntries.type, 'REFUND')))
    .groupBy(ledgerEntries.generation_id)
    .as('refunds');
  const charge = sql`case when ${billing_status} = 'settled' then ${amount_micro_usd} - coalesce(${refunds.refunded}, 0)
    else 0 end`;
  // A job that the provider never accepted costs nothing; of a submit without a response nobody knows.
  const mayHaveCost = sql`(${handle} is not null or ${status} = 'succeeded' or ${state} = 'submitting')`;
  const rows = await db
    .select({
      value: groupColumn(group_by),
      count: sql<number>`count(*)::int`,
      // As text, because a sum may exceed what a double represents exactly.
      charged: sql<string>`coalesce(sum(${charge}), 0)::text`,
      cost: sql<string>`coalesce(sum(${cost_micro_usd}), 0)::text`,
      reported: countBasis('reported'),
      computed: countBasis('computed'),
      list: countBasis('list'),
      unknown_cost_count: sql<number>`count(*) filter (where ${cost_micro_usd} is null and ${mayHaveCost})::int`,
    })
    .from(generations)
    .innerJoin(upstreamJobs, eq(upstreamJobs.generation_id, generations.id))
    .leftJoin(refunds, eq(refunds.id, generations.id))
    .where(and(eq(generations.organization_id, organization_id), gte(completed_at, from), lt(completed_at, to)))
    .groupBy(sql`1`);
  return rows.map(({ value, count, charged, cost, unknown_cost_count, ...by_basis }) => ({
    value,
    count,
    charged_micro_usd: BigInt(charged),
    cost_micro_usd: BigInt(cost),
    by_basis,
    unknown_cost_count,
  }));
}

const countBasis = (basis: CostBasis): SQL<number> =>
  sql<number>`count(*) filter (where ${upstreamJobs.cost_micro_usd} is not null
    and ${upstreamJobs.cost_basis} = ${basis})::int`;

export const NO_JOBS: JobSums = {
  count: 0,
  charged_micro_usd: 0n,
  cost_micro_usd: 0n,
  by_basis: { reported: 0, computed: 0, list: 0 },
  unknown_cost_count: 0,
};

export const addJobSums = (a: JobSums, b: JobSums): JobSums => ({
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
