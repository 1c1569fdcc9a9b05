import { formatMoney, parseUsd } from '#contract/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { Callout } from '#web/ui/callout.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { PAUSE_LABELS } from '../batch-labels.tsx';
import { BatchProgressBar, doneCount } from '../progress-bar.tsx';
import { useCanContinue } from './use-can-continue.ts';

/** Progress, money, and why a batch waits. */
export function BatchOverview({ batch }: { batch: Batch }) {
  const { counts, spent_usd, reserved_usd, estimated_usd, stop_at_usd, pause_reason } = batch;
  const reserved = parseUsd(reserved_usd);
  return (
    <section aria-label="Progress" className="flex flex-col gap-3">
      {pause_reason ? <PauseNotice reason={pause_reason} batch={batch} /> : null}
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 tabular-nums">
        <p aria-live="polite">
          <span className="font-semibold">{formatNumber(doneCount(counts))}</span>
          <span className="text-ink-2"> of {formatNumber(counts.total)} done</span>
        </p>
        <p className="text-sm text-ink-2">
          <span className="font-medium text-ink">{formatMoney(spent_usd)}</span> spent of about{' '}
          {formatMoney(estimated_usd)}
          {reserved > 0n ? ` · ${formatMoney(reserved_usd)} reserved` : ''}
          {stop_at_usd ? ` · stops at ${formatMoney(stop_at_usd)}` : ''}
        </p>
      </div>
      <BatchProgressBar counts={counts} className="h-2" />
    </section>
  );
}

function PauseNotice({ reason, batch }: { reason: NonNullable<Batch['pause_reason']>; batch: Batch }) {
  const { pause_message, created_by } = batch;
  const canContinue = useCanContinue(batch);
  const who = canContinue ? 'you resume' : `${created_by.person?.name ?? created_by.name} or an administrator resumes`;
  return (
    <Callout tone={reason === 'requested' ? 'info' : 'amber'} title={PAUSE_LABELS[reason]}>
      {pause_message}{' '}
      {pause_message && canContinue ? null : `No further order starts until ${who} the batch. Active orders continue.`}
    </Callout>
  );
}
