import type { ReactNode } from 'react';
import { Money } from '#web/api/money.tsx';
import { countOf } from './finding-labels.ts';

interface CloseFiguresProps {
  cost: string;
  /** null: no bill yet. */
  bill: string | null;
  difference: string | null;
  /** What settling added to our cost; nothing is shown for none. */
  corrected?: string;
  unknownCostCount?: number;
  /** What qualifies the bill, below it. */
  billNote?: ReactNode;
}

/** Our cost, their bill, and the difference. */
export function CloseFigures(props: CloseFiguresProps) {
  const { cost, bill, difference, corrected = '0.00', unknownCostCount = 0, billNote } = props;
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
      <Figure
        name="Our cost"
        note={unknownCostCount > 0 ? `${countOf(unknownCostCount, 'job')} without a known cost` : null}
      >
        <Money amount_usd={cost} />
      </Figure>
      <Figure name="Their bill" note={billNote}>
        {bill === null ? <span className="text-ink-3">No bill yet</span> : <Money amount_usd={bill} />}
      </Figure>
      <Figure name="Difference">
        {difference === null ? (
          <span className="text-ink-3">–</span>
        ) : (
          <Money signed amount_usd={difference} className="font-semibold" />
        )}
      </Figure>
      {corrected === '0.00' ? null : (
        <Figure name="Corrected">
          <Money signed amount_usd={corrected} />
        </Figure>
      )}
    </dl>
  );
}

function Figure({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-28 sm:w-36">
      <dt className="text-xs text-ink-3">{name}</dt>
      <dd>
        {children}
        {note ? <span className="block text-xs text-ink-3">{note}</span> : null}
      </dd>
    </div>
  );
}
