import type { LedgerType } from '#contract/money/ledger.ts';
import { formatMoney } from '#contract/money/money.ts';
import type { VerificationCheck } from '#contract/resources/audit.ts';
import { chainHash } from '#server/accounts/audit/hash-chain.ts';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import type { LedgerRow } from './append-entries.ts';
import type { ChargeRecord } from '#server/accounts/billing/reports/bills.ts';

/** Like the database, see docs/ledger.md. */
const computeEntryHash = (previousHash: string, entry: LedgerRow): string =>
  chainHash(previousHash, [
    entry.organization_id,
    String(entry.seq),
    entry.id,
    entry.type,
    String(entry.amount_micro_usd),
    String(entry.available_after_micro_usd),
    String(entry.balance_after_micro_usd),
    entry.generation_id,
    entry.task,
    entry.model,
    entry.workflow_run_id,
    entry.description,
    entry.key_id,
    entry.created_by,
    entry.created_at.toISOString(),
  ]);

export interface LedgerDiscrepancy {
  check: VerificationCheck;
  message: string;
}

const discrepancy = (check: VerificationCheck, message: string): LedgerDiscrepancy => ({ check, message });

/** Decision: Ledger */
const AMOUNT_SIGNS = {
  TOP_UP: 1,
  ADMIN_CREDIT: 1,
  RESERVE: -1,
  RELEASE: 1,
  SETTLE: -1,
  REFUND: 1,
  ADJUSTMENT: 0,
} as const satisfies Record<LedgerType, -1 | 0 | 1>;

/** An entry with the text of its generation's tags, as in `ledger_days`. */
export type TaggedEntry = LedgerRow & { tags: string };

/** Sums of the entries of one day; see `dailySumKey`. */
export interface DailySums {
  date: string;
  sums: ReadonlyMap<string, { amount: bigint; count: number }>;
}

/** Replays a ledger from its first entry. Memory grows with open reservations and the sums of one day, not with entries. */
export class LedgerAudit {
  seq = 0n;
  hash = GENESIS_HASH;
  available = 0n;
  spent = 0n;
  readonly reservations = new Map<string, bigint>();
  #day: { date: string; sums: Map<string, { amount: bigint; count: number }> } = { date: '', sums: new Map() };
  #completed: DailySums[] = [];
  #reserved = 0n;
  #last: LedgerRow | undefined;

  get reserved(): bigint {
    return this.#reserved;
  }

  /** Returns the days that are over since the last call: times of entries never decrease. */
  takeCompletedDays(): DailySums[] {
    const days = this.#completed;
    this.#completed = [];
    return days;
  }

  /** Sums of the day of the last entry; more of that day may follow. */
  get lastDay(): DailySums {
    return this.#day;
  }

  /** Checks the next entry; returns null if it is correct. @param bill of its generation, for a RELEASE or SETTLE */
  checkEntry(entry: TaggedEntry, bill: ChargeRecord | undefined): LedgerDiscrepancy | null {
    const problem = this.#place(entry) ?? this.#balances(entry) ?? this.#generation(entry) ?? this.#bill(entry, bill);
    this.#last = entry;
    return problem;
  }

  #place(entry: LedgerRow): LedgerDiscrepancy | null {
    this.seq += 1n;
    if (entry.seq !== this.seq) return discrepancy('sequence', `Entry ${this.seq} is missing.`);
    const hash = computeEntryHash(this.hash, entry);
    if (hash !== entry.hash) {
      return discrepancy('chain', 'This entry or its link to the previous entry was changed after it was written.');
    }
    this.hash = hash;
    return null;
  }

  #balances(entry: TaggedEntry): LedgerDiscrepancy | null {
    const { type, amount_micro_usd: amount } = entry;
    const isWrongSign = AMOUNT_SIGNS[type] === 0 ? amount === 0n : amount * BigInt(AMOUNT_SIGNS[type]) <= 0n;
    if (isWrongSign) return discrepancy('balances', `${formatMoney(amount)} is not a valid amount for ${type}.`);
    this.available += amount;
    if (type === 'RESERVE' || type === 'RELEASE') this.#reserved -= amount;
    if (type === 'SETTLE' || type === 'REFUND') this.spent -= amount;
    this.#addToDay(entry);
    if (entry.available_after_micro_usd !== this.available) {
      return discrepancy(
        'balances',
        `The available funds should be ${formatMoney(this.available)}, but the entry states ${formatMoney(entry.available_after_micro_usd)}.`,
      );
    }
    if (entry.balance_after_micro_usd !== this.available + this.#reserved) {
      return discrepancy(
        'balances',
        `The balance should be ${formatMoney(this.available + this.#reserved)}, but the entry states ${formatMoney(entry.balance_after_micro_usd)}.`,
      );
    }
    return this.available < 0n ? discrepancy('balances', 'The available funds are negative.') : null;
  }

  #addToDay(entry: TaggedEntry): void {
    const date = entry.created_at.toISOString().slice(0, 10);
    if (date !== this.#day.date) {
      if (this.#day.sums.size > 0) this.#completed.push(this.#day);
      this.#day = { date, sums: new Map() };
    }
    for (const key of [dailySumKey(entry, true), dailySumKey({ ...entry, tags: '{}' }, false)]) {
      const { amount, count } = this.#day.sums.get(key) ?? { amount: 0n, count: 0 };
      this.#day.sums.set(key, { amount: amount + entry.amount_micro_usd, count: count + 1 });
    }
  }

  #generation({ type, generation_id, amount_micro_usd: amount }: LedgerRow): LedgerDiscrepancy | null {
    const id = generation_id ?? '';
    if (type === 'RESERVE') {
      if (this.reservations.has(id)) return discrepancy('generations', `${id} was already reserved.`);
      this.reservations.set(id, -amount);
    }
    if (type === 'RELEASE') {
      if (this.reservations.get(id) !== amount)
        return discrepancy('generations', `The amount differs from the reservation for ${id}.`);
      this.reservations.delete(id);
    }
    if (type === 'SETTLE') {
      const released = this.#last?.type === 'RELEASE' && this.#last.generation_id === generation_id ? this.#last : null;
      if (!released || released.amount_micro_usd < -amount) {
        return discrepancy('generations', `The charge for ${id} exceeds its reservation.`);
      }
    }
    return null;
  }

  #bill(
    { type, generation_id, amount_micro_usd: amount }: LedgerRow,
    bill: ChargeRecord | undefined,
  ): LedgerDiscrepancy | null {
    if (type === 'RELEASE' && bill?.isSettled && !bill.isCharged && bill.amount_micro_usd > 0n) {
      return discrepancy('bills', `${generation_id} is marked as charged, but the ledger has no charge for it.`);
    }
    if (type !== 'SETTLE') return null;
    if (!bill?.isSettled) return discrepancy('bills', `${generation_id} is not marked as charged.`);
    if (bill.amount_micro_usd === -amount && bill.itemsMicroUsd === -amount) return null;
    const wrong = bill.amount_micro_usd === -amount ? bill.itemsMicroUsd : bill.amount_micro_usd;
    return discrepancy(
      'bills',
      `${generation_id} shows a charge of ${formatMoney(wrong)}, but the ledger has ${formatMoney(-amount)}.`,
    );
  }
}

export const dailySumKey = (
  row: Record<'type' | 'tags', string> & Record<'key_id' | 'task' | 'model', string | null>,
  byTags: boolean,
): string => JSON.stringify([byTags, row.type, row.key_id ?? '', row.task ?? '', row.model ?? '', row.tags]);
