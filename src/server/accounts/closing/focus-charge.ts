import { TASKS } from '#contract/catalog.ts';
import type { PricedLineItem } from '#contract/money/estimate.ts';
import type { TaskId } from '#contract/ids.ts';
import { MICRO_PER_USD, parseUsd, toMillionths } from '#contract/money/money.ts';
import type { LedgerType } from '#contract/money/ledger.ts';
import { presentEntryCost } from '#server/accounts/billing/ledger/entry-costs.ts';
import type { NamedEntry } from '#server/accounts/billing/ledger/read-entries.ts';

/** What a row needs of a generation beside its ledger entry. */
export interface WorkFacts {
  line_items: readonly PricedLineItem[];
  request_id: string | null;
  /** As in the margin; null: no provider ran it. */
  provider: { id: string; name: string } | null;
  /** The charge was written before the period. */
  isEarlier: boolean;
}

/** Amounts of money are micro-dollars, quantities millionths. */
export interface FocusCharge {
  category: 'Usage' | 'Purchase' | 'Credit' | 'Adjustment';
  isCorrection: boolean;
  billed: bigint;
  effective: bigint;
  /** Also the list cost: nothing is negotiated. */
  contracted: bigint;
  sku: { id: string; meter: string } | null;
  price: { quantity: bigint; unit: string; unitPrice: bigint } | null;
  consumed: { quantity: bigint; unit: string } | null;
}

const ONE = 1_000_000n;
const NO_PRICE = { sku: null, price: null, consumed: null } as const;

const toUnitName = (unit: string): string =>
  `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}${unit.endsWith('s') ? '' : 's'}`;

/** The price of a unit if it explains the cost exactly, which a minimum or several items don't; else that of one request. */
function priceOf(cost: bigint, items: readonly PricedLineItem[]): NonNullable<FocusCharge['price']> {
  const [item, ...others] = items;
  const unitPrice = item && others.length === 0 ? parseUsd(item.unit_price_usd) : 0n;
  if (item && unitPrice > 0n && cost !== 0n && (cost * ONE) % unitPrice === 0n)
    return { quantity: (cost * ONE) / unitPrice, unit: toUnitName(item.unit), unitPrice };
  return { quantity: cost < 0n ? -ONE : ONE, unit: 'Requests', unitPrice: cost < 0n ? -cost : cost };
}

/** A refund takes no work back, so nothing is consumed then. */
function consumptionOf(cost: bigint, [item]: readonly PricedLineItem[]): NonNullable<FocusCharge['consumed']> {
  const quantity = item ? (toMillionths(Number(item.quantity)) ?? ONE) : ONE;
  return { quantity: cost < 0n ? 0n : quantity, unit: item ? toUnitName(item.unit) : 'Requests' };
}

const skuOf = (task: TaskId, model: string | null): NonNullable<FocusCharge['sku']> => ({
  id: model === null ? task : `${task}/${model}`,
  meter: TASKS[task].name,
});

/** Work was paid by the purchase of credit before, so its billed cost is 0 and its effective cost the charge. */
function workCharge(
  cost: bigint,
  { entry: { task, model } }: NamedEntry,
  { line_items, isEarlier }: WorkFacts,
): FocusCharge {
  return {
    category: 'Usage',
    isCorrection: cost < 0n && isEarlier,
    billed: 0n,
    effective: cost,
    contracted: cost,
    sku: task === null ? null : skuOf(task, model),
    price: priceOf(cost, line_items),
    consumed: consumptionOf(cost, line_items),
  };
}

const granted = (
  category: 'Credit' | 'Adjustment',
  { entry: { amount_micro_usd: amount } }: NamedEntry,
): FocusCharge => ({
  category,
  isCorrection: false,
  billed: -amount,
  effective: -amount,
  contracted: -amount,
  ...NO_PRICE,
});

/** null: a reservation, which charges nothing. Decision: FOCUS export */
export const CHARGES = {
  TOP_UP: ({ entry: { amount_micro_usd: amount } }) => ({
    category: 'Purchase',
    isCorrection: false,
    billed: amount,
    effective: 0n,
    contracted: amount,
    sku: { id: 'prepaid-credit', meter: 'Prepaid credit' },
    price: { quantity: amount, unit: 'Dollars', unitPrice: MICRO_PER_USD },
    consumed: null,
  }),
  ADMIN_CREDIT: (row) => granted('Credit', row),
  ADJUSTMENT: (row) => granted('Adjustment', row),
  SETTLE: (row, work) => workCharge(-row.entry.amount_micro_usd, row, work),
  REFUND: (row, work) => workCharge(-row.entry.amount_micro_usd, row, work),
  RESERVE: null,
  RELEASE: null,
} as const satisfies Record<LedgerType, ((row: NamedEntry, work: WorkFacts) => FocusCharge) | null>;

/** What a provider bills for a generation, at the entry where the ledger has its cost; null: unknown, or nothing. */
export function toProviderCharge(row: NamedEntry, { line_items, provider }: WorkFacts): FocusCharge | null {
  const { cost_usd } = presentEntryCost(row.entry, row);
  const { task, model } = row.entry;
  if (cost_usd === null || provider === null || task === null) return null;
  const cost = parseUsd(cost_usd);
  const sku = skuOf(task, model);
  return {
    category: 'Usage',
    isCorrection: false,
    billed: cost,
    effective: cost,
    contracted: cost,
    sku: { ...sku, id: `${provider.name}/${sku.id}` },
    // What providers call a unit is not stored.
    price: priceOf(cost, []),
    consumed: consumptionOf(cost, line_items),
  };
}
