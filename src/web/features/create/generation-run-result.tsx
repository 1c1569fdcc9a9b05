import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import { formatMoney, formatUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isPreviewResult } from '#web/forms/engine-labels.ts';
import { netCost } from '#web/forms/net-cost.ts';
import { CancelButton, RetryButton } from './run-buttons.tsx';
import { ResultActions } from './result-actions.tsx';
import { ActionsPlaceholder, RunHeader, runLayout } from './run-header.tsx';
import type { Run } from './runs.ts';
import type { Comparison } from './use-comparison.ts';
import { RunProgress } from './run-progress.tsx';
import { CanceledCallout } from '#web/upstream/canceled-callout.tsx';
import { describeProviderStatus } from '#web/upstream/describe-provider-status.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

interface GenerationRunResultProps {
  run: Run;
  generation: Generation;
  /** CSS length; set for runs side by side. */
  max_height?: string | undefined;
  comparison?: Comparison | undefined;
}

export function GenerationRunResult({ run, generation, max_height, comparison }: GenerationRunResultProps) {
  const { status, task, model, input, usage } = generation;
  const side_by_side = max_height !== undefined;
  // The placeholder shows the progress, and side by side the result itself shows that it is complete.
  const has_badge = !isActive(status) && !(side_by_side && status === 'succeeded');
  return (
    <div className={runLayout(side_by_side)}>
      <RunHeader
        task={task}
        model={model}
        input={input}
        side_by_side={side_by_side}
        preview={isPreviewResult(generation)}
      >
        {has_badge ? <StatusBadge status={status} /> : null}
        <span className="ml-auto flex flex-none items-center gap-3 text-sm text-ink-3 tabular-nums">
          {side_by_side && usage.billing_status === 'reserved' ? formatMoney(usage.amount_usd) : formatRunCost(usage)}
          {side_by_side ? null : (
            <Link
              to="/generations/$id"
              params={{ id: generation.id }}
              className="text-ink-2 underline-offset-2 hover:underline"
            >
              Details
            </Link>
          )}
        </span>
      </RunHeader>
      {resultViews[status]({ run, generation, max_height })}
      {isActive(status) ? (
        <ActionsPlaceholder side_by_side={side_by_side} />
      ) : (
        <ResultActions generation={generation} compact={side_by_side} comparison={comparison} />
      )}
    </div>
  );
}

const billingLabels = {
  reserved: (amount) => `${amount} reserved`,
  settled: (amount) => amount,
  released: () => 'Not charged',
  refunded: (amount) => `${amount} refunded`,
} satisfies Record<Generation['usage']['billing_status'], (amount: string) => string>;

function formatRunCost(usage: Generation['usage']): string {
  const { amount_usd, billing_status } = usage;
  if (Number(amount_usd) === 0) return 'Free';
  return billingLabels[billing_status](
    formatMoney(billing_status === 'settled' ? formatUsd(netCost(usage)) : amount_usd),
  );
}

const releasedMessage = ({ usage }: Generation) => (usage.billing_status === 'released' ? 'Nothing was charged. ' : '');

const resultViews = {
  queued: (props) => <ActiveRun {...props} label="In the queue" progress={null} />,
  running: (props) => <ActiveRun {...props} label="Generating…" progress={props.generation.progress} />,
  succeeded: ({ generation, max_height }) => <GenerationOutputs generation={generation} max_height={max_height} />,
  failed: (props) => (
    <Callout tone="bad" title="This failed" action={<RetryButton {...props} />}>
      <p>{props.generation.error?.message ?? 'The service gave no reason.'}</p>
      <p className="mt-1">
        {releasedMessage(props.generation)}Your settings are still here.{' '}
        {props.generation.error?.retryable ? 'Trying again without changes may work.' : 'Change them and try again.'}
      </p>
    </Callout>
  ),
  canceled: (props) => (
    <CanceledCallout generation={props.generation} max_height={props.max_height} action={<RetryButton {...props} />}>
      Your settings are still here.
    </CanceledCallout>
  ),
  manual_review: ({ generation }) => (
    <Callout tone="amber" title="In review">
      {generation.error ? <p>{generation.error.message}</p> : null}
      <p>This needs a manual check. The amount stays reserved until then. You can follow it in Generations.</p>
    </Callout>
  ),
} satisfies Record<GenerationStatus, (props: GenerationRunResultProps) => ReactNode>;

function ActiveRun(props: GenerationRunResultProps & { label: string; progress: number | null }) {
  const { run, label, progress, max_height } = props;
  const action = <CancelButton generation={props.generation} />;
  const details = describeProviderStatus(props.generation.provider_status);
  return (
    <RunProgress
      run={run}
      label={label}
      progress={progress}
      details={details}
      max_height={max_height}
      action={action}
    />
  );
}
