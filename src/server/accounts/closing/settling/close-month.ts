import { and, asc, eq } from 'drizzle-orm';
import { formatNano } from '#contract/money/money.ts';
import { month as monthSchema } from '#contract/primitives.ts';
import type { Close } from '#contract/resources/closing.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { resolveSeqRange } from '#server/accounts/billing/ledger/ledger-filter.ts';
import { findEntryAt } from '#server/accounts/billing/reports/statement.ts';
import { type ClosingNames, matchInTransaction } from '#server/accounts/closing/matching/match-month.ts';
import { monthPeriod } from '#server/accounts/closing/matching/select-pairs.ts';
import { findProblems, presentSide, readClose } from '#server/accounts/closing/read-close.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import {
  appendClosingEntry,
  assertMonthOpen,
  type ClosingBody,
  invalidClosing,
  isMonthClosed,
  lockClosings,
} from './closing-entries.ts';

/**
 * Closes a month: its record has the head of the ledger, the bills with their hashes, and the sums, chained to all
 * settlements before it. Decision: Closing
 * @throws {ApiError} 422 while something is open
 */
export async function closeMonth(deps: Deps, caller: Caller, text: string, names: ClosingNames): Promise<Close> {
  const { db, clock } = deps;
  const { organization_id } = caller;
  const month = parseMonth(text);
  await withLongStatements(() =>
    db.transaction(async (tx) => {
      const now = clock.now();
      await lockClosings(tx, organization_id);
      await assertMonthOpen(tx, organization_id, month);
      const sides = await matchInTransaction({ tx, now }, organization_id, month, names.readBilledNames);
      const providers = sides.map((side) => ({ provider_id: side.provider_id, ...presentSide(side) }));
      const problems = findProblems(month, providers, now);
      if (problems.length > 0) throw invalidClosing(problems.map(({ message }) => message).join(' '));
      const body: ClosingBody = {
        ledger: await readLedgerHead(tx, organization_id, month),
        bills: await readBillSums(tx, organization_id, month),
        providers,
      };
      const entry = await appendClosingEntry(tx, caller, { type: 'close', month, body }, now);
      const target = { type: 'closing', id: entry.id, name: month };
      await recordAuditEvent(tx, caller, { action: 'closing.closed', target, after: { hash: entry.hash } }, now);
    }),
  );
  return readClose(deps, organization_id, month, names);
}

/** @throws {ApiError} 422 if the month is open */
export async function reopenMonth(
  deps: Deps,
  caller: Caller,
  text: string,
  reason: string,
  names: ClosingNames,
): Promise<Close> {
  const { db, clock } = deps;
  const { organization_id } = caller;
  const month = parseMonth(text);
  await db.transaction(async (tx) => {
    const now = clock.now();
    await lockClosings(tx, organization_id);
    if (!(await isMonthClosed(tx, organization_id, month))) throw invalidClosing(`${month} is not closed.`);
    const entry = await appendClosingEntry(tx, caller, { type: 'reopen', month, body: { reason } }, now);
    const target = { type: 'closing', id: entry.id, name: month };
    await recordAuditEvent(tx, caller, { action: 'closing.reopened', target, after: { reason } }, now);
  });
  return readClose(deps, organization_id, month, names);
}

/** @throws {ApiError} 422 */
function parseMonth(text: string): string {
  const parsed = monthSchema().safeParse(text);
  if (parsed.success) return parsed.data;
  throw invalidClosing('Enter a month such as 2026-11.');
}

/** The newest entry of the ledger at the end of the month. */
async function readLedgerHead(tx: Tx, organizationId: string, month: string) {
  const { from, to } = monthPeriod(month);
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString() };
  const { end } = await resolveSeqRange({ db: tx }, organizationId, bounds);
  const head = await findEntryAt(tx, organizationId, end - 1n);
  return { seq: Number(head?.seq ?? 0n), hash: head?.hash ?? GENESIS_HASH };
}

/** The bills of a month as its record has them. */
export const readBillSums = async (tx: Tx, organizationId: string, month: string): Promise<ClosingBody['bills']> =>
  (
    await tx
      .select()
      .from(providerBills)
      .where(and(eq(providerBills.organization_id, organizationId), eq(providerBills.month, month)))
      .orderBy(asc(providerBills.id))
  ).map(({ id, provider_id, sha256, line_count, usd_nano }) => ({
    id,
    provider_id,
    sha256,
    line_count,
    amount_usd: formatNano(usd_nano),
  }));
