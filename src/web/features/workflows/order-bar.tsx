import { ChevronDown, Play } from 'lucide-react';
import { useState } from 'react';
import { useTaskForm } from '#web/forms/form-context.ts';
import { usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { MINIMUM_CHARGE } from '#web/forms/money/price-lines.ts';
import { AvailableFunds } from '#web/budgets/available-funds.tsx';
import { EqualPriceHint } from '#web/forms/money/equal-price-hint.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatList } from '#web/ui/formats.ts';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { BudgetHint } from '#web/budgets/budget-hint.tsx';
import { useApprovalLimit } from '#web/budgets/use-approval-limit.ts';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import { EstimateBreakdown, formatStepRepeats } from './steps/estimate-breakdown.tsx';
import type { OrderState } from './order-form.tsx';
import { StartNotices, type StartNoticesProps } from './starter/start-problem.tsx';
import type { WorkflowQuote } from './starter/use-workflow-quote.ts';

interface OrderBarProps extends OrderState {
  quote: WorkflowQuote;
  action: string;
  unavailable?: boolean;
  isRequested: StartNoticesProps['isRequested'];
}

export function OrderBar({ quote, action, unavailable, busy, failure, onAsked, isRequested }: OrderBarProps) {
  const { form, uploads, signedIn } = useTaskForm();
  const pendingUploads = usePendingUploadCount(uploads);
  const [open, setOpen] = useState(false);
  const waitingLabel =
    pendingUploads > 0 ? `Waiting for ${pendingUploads === 1 ? '1 upload' : `${pendingUploads} uploads`}` : null;
  const amounts = {
    amount_usd: quote.estimate?.minimum_usd ?? null,
    maximum_usd: quote.estimate?.maximum_usd ?? null,
  };
  const verb = useApprovalLimit(amounts) === null ? action : 'Ask for approval';
  return (
    <div
      data-order-bar=""
      className="sticky bottom-[var(--lift,0px)] z-10 -mx-4 -mb-6 border-t border-line bg-canvas px-4 pt-3 pb-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom)+var(--lift,0px))] md:-mx-2 md:px-2"
    >
      <div className="mb-3 flex flex-col gap-2 empty:hidden">
        <StartNotices
          failure={failure}
          minimum_usd={quote.estimate?.minimum_usd}
          isRequested={isRequested}
          onAsked={onAsked}
        />
      </div>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        busy={busy}
        className="w-full tabular-nums"
        aria-disabled={unavailable || pendingUploads > 0 || undefined}
        icon={<Play aria-hidden="true" className="size-4.5 fill-current" />}
      >
        {waitingLabel ?? (quote.label ? `${verb} · ${quote.label}` : verb)}
      </Button>
      <div className="mt-1.5 flex min-h-7 items-center gap-x-2 text-sm text-ink-3 tabular-nums">
        <p aria-live="polite" className="min-w-0 flex-1">
          {quote.message ?? (quote.isUpdating ? 'Checking the price…' : quote.estimate && formatSteps(quote))}
        </p>
        <Kbd keys="mod+enter" className="max-md:hidden" />
        {quote.estimate ? (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-ink-2 hover:text-ink pointer-coarse:h-11"
          >
            Price
            <ChevronDown aria-hidden="true" className={cx('size-3.5 transition-transform', open && 'rotate-180')} />
          </button>
        ) : null}
      </div>
      {quote.equalPrices ? (
        <div className="text-sm text-ink-3 tabular-nums">
          <EqualPriceHint form={form} {...quote.equalPrices} />
        </div>
      ) : null}
      {quote.estimate && signedIn ? (
        <div className="text-sm tabular-nums">
          <BudgetHint models={pricedModels(quote.estimate)} {...amounts} />
        </div>
      ) : null}
      {open && quote.estimate ? (
        <div
          className={cx(
            'mt-1 max-h-[50dvh] overflow-y-auto rounded-md border border-line bg-surface p-3 transition-opacity',
            quote.isUpdating && 'opacity-60',
          )}
        >
          <EstimateBreakdown estimate={quote.estimate} />
          <AvailableFunds />
        </div>
      ) : null}
    </div>
  );
}

/** Models that surely run, because their budgets limit the least that a run costs. */
const pricedModels = ({ steps }: WorkflowEstimate): string[] =>
  steps.length === 1 ? steps.flatMap(({ model, minimum_count }) => (model && minimum_count > 0 ? [model] : [])) : [];

function formatSteps({ estimate }: WorkflowQuote): string {
  const runningSteps = estimate?.steps.filter(({ maximum_count }) => maximum_count > 0) ?? [];
  const repeats = runningSteps.flatMap((step) => {
    const repeatLabel = formatStepRepeats(step);
    return repeatLabel === null ? [] : [`${step.name} ${repeatLabel.toLowerCase()}`];
  });
  const kept = estimate?.steps.filter((step) => step.kept).length ?? 0;
  const withMinimum = runningSteps.filter(({ line_items }) =>
    line_items.some(({ description }) => description === MINIMUM_CHARGE),
  );
  const minimum = withMinimum.length > 0 ? `. Minimum charge: ${formatList(withMinimum.map(({ name }) => name))}` : '';
  const steps = [
    `${runningSteps.length} ${runningSteps.length === 1 ? 'step' : 'steps'}`,
    ...repeats,
    ...(kept > 0 ? [`${kept} kept`] : []),
  ].join(', ');
  return `${steps}${minimum}`;
}
