import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { BudgetHint } from '#web/budgets/budget-hint.tsx';
import { useApprovalLimit } from '#web/budgets/use-approval-limit.ts';
import { EqualPriceHint } from '#web/forms/money/equal-price-hint.tsx';
import { useTaskForm } from '#web/forms/form-context.ts';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import { usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useRootAttribute } from '#web/ui/hooks/use-root-attribute.ts';
import { taskVerb } from './create-selection.ts';
import { formatPriceFormula, scaleQuote } from './price/quote.ts';
import { useQuote } from './price/use-quote.ts';
import { hasVariations, useVariationCount } from './variations/variation-count.ts';
import { VariationStepper } from './variations/variation-stepper.tsx';

const MoreMenu = lazyComponent(async () => (await import('./more-menu.tsx')).MoreMenu);
const PriceBreakdown = lazyComponent(async () => (await import('./price/price-breakdown.tsx')).PriceBreakdown);

interface GenerateBarProps {
  task: TaskId;
  model: AnyModelId | null;
  signedIn: boolean;
  unavailable_reason: string | null;
  problem: string | null;
  onSwitch: (model: AnyModelId) => void;
  onStarted: () => void;
}

export function GenerateBar({
  task,
  model,
  signedIn,
  unavailable_reason,
  problem,
  onSwitch,
  onStarted,
}: GenerateBarProps) {
  const { form, uploads } = useTaskForm();
  const live = useQuote(task, model, form);
  const { quote, blockedReason, equalPriceDurations } = live;
  const pendingUploads = usePendingUploadCount(uploads);
  const [open, setOpen] = useState(false);
  useRootAttribute('orderBar', open ? 'tall' : 'low');
  const count = useVariationCount(task, model);
  const total = quote && scaleQuote(quote, count);
  const price = total ? priceLabel(total) : null;
  const isFree = quote !== null && Number(quote.amount_usd) === 0;
  const needsApproval = useApprovalLimit({ amount_usd: total?.amount_usd ?? null }) !== null;
  const action = taskVerb(task, model);
  const verb = needsApproval ? 'Ask for approval' : count > 1 ? `${action} ${count}` : action;
  const waitingLabel =
    pendingUploads > 0 ? `Waiting for ${pendingUploads === 1 ? '1 upload' : `${pendingUploads} uploads`}` : null;
  return (
    <div className="sticky bottom-[var(--lift,0px)] z-10 -mx-4 mt-auto -mb-6 flex flex-col gap-2 border-t border-line bg-canvas px-4 py-3 text-sm text-ink-3 tabular-nums max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom)+var(--lift,0px))] md:-mx-2 md:px-2 lg:mb-0 lg:pb-4">
      {problem ? (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
        {signedIn || unavailable_reason ? (
          <Button
            type="submit"
            variant="primary"
            size="lg"
            aria-disabled={unavailable_reason !== null || pendingUploads > 0 || undefined}
            icon={<Sparkles aria-hidden="true" className="size-4.5" />}
          >
            {waitingLabel ?? (price ? `${verb} · ${price}` : verb)}
          </Button>
        ) : (
          <SignInLink className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Sign in to {action.toLowerCase()}
            {price ? ` · ${price}` : ''}
          </SignInLink>
        )}
        <MoreMenu
          task={task}
          model={model}
          signedIn={signedIn}
          disabledReason={unavailable_reason ?? waitingLabel}
          priceOpen={open}
          onTogglePrice={quote && !isFree ? () => setOpen(!open) : null}
          onSwitch={onSwitch}
          onStarted={onStarted}
          fallback={<span className="size-11" />}
        />
      </div>
      <div className="flex min-h-8 items-center gap-3">
        {model !== null && hasVariations(task, model) ? (
          <VariationStepper task={task} model={model} disabledReason={unavailable_reason} />
        ) : null}
        <p aria-live="polite" className="min-w-0 flex-1">
          {quote ? (isFree ? null : `${count > 1 ? `${count} × ` : ''}${formatPriceFormula(quote)}`) : blockedReason}
        </p>
        <Kbd keys="mod+enter" className="max-md:hidden" />
      </div>
      {equalPriceDurations ? (
        <EqualPriceHint form={form} {...equalPriceDurations} className={open ? undefined : 'max-md:hidden'} />
      ) : null}
      {signedIn ? <BudgetHint models={model === null ? [] : [model]} amount_usd={total?.amount_usd ?? null} /> : null}
      {open ? <PriceBreakdown live={live} count={count} signedIn={signedIn} fallback={null} /> : null}
    </div>
  );
}
