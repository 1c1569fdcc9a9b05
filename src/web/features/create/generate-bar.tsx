import { ChevronDown, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { priceLabel } from '#web/forms/price-lines.ts';
import { formatPriceFormula, scaleQuote } from './quote.ts';
import { usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { type LiveQuote, useQuote } from './use-quote.ts';
import { useTaskForm } from '#web/forms/form-context.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { hasVariations, useVariationCount } from './variations/variation-count.ts';
import { useApprovalLimit } from '#web/budgets/use-approval-limit.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useRootAttribute } from '#web/ui/use-root-attribute.ts';

const PriceBreakdown = lazyComponent(async () => (await import('./price-breakdown.tsx')).PriceBreakdown);

const loadTools = () => import('./generate-tools.tsx');
const nothing = () => null;
const GenerateTools = lazyComponent(async () => (await loadTools()).GenerateTools, nothing);
const EqualPriceHint = lazyComponent(async () => (await loadTools()).EqualPriceHint, nothing);
const VariationStepper = lazyComponent(async () => (await loadTools()).VariationStepper, nothing);

const BudgetHint = lazyComponent(async () => (await import('#web/budgets/budget-hint.tsx')).BudgetHint, nothing);

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
  const count = useVariationCount(task, model);
  const total = live.quote && scaleQuote(live.quote, count);
  const price = total ? priceLabel(total) : null;
  const needsApproval = useApprovalLimit({ amount_usd: total?.amount_usd ?? null }) !== null;
  const action = model === null ? 'Run' : count > 1 ? `Generate ${count}` : 'Generate';
  const verb = needsApproval ? 'Ask for approval' : action;
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
      {model !== null && hasVariations(task, model) ? (
        <div className="mt-2 h-8">
          <VariationStepper task={task} model={model} disabledReason={unavailable_reason} fallback={null} />
        </div>
      ) : null}
      <PriceSummary live={live} count={count} open={open} onToggle={() => setOpen(!open)}>
        <GenerateTools
          task={task}
          model={model}
          form={form}
          signed_in={signed_in}
          disabledReason={unavailable_reason ?? waitingLabel}
          onSwitch={onSwitch}
          onStarted={onStarted}
          fallback={null}
        />
      </PriceSummary>
      {signed_in ? (
        <div className="text-sm tabular-nums">
          <BudgetHint models={model === null ? [] : [model]} amount_usd={total?.amount_usd ?? null} fallback={null} />
        </div>
      ) : null}
      {open ? (
        <PriceBreakdown
          live={live}
          count={count}
          signed_in={signed_in}
          fallback={<Skeleton className="mt-1 h-24 rounded-md" />}
        />
      ) : null}
    </div>
  );
}

interface PriceSummaryProps {
  live: LiveQuote;
  count: number;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function PriceSummary({ live, count, open, onToggle, children }: PriceSummaryProps) {
  const { form } = useTaskForm();
  const { quote, blockedReason, equalPriceDurations } = live;
  const free = quote !== null && Number(quote.amount_usd) === 0;
  return (
    <div className="mt-1.5 text-sm text-ink-3 tabular-nums">
      <div className="flex min-h-7 items-center gap-x-2">
        <p aria-live="polite" className="min-w-0 flex-1">
          {quote ? (free ? null : `${count > 1 ? `${count} × ` : ''}${formatPriceFormula(quote)}`) : blockedReason}
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
        <EqualPriceHint
          form={form}
          {...equalPriceDurations}
          className={cx('min-h-7', !open && 'max-md:hidden')}
          fallback={<p className="min-h-7" />}
        />
      ) : null}
    </div>
  );
}
