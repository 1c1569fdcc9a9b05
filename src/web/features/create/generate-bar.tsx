import { Link } from '@tanstack/react-router';
import { ChevronDown, Rows3, Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { CompareModelsButton } from './compare-models/compare-models-button.tsx';
import { VariationStepper } from './variations/variation-stepper.tsx';
import { priceLabel } from '#web/forms/price-lines.ts';
import { formatPriceFormula, scaleQuote } from './quote.ts';
import { EqualPriceHint } from '#web/forms/equal-price-hint.tsx';
import { usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { type LiveQuote, useQuote } from './use-quote.ts';
import { useTaskForm } from '#web/forms/form-context.ts';
import { SignInLink } from '#web/api/session/require-session.tsx';
import { hasVariations, useVariationCount } from './variations/variation-count.ts';
import { useApprovalLimit } from '#web/budgets/use-approval-limit.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useRootAttribute } from '#web/ui/use-root-attribute.ts';
import { PriceBreakdown } from './price-breakdown.tsx';
import { BudgetHint } from '#web/budgets/budget-hint.tsx';
import { createPortal } from 'react-dom';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const RequestCodeDialog = lazyComponent(
  async () => (await import('./request-code/request-code-dialog.tsx')).RequestCodeDialog,
);

interface GenerateBarProps {
  task: TaskId;
  model: ModelId | null;
  signedIn: boolean;
  unavailable_reason: string | null;
  problem: string | null;
  onSwitch: (model: ModelId) => void;
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
    <div className="sticky bottom-[var(--lift,0px)] z-10 -mx-4 mt-auto -mb-6 border-t lg:mb-0 border-line bg-canvas px-4 pt-3 pb-4 max-md:bottom-[calc(3.75rem+env(safe-area-inset-bottom)+var(--lift,0px))] md:-mx-2 md:px-2">
      {problem ? (
        <p role="alert" className="mb-2 text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {signedIn || unavailable_reason ? (
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
          <VariationStepper task={task} model={model} disabledReason={unavailable_reason} />
        </div>
      ) : null}
      <PriceSummary live={live} count={count} open={open} onToggle={() => setOpen(!open)}>
        <GenerateTools
          task={task}
          model={model}
          form={form}
          signedIn={signedIn}
          disabledReason={unavailable_reason ?? waitingLabel}
          onSwitch={onSwitch}
          onStarted={onStarted}
        />
      </PriceSummary>
      {signedIn ? (
        <div className="text-sm tabular-nums">
          <BudgetHint models={model === null ? [] : [model]} amount_usd={total?.amount_usd ?? null} />
        </div>
      ) : null}
      {open ? <PriceBreakdown live={live} count={count} signedIn={signedIn} /> : null}
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
            className="flex h-7 items-center gap-1 rounded-sm px-1.5 text-ink-2 hover:text-ink"
          >
            Price
            <ChevronDown aria-hidden="true" className={cx('size-3.5 transition-transform', open && 'rotate-180')} />
          </button>
        ) : null}
      </div>
      {equalPriceDurations ? (
        <EqualPriceHint form={form} {...equalPriceDurations} className={open ? undefined : 'max-md:hidden'} />
      ) : null}
    </div>
  );
}

interface GenerateToolsProps {
  task: TaskId;
  model: ModelId | null;
  form: InputForm;
  signedIn: boolean;
  /** Why nothing can be started; null if it can. */
  disabledReason: string | null;
  onSwitch: (model: ModelId) => void;
  onStarted: () => void;
}

/** What can be done with an order before it is placed. */
function GenerateTools({ model, ...props }: GenerateToolsProps) {
  return (
    <>
      {model !== null && modelsForTask(props.task).length > 1 ? <CompareModelsButton model={model} {...props} /> : null}
      <RequestCodeButton task={props.task} model={model} />
      <BatchLink task={props.task} model={model} />
    </>
  );
}

/** Opens a new batch with the form's task, model and values. */
function BatchLink({ task, model }: { task: TaskId; model: ModelId | null }) {
  if (!useCan('work.create')) return null;
  return (
    <Link
      to="/batches/new"
      search={model === null ? { task } : { task, model }}
      className="flex h-7 items-center rounded-sm px-1.5 whitespace-nowrap text-ink-2 hover:text-ink"
    >
      <Rows3 aria-hidden="true" className="size-4 md:hidden" />
      <span className="max-md:sr-only">Many at once…</span>
    </Link>
  );
}

function RequestCodeButton({ task, model }: { task: TaskId; model: ModelId | null }) {
  const { form, uploads } = useTaskForm();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex h-7 items-center rounded-sm px-1.5 text-ink-2 hover:text-ink"
      >
        Code
      </button>
      {open
        ? // Inside the form, a press in the dialog would reach the form's handlers.
          createPortal(
            <RequestCodeDialog
              task={task}
              model={model}
              form={form}
              pendingUploads={uploads.pendingCount()}
              onClose={() => setOpen(false)}
            />,
            document.body,
          )
        : null}
    </>
  );
}
