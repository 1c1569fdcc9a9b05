import { and, eq, sql, type SQL } from 'drizzle-orm';
import { formatNano } from '#contract/money/money.ts';
import { FINDING_KINDS, type FindingKind, type KindSums, SETTLE_ACTIONS } from '#contract/resources/closing-finding.ts';
import { closingCorrections, closingFindings, closingMatches } from '#server/platform/db/schema/closing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { MatchScope } from './select-pairs.ts';

type ScopedTable = typeof closingFindings | typeof closingMatches | typeof closingCorrections;

export const isScope = (table: ScopedTable, { organization_id, month, provider_id }: MatchScope): SQL | undefined =>
  and(eq(table.organization_id, organization_id), eq(table.month, month), eq(table.provider_id, provider_id));

interface KindRow extends Record<(typeof SETTLE_ACTIONS)[number], boolean> {
  kind: FindingKind;
  finding_count: number;
  line_count: number;
  job_count: number;
  amount: string;
  cost: string;
  bill: string;
  open_count: number;
  open: string;
}

/** Sums of findings by kind, in the order of `FINDING_KINDS`, and of both sides. */
export async function sumFindings(tx: Tx, scope: MatchScope) {
  const accepts = SETTLE_ACTIONS.map(
    (action) => sql`bool_or(due_nano <> 0 and ${action} = any(actions)) as ${sql.identifier(action)}`,
  );
  const rows = await readRows<KindRow>(
    tx,
    sql`select kind, count(*)::int as finding_count, sum(line_count)::int as line_count, sum(job_count)::int as job_count,
      sum(difference_nano)::text as amount, coalesce(sum(cost_nano), 0)::text as cost, coalesce(sum(bill_nano), 0)::text as bill,
      count(*) filter (where due_nano <> 0)::int as open_count,
      coalesce(sum(difference_nano) filter (where due_nano <> 0), 0)::text as open, ${sql.join(accepts, sql`, `)}
    from ${closingFindings} where ${isScope(closingFindings, scope)} group by kind`,
  );
  const sums: KindSums[] = rows
    .map((row) => ({
      kind: row.kind,
      finding_count: row.finding_count,
      line_count: row.line_count,
      job_count: row.job_count,
      amount_usd: formatNano(BigInt(row.amount)),
      open_count: row.open_count,
      open_usd: formatNano(BigInt(row.open)),
      actions: SETTLE_ACTIONS.filter((action) => row[action]),
    }))
    .sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
  const total = (name: 'cost' | 'bill') => rows.reduce((sum, row) => sum + BigInt(row[name]), 0n);
  return { sums, costNano: total('cost'), billNano: total('bill') };
}

/** Stores the sums of the findings, so that no request has to add them up. */
export async function storeSums(
  tx: Tx,
  scope: MatchScope,
  match: { unknown_cost_count: number; matched_at: Date } | null,
): Promise<void> {
  const { sums, costNano, billNano } = await sumFindings(tx, scope);
  const [corrected] = await tx
    .select({ nano: sql<string>`coalesce(sum(${closingCorrections.amount_nano}), 0)::text` })
    .from(closingCorrections)
    .where(isScope(closingCorrections, scope));
  const stored = {
    cost_nano: costNano,
    bill_nano: billNano,
    corrected_nano: BigInt(corrected?.nano ?? 0),
    is_stale: false,
    sums,
  };
  if (match === null) await tx.update(closingMatches).set(stored).where(isScope(closingMatches, scope));
  else
    await tx
      .insert(closingMatches)
      .values({ ...scope, ...stored, ...match })
      .onConflictDoUpdate({
        target: [closingMatches.organization_id, closingMatches.month, closingMatches.provider_id],
        set: { ...stored, ...match },
      });
}

/** All months of the provider may be compared with what has changed in one of them. */
export async function markStale(
  tx: Tx,
  { organization_id, provider_id }: Pick<MatchScope, 'organization_id' | 'provider_id'>,
): Promise<void> {
  const { organization_id: organization, provider_id: provider } = closingMatches;
  await tx
    .update(closingMatches)
    .set({ is_stale: true })
    .where(and(eq(organization, organization_id), eq(provider, provider_id)));
}
