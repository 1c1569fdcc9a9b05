import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleMinus, CircleX, ShieldCheck } from 'lucide-react';
import { type SubmitEvent, useRef, useState } from 'react';
import { formatLedgerHead, parseLedgerHead } from '#contract/money/ledger.ts';
import type { Verification } from '#contract/resources/audit.ts';
import { verifyLedgerMutation } from '#web/api/queries/billing.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { formatUtcMinute } from '../ledger/format-utc-minute.ts';

type CheckName = Verification['checks'][number]['name'];

const CHECK_LABELS = {
  chain: 'Each entry includes the hash of the previous entry.',
  sequence: 'Entry numbers have no gaps.',
  balances: 'Each balance equals the previous balance plus the entry.',
  generations: 'Each generation was reserved, released and charged at most once.',
  bills: 'Each charge matches the bill of its generation.',
  account: 'The account balance equals the sum of all entries.',
  spending: 'Daily totals match the entries.',
  reservations: 'Reserved funds match unfinished work.',
  audit_log: 'No event of the audit log was changed or removed.',
  closings: 'Settlements, corrections and closed months are as they were written.',
  known_head: 'Nothing up to the checkpoint has changed.',
} satisfies Record<CheckName, string>;

/** Recomputes the whole ledger and reports the result of every check. Needs an organization key. */
export function LedgerVerificationCard() {
  const { mutate, data, variables, isPending, error } = useMutation(verifyLedgerMutation);
  const [text, setText] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const knownHead = parseLedgerHead(text);
    const invalid = knownHead === null && text.trim() !== '';
    setIsInvalid(invalid);
    if (invalid) input.current?.focus();
    else mutate(knownHead);
  };
  return (
    <Card title="Ledger verification" description="Recomputes every entry, total and balance from the start.">
      <div className="flex flex-col gap-4">
        <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
          <Field
            label="Checkpoint"
            hint="Entry number and hash from an earlier verification or statement. Proves that nothing up to it has changed."
            error={isInvalid ? 'Enter an entry number and its hash, such as 1185:4af4…' : undefined}
            optional
          >
            <TextInput
              ref={input}
              spellCheck={false}
              autoComplete="off"
              placeholder="1185:4af4…"
              className="font-mono"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setIsInvalid(false);
              }}
            />
          </Field>
          <Button
            type="submit"
            className="self-start"
            busy={isPending}
            icon={<ShieldCheck aria-hidden="true" className="size-4" />}
          >
            Verify ledger
          </Button>
        </form>
        {error ? <ErrorText>{error.message}</ErrorText> : null}
        <div aria-live="polite">
          {data ? <VerificationReport verification={data} hasHead={Boolean(variables)} /> : null}
        </div>
      </div>
    </Card>
  );
}

const TOTAL_CHECKS = ['account', 'reservations', 'spending'] as const;

const formatEntryRange = (count: number) => (count === 1 ? 'Entry 1' : `Entries 1 to ${formatNumber(count)}`);

function VerificationReport({ verification, hasHead }: { verification: Verification; hasHead: boolean }) {
  const { ok, checked_entries, checks, problem, head, started_at, duration_ms } = verification;
  // Totals are checked last: if their checks are missing, the verification stopped at a wrong entry.
  const isStopped = !checks.some(({ name }) => name === 'account');
  const passed = isStopped && checked_entries === 0 ? [] : checks.filter((check) => check.ok);
  const failed = checks.filter((check) => !check.ok);
  const skipped = isStopped ? [...(hasHead ? (['known_head'] as const) : []), ...TOTAL_CHECKS] : [];
  return (
    <div className="flex flex-col gap-3">
      {ok ? (
        <Callout tone="good" title="Ledger verified">
          {formatNumber(checked_entries)} {checked_entries === 1 ? 'entry' : 'entries'} checked in{' '}
          {formatNumber(Math.max(1, Math.round(duration_ms / 100)) / 10)} s.
        </Callout>
      ) : (
        <Callout tone="bad" title="Verification failed">
          {problem ? (
            <>
              {problem.seq === null ? null : `Entry ${problem.seq}: `}
              {problem.message}{' '}
              {problem.seq === null ? null : (
                <Link
                  to="/billing"
                  search={{ part: 'ledger', entry: problem.seq }}
                  className="font-medium whitespace-nowrap text-ink underline underline-offset-2"
                >
                  Show entry {problem.seq}
                </Link>
              )}
            </>
          ) : (
            `${formatNumber(checked_entries)} entries checked.`
          )}
        </Callout>
      )}
      <CheckList names={failed.map(({ name }) => name)} result="failed" />
      {passed.length > 0 && isStopped ? (
        <p className="text-sm font-medium">{formatEntryRange(checked_entries)}</p>
      ) : null}
      <CheckList names={passed.map(({ name }) => name)} result="passed" />
      {skipped.length > 0 ? <p className="text-sm font-medium">Not checked</p> : null}
      <CheckList names={skipped} result="skipped" />
      {head ? (
        <p className="flex items-start gap-1 text-xs text-ink-3">
          <span className="min-w-0 wrap-anywhere">
            {formatUtcMinute(started_at)} UTC. Checkpoint: entry {head.seq}, hash{' '}
            <code className="font-mono">{head.hash}</code>. Save it outside this studio to prove later that nothing up
            to here has changed.
          </span>
          <CopyButton text={formatLedgerHead(head)} label="Copy checkpoint" />
        </p>
      ) : null}
    </div>
  );
}

const RESULT_STYLES = {
  passed: { spoken: null, icon: <CircleCheck aria-hidden="true" className="mt-0.5 size-4 flex-none text-good" /> },
  failed: { spoken: 'Failed: ', icon: <CircleX aria-hidden="true" className="mt-0.5 size-4 flex-none text-bad" /> },
  skipped: { spoken: null, icon: <CircleMinus aria-hidden="true" className="mt-0.5 size-4 flex-none text-ink-3" /> },
};

function CheckList({ names, result }: { names: readonly CheckName[]; result: keyof typeof RESULT_STYLES }) {
  if (names.length === 0) return null;
  const { spoken, icon } = RESULT_STYLES[result];
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {names.map((name) => (
        <li key={name} className="flex gap-2">
          {icon}
          <span className={result === 'failed' ? 'font-medium' : 'text-ink-2'}>
            {spoken}
            {CHECK_LABELS[name]}
          </span>
        </li>
      ))}
    </ul>
  );
}
