import { formatMoney } from '#contract/money.ts';
import type { Provider } from '#contract/resources/provider.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';

/** Says which text model of a connection improves prompts, and what that costs. */
export function TextModelLine({ provider: { text_model, state } }: { provider: Provider }) {
  if (text_model === null) return null;
  const { model, daily_limit_usd, is_used, today, this_month } = text_model;
  const note = is_used ? '' : state === 'paused' ? ' (not while paused)' : ' (a provider before it does so)';
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-ink-2 tabular-nums">
      <span className="wrap-anywhere">
        Improves prompts with {model}
        {note}
      </span>
      <span className="text-ink-3">
        {formatNumber(today.count)} today, <Money amount_usd={today.cost_usd} /> of {formatMoney(daily_limit_usd)}
      </span>
      <span className="text-ink-3">
        {formatNumber(this_month.count)} this month, <Money amount_usd={this_month.cost_usd} />
      </span>
    </p>
  );
}
