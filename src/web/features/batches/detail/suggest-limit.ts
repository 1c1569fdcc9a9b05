import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Batch } from '#contract/resources/batch.ts';

type Limits = Pick<Batch, 'stop_at_usd' | 'pause_reason' | 'estimated_usd' | 'spent_usd' | 'reserved_usd'>;

/** The limit to resume with: what the whole batch needs where its limit was reached; empty: none. */
export function suggestLimit({ stop_at_usd, pause_reason, estimated_usd, spent_usd, reserved_usd }: Limits): string {
  if (stop_at_usd === null || pause_reason !== 'stop_at') return stop_at_usd ?? '';
  const needed = parseUsd(estimated_usd);
  const committed = parseUsd(spent_usd) + parseUsd(reserved_usd);
  // Where the estimate was too low, only no limit is known to be enough.
  return parseUsd(stop_at_usd) < needed && committed < needed ? formatUsd(needed) : '';
}
