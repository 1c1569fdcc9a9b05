import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import { type GenerationStatus, isActive } from '#contract/generation-status.ts';
import { formatUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { netCost } from '#web/forms/net-cost.ts';
import { CancelButton, RetryButton } from './run-buttons.tsx';
import { ResultActions } from './result-actions.tsx';
import type { Run } from './runs.ts';
import { UnderWay } from './under-way.tsx';
import { Outputs } from '#web/outputs/outputs.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

interface MadeProps {
  run: Run;
  generation: Generation;
}

/** A generation as far as it is, and what can be done with it. */
export function Made({ run, generation }: MadeProps) {
  const { status, progress, task, model, usage } = generation;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 truncate font-semibold">{model ? MODEL_NAMES[model] : TASKS[task].name}</h2>
        <StatusBadge status={status} progress={progress} />
        <span className="ml-auto flex items-center gap-3 text-sm text-ink-3 tabular-nums">
          {priceWords(usage)}
          <Link
            to="/generations/$id"
            params={{ id: generation.id }}
            className="text-ink-2 underline-offset-2 hover:underline"
          >
            Details
          </Link>
        </span>
      </header>
      {views[status]({ run, generation })}
      {isActive(status) ? null : <ResultActions generation={generation} />}
    </div>
  );
}

const words = {
  reserved: (amount) => `${amount} reserved`,
  settled: (amount) => amount,
  released: () => 'Not charged',
  refunded: (amount) => `${amount} refunded`,
} satisfies Record<Generation['usage']['billing_status'], (amount: string) => string>;

function priceWords(usage: Generation['usage']): string {
  const { amount_usd, billing_status } = usage;
  if (Number(amount_usd) === 0) return 'Free';
  return words[billing_status](formatMoney(billing_status === 'settled' ? formatUsd(netCost(usage)) : amount_usd));
}

const nothingCharged = ({ usage }: Generation) => (usage.billing_status === 'released' ? 'Nothing was charged. ' : '');

const views = {
  queued: (props) => (
    <UnderWay run={props.run} label="Waiting for its turn" progress={null} action={<CancelButton {...props} />} />
  ),
  running: (props) => (
    <UnderWay
      run={props.run}
      label="Being made"
      progress={props.generation.progress}
      action={<CancelButton {...props} />}
    />
  ),
  succeeded: ({ generation }) => <Outputs generation={generation} />,
  failed: (props) => (
    <Callout tone="bad" title="It could not be made" action={<RetryButton {...props} />}>
      <p>{props.generation.error?.message ?? 'The service gave no reason.'}</p>
      <p className="mt-1">
        {nothingCharged(props.generation)}What you entered is kept
        {props.generation.error?.retryable
          ? ': trying again, unchanged, may well work.'
          : ': change it and run it again.'}
      </p>
    </Callout>
  ),
  canceled: (props) => (
    <Callout title="Stopped before it was finished" action={<RetryButton {...props} />}>
      {nothingCharged(props.generation)}What you entered is kept.
    </Callout>
  ),
  manual_review: ({ generation }) => (
    <Callout tone="amber" title="A person has to look at it">
      {generation.error ? <p>{generation.error.message}</p> : null}
      <p>The money stays reserved until that is decided. You need not wait here: it stays in your generations.</p>
    </Callout>
  ),
} satisfies Record<GenerationStatus, (props: MadeProps) => ReactNode>;
