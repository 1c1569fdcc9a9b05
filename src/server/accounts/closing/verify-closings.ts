import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { formatNano } from '#contract/money/money.ts';
import { readChainHead } from '#server/accounts/audit/hash-chain.ts';
import { findEntryAt } from '#server/accounts/billing/reports/statement.ts';
import { inLongSnapshot } from '#server/accounts/billing/reports/summary.ts';
import { sumFindings } from '#server/accounts/closing/matching/finding-sums.ts';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import { closingCorrections, closingFindings, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { computeClosingHash, correctionLine, readClosingEntries, readPages } from './settling/closing-chain.ts';
import { type ClosingEntryRow, parseClosing, parseSettlement, readClosedMonths } from './settling/closing-entries.ts';
import { readBillSums } from './settling/close-month.ts';

/**
 * Recomputes the chain of settlements and closed months, the corrections that settlements booked, and bills and
 * findings of the months that are closed. Decision: Closing
 * @returns a sentence about the first thing that is wrong; null if all is right
 */
export async function findClosingProblem(
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const head = await readChainHead(db, 'closing', organizationId);
  let [seq, hash] = [0n, GENESIS_HASH];
  const closedMonths = new Map<string, ClosingEntryRow>();
  for await (const rows of readClosingEntries(db, organizationId, head.newestSeq)) {
    for (const entry of rows) {
      signal?.throwIfAborted();
      if (entry.seq !== seq + 1n) return `Entry ${seq + 1n} of the closings is missing.`;
      if (entry.hash !== computeClosingHash(hash, entry)) return `Entry ${entry.seq} of the closings was changed.`;
      ({ seq, hash } = entry);
      if (entry.type === 'reopen') closedMonths.delete(entry.month);
      else if (entry.type === 'close') closedMonths.set(entry.month, entry);
      else if (!(await hasItsCorrections(db, entry)))
        return `The corrections of settlement ${entry.id} are not those that were booked.`;
    }
  }
  if (seq !== head.seq || hash !== head.hash)
    return `The closings end with entry ${seq}, but ${head.seq} entries were recorded.`;
  const stray = await findStrayCorrection(db, organizationId);
  if (stray !== null) return `A correction of ${stray} belongs to no settlement.`;
  for (const entry of closedMonths.values()) {
    signal?.throwIfAborted();
    const problem = await inLongSnapshot(db, (tx) => findMonthProblem(tx, entry));
    if (problem !== null) return problem;
  }
  return null;
}

async function hasItsCorrections(db: Db, entry: ClosingEntryRow): Promise<boolean> {
  const { finding_count, amount_nano, corrections_sha256 } = parseSettlement(entry);
  const { organization_id, entry_id, finding_id } = closingCorrections;
  const hash = createHash('sha256');
  let [count, nano] = [0, 0n];
  const pages = readPages<typeof closingCorrections.$inferSelect>((last, limit) =>
    db
      .select()
      .from(closingCorrections)
      .where(
        and(eq(organization_id, entry.organization_id), eq(entry_id, entry.id), gt(finding_id, last?.finding_id ?? '')),
      )
      .orderBy(asc(finding_id))
      .limit(limit),
  );
  for await (const rows of pages)
    for (const row of rows) {
      hash.update(correctionLine(row));
      count += 1;
      nano += row.amount_nano;
    }
  return count === finding_count && String(nano) === amount_nano && hash.digest('hex') === corrections_sha256;
}

/** @returns the month of a correction without its settlement */
async function findStrayCorrection(db: Db, organizationId: string): Promise<string | null> {
  const [row] = await readRows<{ month: string }>(
    db,
    sql`select correction.month from closing_corrections as correction
      where correction.organization_id = ${organizationId} and not exists (select from closing_entries as entry
        where entry.id = correction.entry_id and entry.organization_id = correction.organization_id
          and entry.type = 'settlement') limit 1`,
  );
  return row?.month ?? null;
}

/** Compares a closed month with its record. @returns null also if it was reopened meanwhile */
async function findMonthProblem(tx: Tx, entry: ClosingEntryRow): Promise<string | null> {
  const { organization_id, month } = entry;
  if ((await readClosedMonths(tx, organization_id)).get(month)?.id !== entry.id) return null;
  const { ledger, bills, providers } = parseClosing(entry);
  const newest = ledger.seq === 0 ? undefined : await findEntryAt(tx, organization_id, BigInt(ledger.seq));
  if ((newest?.hash ?? GENESIS_HASH) !== ledger.hash) return `${month} was closed with another ledger.`;
  if (!isDeepStrictEqual(await readBillSums(tx, organization_id, month), bills))
    return `${month} was closed with other bills.`;
  const [wrongBill] = await readRows<{ id: string }>(
    tx,
    sql`select bill.id from ${providerBills} as bill
      left join lateral (select count(*) as count, coalesce(sum(amount_nano), 0) as amount, coalesce(sum(usd_nano), 0) as usd
        from provider_bill_lines as line where line.organization_id = bill.organization_id and line.bill_id = bill.id) as lines on true
      where bill.organization_id = ${organization_id} and bill.month = ${month}
        and (bill.line_count, bill.amount_nano, bill.usd_nano) <> (lines.count, lines.amount, lines.usd)
      order by 1 limit 1`,
  );
  if (wrongBill) return `The lines of bill ${wrongBill.id} do not add up to it.`;
  for (const { provider_id, bill_usd, difference_usd, findings } of providers) {
    const { sums, costNano, billNano } = await sumFindings(tx, { organization_id, month, provider_id });
    const isSame =
      isDeepStrictEqual(sums, findings) &&
      (bill_usd === null || formatNano(billNano) === bill_usd) &&
      (difference_usd === null || formatNano(billNano - costNano) === difference_usd);
    if (!isSame) return `The findings of ${provider_id} in ${month} differ from what was closed.`;
  }
  const count = await tx.$count(
    closingFindings,
    and(eq(closingFindings.organization_id, organization_id), eq(closingFindings.month, month)),
  );
  const closedCount = providers.flatMap(({ findings }) => findings).reduce((sum, each) => sum + each.finding_count, 0);
  return count === closedCount ? null : `${month} has other findings than when it was closed.`;
}
