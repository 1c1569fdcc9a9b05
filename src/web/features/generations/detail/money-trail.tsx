import { useQuery } from '@tanstack/react-query';
import { formatUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { generationLedgerQuery } from '#web/api/queries/generation-ledger.ts';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { summarizeMoneyTrail } from './summarize-money-trail.ts';

/** Every ledger entry of a generation, and its cost after refunds. */
export function MoneyTrail({ generation }: { generation: Generation }) {
  const { data: entries } = useQuery(generationLedgerQuery(generation));
  if (!entries || entries.length === 0) return null;
  const { steps, paid_micro_usd, reason } = summarizeMoneyTrail(generation, entries);
  return (
    <div className="mt-4 text-sm">
      <ol aria-label="Money trail" className="border-t border-line">
        {steps.map(({ id, label, amount_usd, created_at, note }) => (
          <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto_6rem] gap-x-4 border-b border-line py-1.5">
            <span className="min-w-0">
              {label}
              {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
            </span>
            <RelativeTime at={created_at} className="text-ink-3" />
            <Money signed amount_usd={amount_usd} className="text-right" />
          </li>
        ))}
        <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-1.5 font-medium">
          <span>Net cost</span>
          <Money amount_usd={formatUsd(paid_micro_usd)} />
        </li>
      </ol>
      <p className="text-ink-2">{reason}</p>
    </div>
  );
}
