import { LEDGER_TYPES } from '#contract/ledger-types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';

/** What each kind of entry is, in words. */
export function LedgerTypeLegend() {
  return (
    <Disclosure summary="What the kinds of entry mean" className="mb-3">
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {LEDGER_TYPES.map((type) => (
          <div key={type} className="contents">
            <dt>
              <Badge tone={LEDGER_TYPE_LABELS[type].tone}>{LEDGER_TYPE_LABELS[type].label}</Badge>
            </dt>
            <dd className="text-ink-2 max-sm:mb-1.5">{LEDGER_TYPE_LABELS[type].sentence}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
