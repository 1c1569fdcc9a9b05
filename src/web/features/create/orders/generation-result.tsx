import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import { formatMoney, formatUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isPreviewResult } from '#web/forms/models/engine-labels.ts';
import { netCost } from '#web/forms/money/net-cost.ts';
import { ActionsPlaceholder, type GroupedResultProps, ResultHeader, resultLayout } from './result-header.tsx';
import { startRetry } from './pending-orders.ts';
import { OrderProgress } from './order-progress.tsx';
import { CanceledCallout } from '#web/upstream/canceled-callout.tsx';
import { describeProviderStatus } from '#web/upstream/describe-provider-status.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { Download, PenLine, RotateCcw, Square } from 'lucide-react';
import { useCancelGeneration } from '#web/api/queries/generations.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { downloadHref } from '#web/media/outputs/download-link.tsx';
import { ContinueChips } from '#web/media/outputs/continue-chips.tsx';
import { createPageLink } from '#web/api/create-page-link.ts';
import { CopyShareLinkButton } from '#web/forms/shares/copy-share-link-button.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { KeepControls, ResultControls } from './result-controls.tsx';

interface GenerationResultProps extends GroupedResultProps {
  generation: Generation;
}

export function GenerationResult(props: GenerationResultProps) {
  const { generation, maxHeight, name, isVariation = false, onKeepOnly } = props;
  const { status, task, model, input, usage } = generation;
  const sideBySide = maxHeight !== undefined;
  // The placeholder shows the progress, and side by side the result itself shows that it is complete.
  const hasBadge = !isActive(status) && !(sideBySide && status === 'succeeded');
  return (
    <div className={resultLayout(sideBySide)}>
      {isVariation && !hasBadge ? null : (
        <ResultHeader
          task={task}
          model={model}
          input={input}
          output={generation.output}
          sideBySide={sideBySide}
          preview={isPreviewResult(generation)}
        >
          {hasBadge ? <StatusBadge status={status} /> : null}
          <span className="ml-auto flex flex-none items-center gap-3 text-sm text-ink-3 tabular-nums">
            {sideBySide && usage.billing_status === 'reserved' ? formatMoney(usage.amount_usd) : formatCost(usage)}
            {sideBySide ? null : (
              <Link
                to="/generations/$id"
                params={{ id: generation.id }}
                className="text-ink-2 underline-offset-2 hover:underline"
              >
                Details
              </Link>
            )}
          </span>
        </ResultHeader>
      )}
      {resultViews[status](props)}
      {isActive(status) ? (
        <ActionsPlaceholder sideBySide={sideBySide} />
      ) : sideBySide ? (
        <span className="flex min-h-7 flex-wrap items-center justify-end gap-0.5 max-sm:justify-between">
          {name ? <KeepControls generation={generation} name={name} onKeepOnly={onKeepOnly} /> : null}
          <ResultControls generations={[generation]} {...(name ? { name } : {})} />
        </span>
      ) : (
        <ResultActions generation={generation} />
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

function formatCost(usage: Generation['usage']): string {
  const { amount_usd, billing_status } = usage;
  if (Number(amount_usd) === 0) return 'Free';
  return billingLabels[billing_status](
    formatMoney(billing_status === 'settled' ? formatUsd(netCost(usage)) : amount_usd),
  );
}

const releasedMessage = ({ usage }: Generation) => (usage.billing_status === 'released' ? 'Nothing was charged. ' : '');

const resultViews = {
  queued: (props) => <ActiveResult {...props} label="In the queue" progress={null} />,
  running: (props) => <ActiveResult {...props} label="Generating…" progress={props.generation.progress} />,
  succeeded: ({ generation, maxHeight }) => <GenerationOutputs generation={generation} maxHeight={maxHeight} />,
  failed: (props) => (
    <Callout tone="bad" title="This failed" action={<RetryButton generation={props.generation} />}>
      <p>{props.generation.error?.message ?? 'The service gave no reason.'}</p>
      <p className="mt-1">
        {releasedMessage(props.generation)}Your settings are still here.{' '}
        {props.generation.error?.retryable ? 'Trying again without changes may work.' : 'Change them and try again.'}
      </p>
    </Callout>
  ),
  canceled: (props) => (
    <CanceledCallout
      generation={props.generation}
      maxHeight={props.maxHeight}
      action={<RetryButton generation={props.generation} />}
    >
      Your settings are still here.
    </CanceledCallout>
  ),
  manual_review: ({ generation }) => (
    <Callout tone="amber" title="In review">
      {generation.error ? <p>{generation.error.message}</p> : null}
      <p>This needs a manual check. The amount stays reserved until then. You can follow it in Generations.</p>
    </Callout>
  ),
} satisfies Record<GenerationStatus, (props: GenerationResultProps) => ReactNode>;

function ActiveResult(props: GenerationResultProps & { label: string; progress: number | null }) {
  const { generation, label, progress, maxHeight, isVariation, isUnreachable } = props;
  const action = isVariation ? undefined : <CancelButton generation={generation} />;
  const details = describeProviderStatus(generation.provider_status);
  return (
    <OrderProgress
      item={generation}
      label={label}
      progress={progress}
      details={details}
      isUnreachable={isUnreachable}
      maxHeight={maxHeight}
      action={action}
    />
  );
}

function CancelButton({ generation }: { generation: Generation }) {
  const cancel = useCancelGeneration();
  return (
    <Button
      size="sm"
      busy={cancel.isPending}
      icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
      onClick={() =>
        cancel.mutate(generation.id, {
          onError: toastError('Could not cancel'),
        })
      }
    >
      Cancel
    </Button>
  );
}

function RetryButton({ generation }: { generation: Generation }) {
  const client = useQueryClient();
  return (
    <Button
      size="sm"
      icon={<RotateCcw aria-hidden="true" className="size-3.5" />}
      onClick={() => startRetry(client, generation)}
    >
      Try again
    </Button>
  );
}

function ResultActions({ generation }: { generation: Generation }) {
  const { id, task, model, output } = generation;
  const files = output.assets.filter(({ removed_at }) => !removed_at);
  const file = output.assets.length === 1 ? files[0] : undefined;
  return (
    <div className="flex flex-col gap-2.5">
      {file ? <ContinueChips generationId={id} type={file.type} which={{ asset: 0, mediaId: file.id }} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {file ? (
          <a href={downloadHref(file.url)} download className={buttonClass()}>
            <Download aria-hidden="true" className="size-4" />
            Download
          </a>
        ) : null}
        <Link {...createPageLink(task, model)} search={{ from: id }} className={buttonClass()}>
          <PenLine aria-hidden="true" className="size-4" />
          Reuse settings
        </Link>
        {files.length > 0 ? <ShareButton mediaIds={files.map((each) => each.id)} /> : null}
        {file ? <CopyShareLinkButton mediaId={file.id} /> : null}
      </div>
    </div>
  );
}
