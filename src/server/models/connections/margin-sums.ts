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

/** The embedded database runs one query at a time, so a year is read in parts. */
const WINDOW_MS = 31 * 24 * 3_600_000;

/** Ids of providers as in `GET /v1/providers`: engines of the operator’s file have their name in it. */
const GROUP_IDS = {
  model: sql<string>`coalesce(${generations.model}, ${generations.task})`,
  provider: sql<string>`coalesce(${upstreamJobs.connection_id}, 'file:' || split_part(${upstreamJobs.engine}, '/', 1))`,
  key: sql<string>`${generations.created_by}`,
  day: sql<string>`to_char(${generations.completed_at} at time zone 'UTC', 'YYYY-MM-DD')`,
} as const satisfies Record<MarginGroup, SQL<string>>;

/** Sums charges and costs of the provider jobs that completed in `[from, to)`, by the id of their group. */
export async function sumJobs(reader: { db: Pick<Db, 'select'> }, filter: JobFilter): Promise<Map<string, JobSums>> {
  const sums = new Map<string, JobSums>();
  const end = filter.to.getTime();
  for (let at = filter.from.getTime(); at < end; at += WINDOW_MS) {
    const window = { from: new Date(at), to: new Date(Math.min(at + WINDOW_MS, end)) };
    for (const { id, ...more } of await sumWindow(reader, { ...filter, ...window }))
      sums.set(id, addJobSums(sums.get(id) ?? NO_JOBS, more));
  }
  return sums;
}

async function sumWindow(
  { db }: { db: Pick<Db, 'select'> },
  { organization_id, group_by, from, to }: JobFilter,
): Promise<(JobSums & { id: string })[]> {
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
  const may_have_cost = sql`(${handle} is not null or ${status} = 'succeeded' or ${state} = 'submitting')`;
  const rows = await db
    .select({
      id: GROUP_IDS[group_by],
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
    .leftJoin(refunds, eq(refunds.id, generations.id))
    .where(and(eq(generations.organization_id, organization_id), gte(completed_at, from), lt(completed_at, to)))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  return rows.map(({ id, count, charged, cost, unknown_cost_count, ...by_basis }) => ({
    id,
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
