import { ChevronDown, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { modelsForTask } from '#contract/catalog.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { CompareModelsButton } from './compare-models/compare-models-button.tsx';
import { formatPriceFormula } from './quote.ts';
import { usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { type LiveQuote, useQuote } from './use-quote.ts';
import { useTaskForm, useFormValue } from '#web/forms/form-context.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useRootAttribute } from '#web/ui/use-root-attribute.ts';

const PriceBreakdown = lazyComponent(async () => (await import('./price-breakdown.tsx')).PriceBreakdown);

const RequestActions = lazyComponent(
  async () => (await import('./request-actions.tsx')).RequestActions,
  () => null,
);

const BudgetHint = lazyComponent(
  async () => (await import('#web/budgets/budget-hint.tsx')).BudgetHint,
  () => null,
);

interface GenerateBarProps {
  task: TaskId;
  model: ModelId | null;
  signed_in: boolean;
  unavailable_reason: string | null;
  problem: string | null;
  onSwitch: (model: ModelId) => void;
  onStarted: () => void;
}

export function GenerateBar({
  task,
  model,
  signed_in,
  unavailable_reason,
  problem,
  onSwitch,
  onStarted,
}: GenerateBarProps) {
  const { form, uploads } = useTaskForm();
  const live = useQuote(task, model, form);
  const pendingUploads = usePendingUploadCount(uploads);
  const [open, setOpen] = useState(false);
  useRootAttribute('orderBar', open ? 'tall' : 'low');
  const price = live.quote ? priceLabel(live.quote) : null;
  const verb = model === null ? 'Run' : 'Generate';
  const waitingLabel =
    pendingUploads > 0 ? `Waiting for ${pendingUploads === 1 ? '1 upload' : `${pendingUploads} uploads`}` : null;
  const label = price ? `${verb} · ${price}` : verb;
  return (
    <div className="sticky bottom-[var(--lift,0px)] z-10 -mx-4 -mb-6 border-t border-line bg-canvas px-4 pt-3 pb-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom)+var(--lift,0px))] md:-mx-2 md:px-2">
      {problem ? (
        <p role="alert" className="mb-2 text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {signed_in || unavailable_reason ? (
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="w-full tabular-nums"
          aria-disabled={unavailable_reason !== null || pendingUploads > 0 || undefined}
          icon={<Sparkles aria-hidden="true" className="size-4.5" />}
        >
          {waitingLabel ?? label}
        </Button>
      ) : (
        <SignInLink className={cx(buttonClass({ variant: 'primary', size: 'lg' }), 'w-full tabular-nums')}>
          Sign in to generate{price ? ` · ${price}` : ''}
        </SignInLink>
      )}
      <PriceSummary live={live} open={open} onToggle={() => setOpen(!open)}>
        {model !== null && modelsForTask(task).length > 1 ? (
          <CompareModelsButton
            task={task}
            model={model}
            form={form}
            signed_in={signed_in}
            disabledReason={unavailable_reason ?? waitingLabel}
            onSwitch={onSwitch}
            onStarted={onStarted}
          />
        ) : null}
        <RequestActions task={task} model={model} />
      </PriceSummary>
      {signed_in ? (
        <div className="text-sm tabular-nums">
          <BudgetHint
            models={model === null ? [] : [model]}
            amount_usd={live.quote?.amount_usd ?? null}
            fallback={null}
          />
        </div>
      ) : null}
      {open ? (
        <PriceBreakdown live={live} signed_in={signed_in} fallback={<Skeleton className="mt-1 h-24 rounded-md" />} />
      ) : null}
    </div>
  );
}

interface PriceSummaryProps {
  live: LiveQuote;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function PriceSummary({ live, open, onToggle, children }: PriceSummaryProps) {
  const { form } = useTaskForm();
  const { quote, blockedReason, equalPriceDurations } = live;
  const selectedDuration = useFormValue((values) => equalPriceDurations && values[equalPriceDurations.field]);
  const free = quote !== null && Number(quote.amount_usd) === 0;
  return (
    <div className="mt-1.5 text-sm text-ink-3 tabular-nums">
      <div className="flex min-h-7 items-center gap-x-2">
        <p aria-live="polite" className="min-w-0 flex-1">
          {quote ? (free ? null : formatPriceFormula(quote)) : blockedReason}
        </p>
        <Kbd keys="mod+enter" className="max-md:hidden" />
        {children}
        {quote && !free ? (
          <button
            type="button"
            aria-expanded={open}
            onClick={onToggle}
            onPointerEnter={PriceBreakdown.preload}
            onFocus={PriceBreakdown.preload}
            className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-ink-2 hover:text-ink"
          >
            Price
            <ChevronDown aria-hidden="true" className={cx('size-3.5 transition-transform', open && 'rotate-180')} />
          </button>
        ) : null}
      </div>
      {equalPriceDurations ? (
        <div className={cx('flex min-h-7 flex-wrap items-center gap-x-2', !open && 'max-md:hidden')}>
          <p>{equalPriceDurations.message}</p>
          {selectedDuration === equalPriceDurations.longest ? null : (
            <button
              type="button"
              onClick={() => form.setValue(equalPriceDurations.field, equalPriceDurations.longest)}
              className="rounded-sm font-medium text-amber-text underline-offset-2 hover:underline"
            >
              Use {equalPriceDurations.longest_label}
            </button>
          )}
        </div>
      ) : null}
    </div>
  );
}
