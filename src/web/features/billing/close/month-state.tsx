import { Link } from '@tanstack/react-router';
import { Lock, LockOpen } from 'lucide-react';
import { useId, useState } from 'react';
import { formatNano, parseNano } from '#contract/money/money.ts';
import type { Close } from '#contract/resources/closing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import type { BillingSearch } from '../billing-search.ts';
import { formatUtcMonth } from '../period.ts';
import { CloseFigures } from './close-figures.tsx';
import { countOf } from './finding-labels.ts';

const CloseMonthDialog = lazyComponent(async () => (await import('./close-month-dialogs.tsx')).CloseMonthDialog);
const ReopenMonthDialog = lazyComponent(async () => (await import('./close-month-dialogs.tsx')).ReopenMonthDialog);
const DIALOGS = { close: CloseMonthDialog, reopen: ReopenMonthDialog };

const addUp = (amounts: readonly (string | null)[]): string | null => {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : formatNano(known.reduce((sum, amount) => sum + parseNano(amount), 0n));
};

/** The sums of a month, whether it is closed, and what keeps it open. */
export function MonthState({ close }: { close: Close }) {
  const { month, status, closed, can_close, problems, data } = close;
  const name = formatUtcMonth(month);
  const canChange = useCan('funds.manage');
  const unbilledCount = data.filter(({ bill_usd }) => bill_usd === null).length;
  // The month changes while its dialog is still open.
  const [dialog, setDialog] = useState<'close' | 'reopen'>();
  const reasons = useId();
  const ask = closed ? 'reopen' : 'close';
  const Dialog = DIALOGS[dialog ?? ask];
  return (
    <section aria-label={name} className="flex flex-col gap-3 rounded-md border border-line bg-surface px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex items-center gap-3">
          <h2 className="text-md font-semibold">{name}</h2>
          {status === 'closed' ? (
            <Badge icon={<Lock aria-hidden="true" />}>Closed</Badge>
          ) : (
            <Badge icon={<LockOpen aria-hidden="true" />}>Open</Badge>
          )}
        </div>
        {canChange ? (
          <Button
            variant={can_close ? 'primary' : 'secondary'}
            aria-disabled={!closed && !can_close}
            aria-describedby={reasons}
            onPointerEnter={Dialog.preload}
            onFocus={Dialog.preload}
            onClick={() => setDialog(ask)}
          >
            {closed ? 'Reopen…' : `Close ${name}`}
          </Button>
        ) : null}
      </div>
      {data.length > 0 ? (
        <CloseFigures
          cost={addUp(data.map(({ cost_usd }) => cost_usd)) ?? '0.00'}
          bill={addUp(data.map(({ bill_usd }) => bill_usd))}
          difference={addUp(data.map(({ difference_usd }) => difference_usd))}
          billNote={unbilledCount > 0 ? `${countOf(unbilledCount, 'provider')} without one` : null}
        />
      ) : null}
      <div id={reasons} className="text-sm text-ink-2 empty:hidden">
        {closed ? (
          <>
            Closed <RelativeTime at={closed.at} /> by <bdi>{closed.by.person?.name ?? closed.by.name}</bdi>.{' '}
            <span className="inline-flex max-w-full items-center gap-1 text-xs text-ink-3">
              <span className="min-w-0 truncate">
                Record {closed.seq}, hash <code className="font-mono">{closed.hash}</code>
              </span>
              <CopyButton text={closed.hash} label="Copy hash" />
            </span>
          </>
        ) : (
          <ul className="flex list-disc flex-col gap-1 pl-4 marker:text-ink-3 empty:hidden">
            {problems.map(({ code, message }) => (
              <li key={code}>
                {message} <ProblemLink code={code} close={close} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {dialog ? <Dialog close={close} onClose={() => setDialog(undefined)} /> : null}
    </section>
  );
}

type Problem = Close['problems'][number]['code'];

/** What to look at, by reason; null: nothing helps but to wait. */
const PROBLEM_LINKS = {
  open_findings: ({ month, data }) => {
    const open = data.find(({ findings }) =>
      findings.some(({ kind, open_count }) => kind !== 'ours_only' && open_count > 0),
    );
    return open ? { label: 'Show them', search: { month, provider: open.provider.id, settled: 'open' } } : null;
  },
  month_not_over: () => null,
  already_closed: () => null,
} as const satisfies Record<Problem, (close: Close) => { label: string; search: BillingSearch } | null>;

function ProblemLink({ code, close }: { code: Problem; close: Close }) {
  const link = PROBLEM_LINKS[code](close);
  if (!link) return null;
  return (
    <Link to="/billing" search={{ ...link.search, part: 'close' }} className="text-ink underline underline-offset-2">
      {link.label}
    </Link>
  );
}
