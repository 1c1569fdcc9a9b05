import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import { MAX_BATCH_NAME_LENGTH, MAX_LIST_ORDERS } from '#contract/limits.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { AmountField } from '#web/forms/money/amount-field.tsx';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { useRootAttribute } from '#web/ui/hooks/use-root-attribute.ts';
import { countWithinLimit } from './check/check-rows.ts';
import type { NewBatch } from './draft/use-new-batch.ts';

interface StartPanelProps {
  batch: NewBatch;
  /** Why the batch can't start yet, apart from its rows. */
  waitingLabel: string | null;
  problem: string | null;
  isStarting: boolean;
  onStart: () => void;
}

export function BatchSettings({ batch: { form } }: Pick<StartPanelProps, 'batch'>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" optional error={form.formState.errors.name?.message}>
        <TextInput
          placeholder="Lighthouses"
          {...form.register('name', {
            validate: (name) =>
              name.trim().length <= MAX_BATCH_NAME_LENGTH || `Use at most ${MAX_BATCH_NAME_LENGTH} characters.`,
          })}
        />
      </Field>
      <AmountField
        control={form.control}
        name="stop_at_usd"
        label="Stop at"
        optional
        placeholder="No limit"
        hint="The batch pauses before it costs more."
      />
    </div>
  );
}

export function StartPanel({ batch, waitingLabel, problem, isStarting, onStart }: StartPanelProps) {
  const { dryRun, rows, draft } = batch;
  const columnProblem = rows.problem;
  const { ready, checkingCount, problem_count } = dryRun;
  const stopAt = parseAmount(draft.stop_at_usd).amount;
  const startable = countWithinLimit(dryRun.rows, stopAt);
  const isTooLong = rows.rows.length > MAX_LIST_ORDERS;
  const isBlocked =
    ready.length === 0 || checkingCount > 0 || isTooLong || waitingLabel !== null || columnProblem !== null;
  useRootAttribute('orderBar', 'low');
  return (
    <div
      data-order-bar=""
      className="sticky bottom-[var(--lift,0px)] z-10 -mx-4 border-t border-line bg-canvas px-4 pt-3 pb-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom)+var(--lift,0px))] md:-mx-2 md:px-2"
    >
      <div role="alert" className="mb-2 empty:hidden">
        <ErrorText>{problem}</ErrorText>
      </div>
      <Button
        variant="primary"
        size="lg"
        busy={isStarting}
        className="w-full tabular-nums"
        aria-disabled={isBlocked || undefined}
        icon={<Play aria-hidden="true" className="size-4.5 fill-current" />}
        onClick={onStart}
      >
        {waitingLabel ??
          (checkingCount > 0
            ? `Checking ${formatNumber(checkingCount)}…`
            : ready.length > 0 && columnProblem === null
              ? `Start ${formatNumber(ready.length)} · ${startable === null ? priceLabel(dryRun) : `stops after ${formatNumber(startable)} of ${formatNumber(ready.length)}`}`
              : 'Start')}
      </Button>
      <div className="mt-1.5 flex min-h-7 items-center gap-x-2 text-sm text-ink-3 tabular-nums">
        <p aria-live="polite" className="min-w-0 flex-1">
          {rows.rows.length === 0 ? 'Add orders to see what they cost.' : null}
          {columnProblem ? <span className="text-bad">{columnProblem}</span> : null}
          {!columnProblem && problem_count > 0 && checkingCount === 0
            ? `${describeProblemCount(ready.length, problem_count)} `
            : null}
          {!columnProblem && startable !== null && stopAt !== null
            ? `All cost ${formatMoney(dryRun.amount_usd)}, the limit is ${formatMoney(stopAt)}. `
            : null}
          {columnProblem ? null : <FundsHint amount_usd={dryRun.amount_usd} />}
        </p>
        <Kbd keys="mod+enter" className="max-md:hidden" />
      </div>
    </div>
  );
}

function describeProblemCount(ready: number, problems: number): string {
  if (ready === 0) return 'Fix the problems above to start.';
  return problems === 1
    ? '1 row has a problem and won’t start.'
    : `${formatNumber(problems)} rows have problems and won’t start.`;
}

/** Says beforehand that a list will pause. Nothing to people who may not see the funds. */
function FundsHint({ amount_usd }: { amount_usd: string }) {
  const { data: funds } = useQuery(billingSummaryQuery());
  if (!funds || parseUsd(amount_usd) <= parseUsd(funds.available_usd)) return null;
  return (
    <>
      {formatMoney(funds.available_usd)} is available. The batch pauses when that is spent and continues after a top-up.
    </>
  );
}
