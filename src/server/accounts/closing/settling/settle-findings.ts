import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { formatNano, NANO_PER_USD } from '#contract/money/money.ts';
import type { AnyModelId } from '#contract/ids.ts';
import { NEEDS_NOTE } from '#contract/resources/closing-finding.ts';
import type { Settlement, SettlementRequest } from '#contract/resources/closing.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { nameBillProvider } from '#server/accounts/closing/bills/list-bills.ts';
import { isScope, markStale, storeSums } from '#server/accounts/closing/matching/finding-sums.ts';
import { type ClosingNames, matchInTransaction } from '#server/accounts/closing/matching/match-month.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { closingFindings } from '#server/platform/db/schema/closing-schema.ts';
import { type CostRatio, providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  appendClosingEntry,
  assertMonthOpen,
  invalidClosing,
  lockClosings,
  type SettlementBody,
} from './closing-entries.ts';
import { correctionLine } from './closing-chain.ts';

const PAGE_ROWS = 1_000;

type FindingRow = typeof closingFindings.$inferSelect;

/**
 * Books what is due of findings as corrections of costs, in one entry of the chain. Charges and costs stay as they are.
 * Decision: Closing
 * @throws {ApiError} 422 if nothing is due, the action does not fit, a note is missing, or the month is closed
 */
export async function settleFindings(
  deps: Deps,
  caller: Caller,
  request: SettlementRequest,
  { providers, readBilledNames }: ClosingNames,
): Promise<Settlement> {
  const { db, clock, offering } = deps;
  const { organization_id } = caller;
  const { month, provider_id, action, note = null } = request;
  const scope = { organization_id, month, provider_id };
  const entry = await withLongStatements(() =>
    db.transaction(async (tx) => {
      const now = clock.now();
      await lockClosings(tx, organization_id);
      await assertMonthOpen(tx, organization_id, month);
      await matchInTransaction({ tx, now }, organization_id, month, readBilledNames);
      const isChosen = and(isScope(closingFindings, scope), await chooseFindings(tx, scope, request));
      const entryId = createId('cls', now);
      const ratios = action === 'use_new_cost' ? await openRatios(tx, provider_id, now) : null;
      const booked = await bookCorrections(tx, isChosen, entryId, ratios?.add ?? null);
      const body: SettlementBody = {
        action,
        note,
        finding_count: booked.count,
        amount_nano: String(booked.nano),
        corrections_sha256: booked.sha256,
        cost_ratios: (await ratios?.store()) ?? [],
      };
      const appended = await appendClosingEntry(
        tx,
        caller,
        { id: entryId, type: 'settlement', month, provider_id, body },
        now,
      );
      await markStale(tx, scope);
      await storeSums(tx, scope, null);
      const after = { month, action, note, findings: booked.count, amount_usd: formatNano(booked.nano) };
      const target = { type: 'closing', id: appended.id, name: nameBillProvider(provider_id, providers) };
      await recordAuditEvent(tx, caller, { action: 'closing.settled', target, after }, now);
      return { ...appended, count: booked.count, nano: booked.nano };
    }),
  );
  if (action === 'use_new_cost') await offering.refresh();
  const creatorOf = await readCreators({ db }, [entry.created_by]);
  return {
    object: 'closing_settlement',
    id: entry.id,
    seq: Number(entry.seq),
    hash: entry.hash,
    month,
    provider: { id: provider_id, name: nameBillProvider(provider_id, providers) },
    action,
    note,
    finding_count: entry.count,
    amount_usd: formatNano(entry.nano),
    by: creatorOf(entry.created_by),
    at: entry.created_at.toISOString(),
  };
}

/** @throws {ApiError} 422 */
async function chooseFindings(
  tx: Tx,
  scope: Parameters<typeof isScope>[1],
  { kind, finding_ids: ids, model, action, note }: SettlementRequest,
): Promise<SQL | undefined> {
  if ((kind === undefined) === (ids === undefined)) throw invalidClosing('Name either a kind, or the ids of findings.');
  const table = closingFindings;
  const isWanted = and(
    ne(table.due_nano, 0n),
    sql`${action} = any(${table.actions})`,
    kind === undefined ? undefined : eq(table.kind, kind),
    ids === undefined ? undefined : inArray(table.id, ids),
    model === undefined ? undefined : sql`${table.model} = ${model}`,
  );
  const kinds = await tx
    .select({ kind: table.kind, count: sql<number>`count(*)::int` })
    .from(table)
    .where(and(isScope(table, scope), isWanted))
    .groupBy(table.kind);
  const count = kinds.reduce((sum, row) => sum + row.count, 0);
  if (count === 0) throw invalidClosing('No open finding can be settled like this. Reload the list.');
  if (ids !== undefined && count < new Set(ids).size)
    throw invalidClosing('Some of these findings are settled, or can’t be settled like this. Reload the list.');
  if (
    note === undefined &&
    kinds.some((row) => NEEDS_NOTE.some((rule) => rule.action === action && rule.kind === row.kind))
  )
    throw invalidClosing('Enter a note that says why.');
  return isWanted;
}

/** Books what is due of the chosen findings. @param addToRatio gets each of them */
async function bookCorrections(
  tx: Tx,
  isChosen: SQL | undefined,
  entryId: string,
  addToRatio: ((row: FindingRow) => void) | null,
) {
  const hash = createHash('sha256');
  let [count, nano, after] = [0, 0n, ''];
  for (;;) {
    const rows = await tx
      .select()
      .from(closingFindings)
      .where(and(isChosen, gt(closingFindings.id, after)))
      .orderBy(asc(closingFindings.id))
      .limit(PAGE_ROWS);
    for (const row of rows) {
      hash.update(correctionLine({ ...row, entry_id: entryId, finding_id: row.id, amount_nano: row.due_nano }));
      nano += row.due_nano;
      addToRatio?.(row);
    }
    count += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_ROWS) break;
  }
  await tx.execute(sql`insert into closing_corrections (organization_id, entry_id, finding_id, month, provider_id, subject,
      kind, generation_id, booked_at, amount_nano, is_correction)
    select organization_id, ${entryId}, id, month, provider_id, subject, kind, generation_id, booked_at, due_nano,
      is_correction
    from ${closingFindings} where ${isChosen}`);
  await tx.update(closingFindings).set({ due_nano: 0n }).where(isChosen);
  return { count, nano, sha256: hash.digest('hex') };
}

/** Sums what models were billed and their list prices, for what later jobs are expected to cost. */
async function openRatios(tx: Tx, connectionId: string, now: Date) {
  const isConnection = eq(providerConnections.id, connectionId);
  const [connection] = await tx.select().from(providerConnections).where(isConnection).for('update');
  const earlier = connection?.cost_ratios ?? [];
  const sums = new Map<AnyModelId, { billNano: bigint; listNano: bigint }>();
  const ratioAt = (model: AnyModelId, at: Date): bigint =>
    BigInt(
      earlier.findLast((ratio) => ratio.model === model && ratio.since <= at.toISOString())?.ratio_nano ?? NANO_PER_USD,
    );
  return {
    add({ model, bill_nano, cost_nano, booked_at }: FindingRow): void {
      if (model === null) return;
      const { billNano, listNano } = sums.get(model) ?? { billNano: 0n, listNano: 0n };
      const list = ((cost_nano ?? 0n) * NANO_PER_USD) / ratioAt(model, booked_at);
      sums.set(model, { billNano: billNano + (bill_nano ?? 0n), listNano: listNano + list });
    },
    async store(): Promise<CostRatio[]> {
      const added = [...sums].flatMap(([model, { billNano, listNano }]): CostRatio[] =>
        listNano <= 0n || billNano <= 0n
          ? []
          : [{ model, since: now.toISOString(), ratio_nano: String((billNano * NANO_PER_USD) / listNano) }],
      );
      await tx
        .update(providerConnections)
        .set({ cost_ratios: [...earlier, ...added], updated_at: now })
        .where(isConnection);
      return added;
    },
  };
}
