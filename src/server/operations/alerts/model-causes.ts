import { and, eq, gt, gte, inArray, isNotNull, or, sql } from 'drizzle-orm';
import { formatMoney } from '#contract/money/money.ts';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { AlertCause } from './alert-cause.ts';

/** Added models that their providers changed, or that the service paused by itself and nobody published again. */
export async function findChangedModels(tx: Tx, organizationId: string): Promise<AlertCause[]> {
  const { id, name, paused_reason, drift } = addedModels;
  const rows = await tx
    .select({ id, name, paused_reason, drift })
    .from(addedModels)
    .where(
      and(
        eq(addedModels.organization_id, organizationId),
        inArray(addedModels.state, ['published', 'paused']),
        or(isNotNull(drift), isNotNull(paused_reason)),
      ),
    );
  return rows.map((row) => {
    const [first, ...others] = row.drift?.changes ?? [];
    const more = others.length === 0 ? '' : ` And ${others.length} more.`;
    return {
      kind: 'model_changed',
      subject_id: row.id,
      subject_name: row.name,
      period: row.drift?.found_at ?? null,
      message:
        row.paused_reason === null
          ? `${row.name} changed at its provider: ${first?.text ?? ''}${more}`
          : `${row.name} is paused. ${row.paused_reason}`,
    };
  });
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** Added models whose provider charged more for a run in the last 7 days than the run was charged, or nobody knows what. */
export async function findCostlyModels(tx: Tx, organizationId: string, now: Date): Promise<AlertCause[]> {
  const names = await tx
    .select({ id: addedModels.id, name: addedModels.name })
    .from(addedModels)
    .where(eq(addedModels.organization_id, organizationId));
  if (names.length === 0) return [];
  const { amount_micro_usd, billing_status, completed_at, model } = generations;
  const { cost_micro_usd, cost_basis } = upstreamJobs;
  const isUnreadable = eq(cost_basis, 'unreadable');
  const excess = sql`${cost_micro_usd} - case when ${billing_status} = 'settled' then ${amount_micro_usd} else 0 end`;
  const rows = await tx
    .select({
      model,
      runs: sql<number>`count(${cost_micro_usd})::int`,
      excess: sql<string>`coalesce(sum(${excess}), 0)::text`,
      unreadable: sql<number>`count(*) filter (where ${isUnreadable})::int`,
    })
    .from(generations)
    .innerJoin(upstreamJobs, eq(upstreamJobs.generation_id, generations.id))
    .where(
      and(
        eq(generations.organization_id, organizationId),
        inArray(
          model,
          names.map(({ id }) => id),
        ),
        gte(completed_at, new Date(now.getTime() - WEEK_MS)),
        or(gt(excess, 0), isUnreadable),
      ),
    )
    .groupBy(model);
  return rows.flatMap(({ model: id, runs, excess: total, unreadable }): AlertCause[] => {
    const name = names.find((each) => each.id === id)?.name;
    if (id === null || name === undefined) return [];
    const countRuns = (count: number) => (count === 1 ? `One run of ${name}` : `${count} runs of ${name}`);
    const more = `${countRuns(runs)} cost ${formatMoney(BigInt(total))} more in the last 7 days than ${runs === 1 ? 'it was' : 'they were'} charged. Check the price of the model.`;
    const unknown = `${countRuns(unreadable)} got an unreadable bill in the last 7 days. Compare it with the provider’s usage page.`;
    return [
      {
        kind: 'model_costs_more',
        subject_id: id,
        subject_name: name,
        period: null,
        message: [...(runs > 0 ? [more] : []), ...(unreadable > 0 ? [unknown] : [])].join(' '),
      },
    ];
  });
}
