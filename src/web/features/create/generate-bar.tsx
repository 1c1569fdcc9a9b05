import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Sparkles } from 'lucide-react';
import { useState } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { basisWords, priceLabel, priceLines } from '#web/features/create/price-story.ts';
import { useUnderWay } from '#web/features/create/use-tray.ts';
import { type LiveQuote, useQuote } from '#web/features/create/use-quote.ts';
import { useForm } from '#web/forms/form-context.ts';
import { billingSummaryQuery } from '#web/queries/billing.ts';
import { SignInLink } from '#web/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { formatMoney, Money } from '#web/ui/money.tsx';

interface GenerateBarProps {
  task: TaskId;
  model: ModelId | null;
  signed_in: boolean;
  /** Why it can't be ordered at all; null where it can. */
  off: string | null;
  /** Problems of no single field. */
  problem: string | null;
}

/** The button with the price on it, and how the price comes about. Stays in sight. */
export function GenerateBar({ task, model, signed_in, off, problem }: GenerateBarProps) {
  const { form, tray } = useForm();
  const live = useQuote(task, model, form);
  const sending = useUnderWay(tray);
  const [open, setOpen] = useState(false);
  const price = live.quote ? priceLabel(live.quote) : null;
  const verb = model === null ? 'Run' : 'Generate';
  const label = price ? `${verb} · ${price}` : verb;
  return (
    <div className="sticky bottom-0 z-10 -mx-4 -mb-6 border-t border-line bg-canvas px-4 pt-3 pb-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom))] md:-mx-2 md:px-2">
      {(problem ?? off) ? (
        <p role="alert" className="mb-2 text-sm text-bad">
          {problem ?? off}
        </p>
      ) : null}
      {signed_in ? (
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="w-full tabular-nums"
          aria-disabled={off !== null || sending > 0 || undefined}
          icon={<Sparkles aria-hidden="true" className="size-4.5" />}
          iconEnd={<Kbd keys="mod+enter" className="ml-1 opacity-70 max-md:hidden" />}
        >
          {sending > 0 ? `Waiting for ${sending === 1 ? 'a file' : `${sending} files`}` : label}
        </Button>
      ) : (
        <SignInLink className={cx(buttonClass({ variant: 'primary', size: 'lg' }), 'w-full tabular-nums')}>
          Sign in to generate{price ? ` · ${price}` : ''}
        </SignInLink>
      )}
      <PriceStory live={live} open={open} onToggle={() => setOpen(!open)} />
      {open ? <Bill live={live} signed_in={signed_in} /> : null}
    </div>
  );
}

function PriceStory({ live, open, onToggle }: { live: LiveQuote; open: boolean; onToggle: () => void }) {
  const { form } = useForm();
  const { quote, blocked, same } = live;
  const [line] = quote ? priceLines(quote) : [];
  const said = quote ? (line?.how ?? basisWords(quote) ?? '') : `No price yet. ${blocked ?? ''}`;
  return (
    <div className="mt-2 flex min-h-7 flex-wrap items-center gap-x-2 text-sm text-ink-3">
      <p aria-live="polite" className={cx('min-w-0 flex-1 tabular-nums', live.asking && 'opacity-70')}>
        {said} {same ? same.sentence : ''}
      </p>
      {same && form.values()[same.field] !== same.longest ? (
        <Button size="sm" variant="ghost" onClick={() => form.set(same.field, same.longest)}>
          Make it {same.longest_label}
        </Button>
      ) : null}
      {quote ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-ink-2 hover:text-ink"
        >
          Price
          <ChevronDown aria-hidden="true" className={cx('size-3.5 transition-transform', open && 'rotate-180')} />
        </button>
      ) : null}
    </div>
  );
}

function Bill({ live, signed_in }: { live: LiveQuote; signed_in: boolean }) {
  const funds = useQuery({ ...billingSummaryQuery(), enabled: signed_in });
  const { quote, unconfirmed } = live;
  if (!quote) return null;
  const remark = basisWords(quote);
  return (
    <div className="mt-1 rounded-md border border-line bg-surface p-3 text-sm">
      <table className="w-full tabular-nums">
        <tbody>
          {priceLines(quote).map(({ what, how, amount_usd }) => (
            <tr key={`${what}${how}`}>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal">
                {what} <span className="text-ink-3">{how}</span>
              </th>
              <td className="py-0.5 text-right">
                <Money amount_usd={amount_usd} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="border-t border-line pt-1.5 text-left font-semibold">
              {quote.basis === 'exact' ? 'Total' : quote.basis === 'upper_bound' ? 'At most' : 'At least'}
            </th>
            <td className="border-t border-line pt-1.5 text-right">
              <Money amount_usd={quote.amount_usd} />
            </td>
          </tr>
        </tfoot>
      </table>
      {remark ? <p className="mt-2 text-ink-2">{remark}</p> : null}
      {unconfirmed ? (
        <p className="mt-2 text-ink-2">The service could not be asked just now. This is the published price.</p>
      ) : null}
      {funds.data ? (
        <p className="mt-2 text-ink-3 tabular-nums">
          {formatMoney(funds.data.available_usd)} available, {formatMoney(funds.data.reserved_usd)} reserved
        </p>
      ) : null}
    </div>
  );
}
