import { setImmediate as nextTurn } from 'node:timers/promises';
import { and, asc, eq } from 'drizzle-orm';
import type { PriceFacts } from '#contract/money/estimate.ts';
import { findContract } from '#contract/model-catalog.ts';
import { priceOrder } from '#contract/money/price-order.ts';
import type { AnyModelId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money/money.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { WhatIf, WhatIfRequest } from '#contract/resources/audit.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import { seqWindows } from '#server/accounts/billing/ledger/read-entries.ts';
import {
  ledgerFilterCondition,
  resolveSeqRange,
  seqRangeCondition,
} from '#server/accounts/billing/ledger/ledger-filter.ts';
import { readRefundedAmounts } from '#server/accounts/billing/refunded-amounts.ts';

type ChargedGeneration = Pick<typeof generations.$inferSelect, 'task' | 'model' | 'input' | 'line_items'>;
type RepriceResult = { amount_micro_usd: bigint; basis: WhatIf['basis'] } | { reason: string };

const MAX_REASONS = 10;
const { id, task, model, line_items, input, input_truncated } = generationListColumns;
const CHARGED_GENERATION_COLUMNS = { id, task, model, line_items, input, input_truncated };
/** Charges per batch, between which other requests are served. */
const CHARGES_PER_TURN = 25;

/**
 * Reprices past charges in `[from, to)` at today's prices, on another model or with other options. If a charge was
 * partly refunded, the same share of the other price counts, so that an empty change makes no difference.
 * @throws {ApiError} 400 `invalid_request` if the task does not run on that model
 */
export async function repriceSpending(
  deps: Deps,
  organizationId: string,
  request: WhatIfRequest,
  signal?: AbortSignal,
): Promise<WhatIf> {
  const { task, change } = request;
  if (change.model !== undefined && !findContract(deps.offering.current(), { task, model: change.model })) {
    throw new ApiError('invalid_request', `${change.model} does not support this task.`, { status: 400 });
  }
  const [from, to] = [parseQueryTime(request.from), parseQueryTime(request.to)];
  const filter = { type: 'SETTLE', task, ...(request.model ? { model: request.model } : {}) } as const;
  const bounds = { created_after: from.toISOString(), created_before: to.toISOString() };
  const total = { count: 0, real: 0n, done: 0, doneReal: 0n, repriced: 0n };
  const reasons = new Map<string, number>();
  let basis: WhatIf['basis'] = 'exact';
  for await (const window of seqWindows(await resolveSeqRange(deps, organizationId, bounds))) {
    signal?.throwIfAborted();
    const rows = await deps.db
      .select({ charge: ledgerEntries.amount_micro_usd, generation: CHARGED_GENERATION_COLUMNS })
      .from(ledgerEntries)
      .innerJoin(generations, eq(generations.id, ledgerEntries.generation_id))
      .where(and(seqRangeCondition(organizationId, window), ledgerFilterCondition(filter)))
      .orderBy(asc(ledgerEntries.seq));
    const refunded = await readRefundedAmounts(
      deps,
      rows.map(({ generation }) => generation.id),
    );
    for (const { charge, generation } of rows) {
      const paid = -charge - (refunded.get(generation.id) ?? 0n);
      total.count += 1;
      total.real += paid;
      if (total.count % CHARGES_PER_TURN === 0) await nextTurn(undefined, { signal });
      const repriced = await repriceCharge(deps, generation, change);
      if ('reason' in repriced) {
        reasons.set(repriced.reason, (reasons.get(repriced.reason) ?? 0) + 1);
        continue;
      }
      total.done += 1;
      total.doneReal += paid;
      total.repriced += roundedDivision(repriced.amount_micro_usd * paid, -charge);
      if (repriced.basis === 'upper_bound') basis = 'upper_bound';
    }
  }
  const byCount = [...reasons].map(([message, count]) => ({ message, count })).sort((a, b) => b.count - a.count);
  return {
    object: 'what_if',
    from: from.toISOString(),
    to: to.toISOString(),
    task,
    count: total.count,
    real_usd: formatUsd(total.real),
    repriced_count: total.done,
    repriced_real_usd: formatUsd(total.doneReal),
    repriced_usd: formatUsd(total.repriced),
    difference_usd: formatUsd(total.repriced - total.doneReal),
    basis,
    not_possible: {
      count: total.count - total.done,
      real_usd: formatUsd(total.real - total.doneReal),
      reasons: byCount.slice(0, MAX_REASONS),
    },
  };
}

const roundedDivision = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** The excerpt of an input has everything that affects prices; if it does not parse, the whole input is read. */
async function repriceCharge(
  deps: Deps,
  generation: ChargedGeneration & { id: string; input_truncated: boolean },
  change: WhatIfRequest['change'],
): Promise<RepriceResult> {
  const repriced = computeOtherPrice(deps, generation, change);
  if (!generation.input_truncated || !('reason' in repriced)) return repriced;
  const [complete] = await deps.db.select().from(generations).where(eq(generations.id, generation.id));
  return complete ? computeOtherPrice(deps, complete, change) : repriced;
}

function computeOtherPrice(
  { offering, config }: Deps,
  generation: ChargedGeneration,
  change: WhatIfRequest['change'],
): RepriceResult {
  const model: AnyModelId | null = change.model ?? generation.model;
  const catalog = offering.current();
  const contract = findContract(catalog, { task: generation.task, model });
  if (!contract) return { reason: `${model} does not support this task.` };
  const names = new Set<string>(contract.fields.map(({ name }) => name));
  const supported = Object.fromEntries(Object.entries(generation.input).filter(([name]) => names.has(name)));
  const parsed = parseInput(contract, { ...supported, ...change.input }, ownMediaOrigin(config));
  if (!parsed.ok) return { reason: parsed.details[0]?.message ?? 'The input is not valid.' };
  const lengths = change.input?.['sync_mode'] === undefined ? chargedLengths(generation) : {};
  const { amount_micro_usd, basis } = priceOrder(catalog, { task: generation.task, model }, parsed.input, lengths);
  if (basis === 'lower_bound') return { reason: 'The length of its media is unknown.' };
  return { amount_micro_usd, basis };
}

const SECONDS_PER_UNIT = { second: 1, minute: 60 } as const satisfies Record<string, number>;

/** Lengths as charged: the length that determined a price is a quantity of the bill. */
function chargedLengths({ line_items }: ChargedGeneration): PriceFacts {
  for (const { unit, quantity } of line_items) {
    if (unit !== 'second' && unit !== 'minute') continue;
    const seconds = Number(quantity) * SECONDS_PER_UNIT[unit];
    return { video_seconds: seconds, audio_seconds: seconds };
  }
  return {};
}
