import { startOfUtcDay, toUtcDay } from '#web/ui/days.ts';
import { PERIOD_PRESETS } from '../period.ts';

/** Completes a period: up to today, and from the first day of its last month. */
export function completePeriod(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): { from: string; to: string } {
  const end = to ?? toUtcDay(now);
  return { from: from ?? PERIOD_PRESETS.this_month.of(startOfUtcDay(end) ?? now).from, to: end };
}
