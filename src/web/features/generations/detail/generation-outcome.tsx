import { CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { Progress, Spinner } from '#web/ui/display/progress.tsx';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Link } from '@tanstack/react-router';
import { CanceledCallout } from '#web/upstream/canceled-callout.tsx';
import { describeProviderStatus } from '#web/upstream/describe-provider-status.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';

export function GenerationOutcome({ generation }: { generation: Generation }) {
  const render = outcomeViews[generation.status];
  return render(generation);
}

const outcomeViews = {
  queued: ({ provider_status }) => (
    <ProgressLine
      icon={<CircleDashed aria-hidden="true" className="size-6 stroke-[1.5]" />}
      label="In the queue"
      details={describeProviderStatus(provider_status)}
    />
  ),
  running: ({ progress, provider_status }) => (
    <ProgressLine
      icon={<Spinner className="size-6" />}
      label="Generating…"
      progress={progress}
      details={describeProviderStatus(provider_status)}
    />
  ),
  succeeded: (generation) => <GenerationOutputs generation={generation} />,
  failed: ({ error, usage }) => (
    <Callout tone="bad" title="Generation failed">
      <p>{error?.message ?? STATUS_DESCRIPTIONS.failed}</p>
      <p className="mt-1">
        {usage.billing_status === 'released' ? 'Nothing was charged. ' : ''}
        Your settings are saved. {error?.retryable ? 'Try again: it may work.' : 'Change them and run again.'}
      </p>
    </Callout>
  ),
  canceled: (generation) => <CanceledCallout generation={generation}>Your settings are saved.</CanceledCallout>,
  manual_review: (generation) => <ReviewCallout generation={generation} />,
} satisfies Record<GenerationStatus, (generation: Generation) => ReactNode>;

interface ProgressLineProps {
  icon: ReactNode;
  label: string;
  progress?: number | null;
  /** Short lines from the provider. */
  details: readonly string[];
}

function ProgressLine({ icon, label, progress, details }: ProgressLineProps) {
  const percent = typeof progress === 'number' ? `${Math.floor(progress * 100)}%` : '';
  return (
    <div className="frame-marks flex min-h-56 flex-col items-center justify-center gap-3 px-6 text-ink-3">
      {icon}
      <output className="text-sm font-medium text-ink-2 tabular-nums">
        {label} {percent}
      </output>
      {progress === undefined ? null : <Progress value={progress} label={label} className="max-w-64" />}
      {details.map((line) => (
        <p key={line} className="line-clamp-2 max-w-80 text-center text-xs wrap-anywhere text-ink-2">
          {line}
        </p>
      ))}
    </div>
  );
}

function ReviewCallout({ generation: { id, error, usage } }: { generation: Generation }) {
  const canDecide = useCan('reviews.decide');
  return (
    <Callout
      tone="amber"
      title="Needs review"
      action={
        canDecide ? (
          <Link to="/review/$id" params={{ id }} className={buttonClass({ size: 'sm', variant: 'primary' })}>
            Review
          </Link>
        ) : null
      }
    >
      <p>{error?.message ?? STATUS_DESCRIPTIONS.manual_review}</p>
      <p className="mt-1">
        {Number(usage.amount_usd) > 0 ? `${formatMoney(usage.amount_usd)} is reserved, not charged. ` : ''}
        {canDecide
          ? 'Approve to charge it, or reject to release it.'
          : 'You don’t need to do anything. The decision appears here.'}
      </p>
    </Callout>
  );
}

const STATUS_DESCRIPTIONS = {
  queued: 'In the queue. Starts automatically.',
  running: 'Running now.',
  succeeded: 'Finished.',
  failed: 'This generation failed.',
  canceled: 'Canceled before it finished.',
  manual_review: 'An administrator has to approve the result. The money stays reserved until then.',
} satisfies Record<GenerationStatus, string>;
