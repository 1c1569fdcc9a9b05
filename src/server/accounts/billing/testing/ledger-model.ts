import type { EntryDraft } from '#server/accounts/billing/ledger/append-entries.ts';

export const LEDGER_OPERATIONS = [
  'credit',
  'adjust',
  'reserve',
  'reserve',
  'reserve',
  'release',
  'settle',
  'settle',
  'refund',
  'refund',
  'refund',
] as const;
export interface LedgerOperation {
  act: (typeof LEDGER_OPERATIONS)[number];
  pick: number;
  /** Micro-dollars. */
  amount: number;
}

export class LedgerModel {
  available = 0n;
  reserved = 0n;
  spent = 0n;
  credited = 0n;
  count = 0;
  readonly #held = new Map<number, bigint>();
  readonly #left = new Map<number, bigint>();
  readonly #seen = new Set<number>();

  /** Predicts the effect of a valid operation, or what rejects it. */
  predict({ act, pick, amount }: LedgerOperation): {
    moves: [EntryDraft['type'], bigint, number?][];
    refused?: string;
  } {
    const size = BigInt(amount);
    const held = this.#held.get(pick);
    const funds = this.available < size ? { refused: 'EM001' } : {};
    if (act === 'credit') return { moves: [[amount % 2 ? 'TOP_UP' : 'ADMIN_CREDIT', size]] };
    if (act === 'adjust') return { moves: [['ADJUSTMENT', -size]], ...funds };
    if (act === 'reserve')
      return { moves: [['RESERVE', -size, pick]], ...(this.#seen.has(pick) ? { refused: 'twice' } : funds) };
    if (act === 'refund') {
      const left = this.#left.get(pick) ?? 0n;
      return { moves: [['REFUND', size, pick]], ...(left < size ? { refused: 'EM003' } : {}) };
    }
    const back: [EntryDraft['type'], bigint, number] = ['RELEASE', held ?? size, pick];
    // A RELEASE that differs from its RESERVE, a second one, or a SETTLE above it.
    const unheld = held === undefined ? { refused: this.#seen.has(pick) ? 'twice' : 'EM004' } : {};
    if (act === 'release') return { moves: [back], ...unheld };
    const isTooMuch = held !== undefined && held < size;
    return { moves: [back, ['SETTLE', -size, pick]], ...(isTooMuch ? { refused: 'EM004' } : unheld) };
  }

  apply({ pick, amount }: LedgerOperation, moves: readonly [EntryDraft['type'], bigint, number?][]): void {
    for (const [type, moved] of moves) {
      this.available += moved;
      this.count += 1;
      if (type === 'RESERVE' || type === 'RELEASE') this.reserved -= moved;
      else if (type === 'SETTLE' || type === 'REFUND') this.spent -= moved;
      else this.credited += moved;
      if (type === 'RESERVE') {
        this.#seen.add(pick);
        this.#held.set(pick, -moved);
      }
      if (type === 'RELEASE') this.#held.delete(pick);
      if (type === 'SETTLE') this.#left.set(pick, BigInt(amount));
      if (type === 'REFUND') this.#left.set(pick, (this.#left.get(pick) ?? 0n) - moved);
    }
  }
}
