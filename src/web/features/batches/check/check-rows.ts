import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { BatchRow } from '../rows/batch-table.ts';
import type { BatchOrder, RowProblem, RowResult } from '../rows/build-orders.ts';
import { detailField } from '#web/forms/values/field-errors.ts';
import type { OrderEstimate, OrderEstimates } from './estimate-orders.ts';

/** A row with what the dry run found. */
export type CheckedRow = { id: string; row: BatchRow } & (
  | { state: 'checking' }
  | { state: 'ready'; order: BatchOrder; amount_usd: string; basis: NonNullable<OrderEstimate['basis']> }
  | { state: 'problem'; problems: readonly RowProblem[] }
);

export interface BatchCheck {
  rows: readonly CheckedRow[];
  ready: readonly BatchOrder[];
  problem_count: number;
  checkingCount: number;
  /** Of the orders that are ready. */
  amount_usd: string;
  /** Whether the length of media may change a price. */
  basis: 'exact' | 'upper_bound' | 'lower_bound';
}

function toProblems({ message, details = [] }: NonNullable<OrderEstimate['error']>): RowProblem[] {
  if (details.length === 0) return [{ target: null, message }];
  return details.map((detail) => ({ target: detailField(detail) || null, message: detail.message }));
}

function checkRow(result: RowResult, orderJson: string | undefined, estimates: OrderEstimates | undefined): CheckedRow {
  const { row } = result;
  const base = { id: row.id, row };
  if (result.state === 'problem') return { ...base, state: 'problem', problems: result.problems };
  const estimate = orderJson === undefined ? undefined : estimates?.get(orderJson);
  if (result.state === 'pending' || !estimate) return { ...base, state: 'checking' };
  if (estimate.error || estimate.amount_usd === null)
    return { ...base, state: 'problem', problems: estimate.error ? toProblems(estimate.error) : [] };
  return {
    ...base,
    state: 'ready',
    order: result.order,
    amount_usd: estimate.amount_usd,
    basis: estimate.basis ?? 'exact',
  };
}

/**
 * How many of the orders that are ready start before a limit pauses the batch.
 * @returns null if the limit is enough for all, or there is none
 */
export function countWithinLimit(rows: readonly CheckedRow[], stopAtUsd: string | null): number | null {
  if (stopAtUsd === null) return null;
  let left = parseUsd(stopAtUsd);
  let count = 0;
  for (const row of rows) {
    if (row.state !== 'ready') continue;
    left -= parseUsd(row.amount_usd);
    if (left < 0n) return count;
    count += 1;
  }
  return null;
}

/**
 * Joins rows with their estimates.
 * @param orderJsons JSON of the order of each row; undefined for rows without one
 */
export function checkRows(
  results: readonly RowResult[],
  orderJsons: readonly (string | undefined)[],
  estimates: OrderEstimates | undefined,
): BatchCheck {
  const rows = results.map((result, at) => checkRow(result, orderJsons[at], estimates));
  const ready = rows.filter((row) => row.state === 'ready');
  const bases = new Set(ready.map(({ basis }) => basis));
  return {
    rows,
    ready: ready.map(({ order }) => order),
    problem_count: rows.filter(({ state }) => state === 'problem').length,
    checkingCount: rows.filter(({ state }) => state === 'checking').length,
    amount_usd: formatUsd(ready.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n)),
    basis: bases.has('lower_bound') ? 'lower_bound' : bases.has('upper_bound') ? 'upper_bound' : 'exact',
  };
}
