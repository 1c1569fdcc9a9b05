import { LEDGER_TYPES } from '#contract/ledger-types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ENTRY_WORDS } from './entry-words.ts';

/** What each kind of entry is, in words. */
export function EntryKinds() {
  return (
    <Disclosure summary="What the kinds of entry mean" className="mb-3">
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {LEDGER_TYPES.map((type) => (
          <div key={type} className="contents">
            <dt>
              <Badge tone={ENTRY_WORDS[type].tone}>{ENTRY_WORDS[type].label}</Badge>
            </dt>
            <dd className="text-ink-2 max-sm:mb-1.5">{ENTRY_WORDS[type].sentence}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
