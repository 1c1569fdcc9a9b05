import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react';
import { isMissingFeature } from '#web/api-errors.ts';
import type { Verification as Found } from '#contract/resources/audit.ts';
import { verifyLedger } from '#web/queries/audit.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Card } from '#web/ui/card.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { ExactTime } from '#web/ui/relative-time.tsx';

const CHECKS = {
  chain: 'Each entry carries the fingerprint of the one before: nothing was changed or taken out.',
  sequence: 'Entries are numbered without gaps.',
  balances: 'Each balance is the one before plus the entry.',
  generations: 'Each generation was reserved, released and charged once at most.',
  bills: 'Each charge is what its generation says was charged.',
  account: 'The account stands at what its entries add up to.',
  spending: 'The chart’s days add up to the entries.',
  reservations: 'What is reserved is what open work holds.',
  known_head: 'The entry that was noted earlier still stands as it was.',
} satisfies Record<Found['checks'][number]['name'], string>;

/** One press recomputes the whole ledger, and says what was checked and found. For organization keys. */
export function Verification() {
  const { mutate, data, isPending, error } = useMutation(verifyLedger);
  if (isMissingFeature(error)) return null;
  return (
    <Card title="Does it add up?" description="Recomputes every entry, sum and balance from the first one on.">
      <div className="flex flex-col gap-3">
        <Button busy={isPending} icon={<ShieldCheck aria-hidden="true" className="size-4" />} onClick={() => mutate()}>
          Check the ledger
        </Button>
        {error ? <ErrorText>{error.message}</ErrorText> : null}
        <div aria-live="polite">{data ? <Report found={data} /> : null}</div>
      </div>
    </Card>
  );
}

function Report({ found }: { found: Found }) {
  const { ok, checked_entries, checks, problem, head, started_at, duration_ms } = found;
  const entries = `${formatNumber(checked_entries)} ${checked_entries === 1 ? 'entry' : 'entries'}`;
  return (
    <div className="flex flex-col gap-3">
      {ok ? (
        <Callout tone="good" title="It adds up">
          {entries} checked in {(duration_ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s.
        </Callout>
      ) : (
        <Callout tone="bad" title="It does not add up">
          {problem
            ? `${problem.seq === null ? '' : `Entry ${problem.seq}: `}${problem.message}`
            : `${entries} checked.`}
        </Callout>
      )}
      <ul className="flex flex-col gap-1.5 text-sm">
        {checks.map(({ name, ok: fits }) => (
          <li key={name} className="flex gap-2">
            {fits ? (
              <CircleCheck aria-hidden="true" className="mt-0.5 size-4 flex-none text-good" />
            ) : (
              <CircleX aria-hidden="true" className="mt-0.5 size-4 flex-none text-bad" />
            )}
            <span className={fits ? 'text-ink-2' : 'font-medium'}>
              {fits ? null : 'Does not fit: '}
              {CHECKS[name]}
            </span>
          </li>
        ))}
      </ul>
      {head ? (
        <p className="flex items-start gap-1 text-xs text-ink-3">
          <span className="min-w-0 wrap-anywhere">
            <ExactTime at={started_at} />. Entry {head.seq}, fingerprint <code className="font-mono">{head.hash}</code>.
            Note both outside of the studio: a later check can prove that they still stand.
          </span>
          <CopyButton text={`${head.seq} ${head.hash}`} label="Copy number and fingerprint" />
        </p>
      ) : null}
    </div>
  );
}
