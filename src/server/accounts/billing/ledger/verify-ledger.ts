import type { Db } from '#server/platform/db/db.ts';
import { and, asc, eq, getTableColumns, gt, max, sql } from 'drizzle-orm';
import { VERIFICATION_CHECKS, type Verification } from '#contract/resources/audit.ts';
import { findAuditProblem } from '#server/accounts/audit/verify-events.ts';
import { findClosingProblem } from '#server/accounts/closing/verify-closings.ts';
import { GENESIS_HASH, accounts, ledgerEntries, ledgerDays } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { LedgerRow } from './append-entries.ts';
import { type DailySums, LedgerAudit, type LedgerDiscrepancy, dailySumKey } from './ledger-audit.ts';
import { readBills } from '#server/accounts/billing/reports/bills.ts';
import { seqWindows } from './read-entries.ts';
import { seqRangeCondition } from './ledger-filter.ts';
import { inLongSnapshot } from '#server/accounts/billing/reports/summary.ts';

const WHOLE_LEDGER_CHECKS: readonly string[] = ['known_head', 'account', 'reservations', 'spending'];

/** Each has a chain of its own, and finds the first thing that is wrong in it. */
const OTHER_CHAINS = [
  ['audit_log', findAuditProblem],
  ['closings', findClosingProblem],
] as const;

export interface VerifyOptions {
  /** The head of an earlier verification, which the chain must still contain. */
  known_head?: { seq: bigint; hash: string } | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Recomputes the whole ledger: chain, numbers, balances, the bills of its generations and every stored sum; also the
 * chains of the audit log and of closings. Stops at the first wrong entry and then checks no sums. Does not block
 * readers or writers; memory does not grow with the ledger.
 */
export async function verifyLedger(
  deps: Pick<Deps, 'db' | 'clock'>,
  organizationId: string,
  { known_head, signal }: VerifyOptions = {},
): Promise<Verification> {
  const began = performance.now();
  const startedAt = deps.clock.now().toISOString();
  const stored = await readStoredSums(deps.db, organizationId);
  const audit = new LedgerAudit();
  let knownHash: string | undefined;
  let [areDays, sumCount] = [true, 0];
  let problem: (LedgerDiscrepancy & { entry: LedgerRow | null }) | null = null;
  const range = { first: 1n, end: stored.account.last_seq + 1n };
  windows: for await (const window of seqWindows(range)) {
    signal?.throwIfAborted();
    const rows = await deps.db
      .select({ ...getTableColumns(ledgerEntries), tags: sql<string>`coalesce(${generations.tags}::text, '{}')` })
      .from(ledgerEntries)
      .leftJoin(generations, eq(generations.id, ledgerEntries.generation_id))
      .where(seqRangeCondition(organizationId, window))
      .orderBy(asc(ledgerEntries.seq));
    const bills = await readBills(deps, organizationId, window);
    for (const entry of rows) {
      const discrepancy = audit.checkEntry(entry, bills.get(entry.generation_id ?? ''));
      if (discrepancy) {
        problem = { ...discrepancy, entry };
        break windows;
      }
      if (entry.seq === known_head?.seq) knownHash = entry.hash;
    }
    for (const day of audit.takeCompletedDays()) {
      sumCount += day.sums.size;
      areDays &&= matchesDay(day, await readDay(deps.db, organizationId, day.date));
    }
    if (audit.seq + 1n < window.end) {
      problem = { check: 'sequence', message: `Entry ${audit.seq + 1n} is missing.`, entry: null };
      break;
    }
  }
  const isComplete = problem === null;
  const { lastDay } = audit;
  areDays &&= matchesDay(lastDay, stored.newestDay) && sumCount + lastDay.sums.size === stored.sumCount;
  const isHeadLost = known_head !== undefined && knownHash !== known_head.hash;
  const wrongSums = isComplete
    ? [...(isHeadLost ? [HEAD_DISCREPANCY] : []), ...findSumDiscrepancies(audit, stored, areDays)]
    : [];
  if (wrongSums[0]) problem = { ...wrongSums[0], entry: null };
  for (const [check, find] of OTHER_CHAINS) {
    const message = await find(deps, organizationId, signal);
    if (message === null) continue;
    wrongSums.push({ check, message });
    problem ??= { check, message, entry: null };
  }
  const failed = new Set([problem, ...wrongSums].map((discrepancy) => discrepancy?.check));
  return {
    object: 'verification',
    ok: problem === null,
    checked_entries: Number(problem?.entry ? audit.seq - 1n : audit.seq),
    head: isComplete && audit.seq > 0n ? { seq: Number(audit.seq), hash: audit.hash } : null,
    checks: VERIFICATION_CHECKS.filter((name) => isComplete || !WHOLE_LEDGER_CHECKS.includes(name))
      .filter((name) => name !== 'known_head' || known_head !== undefined)
      .map((name) => ({ name, ok: !failed.has(name) })),
    problem: problem && {
      check: problem.check,
      seq: problem.entry ? Number(problem.entry.seq) : null,
      entry_id: problem.entry?.id ?? null,
      message: problem.message,
    },
    started_at: startedAt,
    duration_ms: Math.round(performance.now() - began),
  };
}

type StoredSums = Awaited<ReturnType<typeof readStoredSums>>;

async function readStoredSums(db: Db, organizationId: string) {
  const empty = {
    available_micro_usd: 0n,
    reserved_micro_usd: 0n,
    spent_micro_usd: 0n,
    last_seq: 0n,
    last_hash: GENESIS_HASH,
  };
  return inLongSnapshot(db, async (tx) => {
    const [account = empty] = await tx.select().from(accounts).where(eq(accounts.organization_id, organizationId));
    const ofOrganizationDays = eq(ledgerDays.organization_id, organizationId);
    const [newest] = await tx
      .select({ date: max(ledgerDays.date) })
      .from(ledgerDays)
      .where(ofOrganizationDays);
    // Only the newest day can change later: times of entries never decrease.
    const newestDay = newest?.date ? await readDay(tx, organizationId, newest.date) : [];
    const sumCount = await tx.$count(ledgerDays, ofOrganizationDays);
    const { id, amount_micro_usd, billing_status } = generations;
    const ofOrganization = eq(generations.organization_id, organizationId);
    const held = await tx
      .select({ id, amount_micro_usd })
      .from(generations)
      .where(and(ofOrganization, eq(billing_status, 'reserved'), gt(amount_micro_usd, 0n)));
    return { account, newestDay, sumCount, held };
  });
}

const HEAD_DISCREPANCY: LedgerDiscrepancy = {
  check: 'known_head',
  message: 'The earlier entry is not in this ledger. Entries up to it were changed or removed.',
};

const readDay = (db: Pick<Deps['db'], 'select'>, organizationId: string, date: string) =>
  db
    .select({ ...getTableColumns(ledgerDays), tags: sql<string>`${ledgerDays.tags}::text` })
    .from(ledgerDays)
    .where(and(eq(ledgerDays.organization_id, organizationId), eq(ledgerDays.date, date)));

const matchesDay = ({ date, sums }: DailySums, stored: Awaited<ReturnType<typeof readDay>>): boolean =>
  stored.length === sums.size &&
  stored.every((row) => {
    const sum = sums.get(dailySumKey(row, row.by_tags));
    return row.date === date && sum?.amount === row.amount_micro_usd && sum.count === row.count;
  });

function findSumDiscrepancies(
  audit: LedgerAudit,
  { account, held }: StoredSums,
  areDays: boolean,
): LedgerDiscrepancy[] {
  const isAccount =
    account.available_micro_usd === audit.available &&
    account.reserved_micro_usd === audit.reserved &&
    account.spent_micro_usd === audit.spent &&
    account.last_hash === audit.hash;
  const isHeld =
    held.length === audit.reservations.size &&
    held.every(({ id, amount_micro_usd }) => audit.reservations.get(id) === amount_micro_usd);
  return [
    ...(isAccount
      ? []
      : [{ check: 'account', message: 'The account does not match the sum of its entries.' } as const]),
    ...(isHeld
      ? []
      : [{ check: 'reservations', message: 'Reserved funds do not match unfinished generations.' } as const]),
    ...(areDays ? [] : [{ check: 'spending', message: 'The daily totals do not match the entries.' } as const]),
  ];
}
