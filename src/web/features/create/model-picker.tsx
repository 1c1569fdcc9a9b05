import { Link } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { findPrice, type Price } from '#contract/pricing.ts';
import { ENGINE_LABELS } from '#web/forms/engine-labels.ts';
import { formatInputLimits } from '#web/forms/format-input-limits.ts';
import { ModelIcon } from '#web/forms/model-icon.tsx';
import { type CatalogAvailability, findTaskEngine, enabledModels } from './create-selection.ts';
import { usePrices } from './use-prices.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { formatUsd } from '#contract/money.ts';
import { isPricedByMinimum, PER_UNIT_LABELS } from '#web/forms/price-lines.ts';
import { formatMoney } from '#web/ui/money.tsx';

const HighlightLine = lazyComponent(
  async () => (await import('./highlight-line.tsx')).HighlightLine,
  () => null,
);

interface ModelPickerProps {
  task: TaskId;
  model: ModelId;
  catalog: CatalogAvailability;
  onSwitch: (to: ModelId) => void;
}

export function ModelPicker({ task, model, catalog, onSwitch }: ModelPickerProps) {
  const models = enabledModels(task, catalog);
  const choices = models.includes(model) ? models : [model, ...models];
  const boxClass =
    'flex w-full items-center gap-3 rounded-md border border-line-strong bg-surface px-3 py-2.5 text-left';
  if (choices.length === 1)
    return (
      <div className={boxClass}>
        <ModelSummary task={task} model={model} catalog={catalog} />
      </div>
    );
  return (
    <Popover
      kind="dialog"
      aria-label="Models"
      className="w-[min(36rem,calc(100vw-2rem))] p-1"
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          onPointerEnter={HighlightLine.preload}
          onFocus={HighlightLine.preload}
          className={cx(boxClass, 'transition-colors hover:border-edge')}
        >
          <span className="sr-only">Model: </span>
          <ModelSummary task={task} model={model} catalog={catalog} />
          <ChevronsUpDown aria-hidden="true" className="size-4 flex-none text-ink-3" />
        </button>
      )}
    >
      {(close) => (
        <ul>
          {choices.map((id) => (
            <li key={id}>
              <Link
                {...createPageLink(task, id)}
                aria-current={id === model ? 'true' : undefined}
                onClick={() => {
                  if (id !== model) onSwitch(id);
                  close();
                }}
                className="flex items-center gap-3 rounded-sm px-2.5 py-2 hover:bg-hover focus-visible:bg-hover"
              >
                <ModelSummary task={task} model={id} catalog={catalog}>
                  <HighlightLine task={task} model={id} choices={choices} fallback={'\u00a0'} />
                </ModelSummary>
                <Check
                  aria-hidden="true"
                  className={cx('size-4 flex-none text-amber-text', id !== model && 'invisible')}
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  );
}

interface ModelSummaryProps {
  task: TaskId;
  model: ModelId;
  catalog: CatalogAvailability;
  children?: ReactNode;
}

function ModelSummary({ task, model, catalog, children }: ModelSummaryProps) {
  const contract = inputContract(task, model);
  const preview = findTaskEngine(task, model, catalog) === 'preview';
  const prices = usePrices();
  const { price, minimum } = formatUnitPrice(prices ? findPrice(prices, task, model) : undefined);
  return (
    <>
      {contract ? <ModelIcon contract={contract} media={TASKS[task].media_type} className="size-10" /> : null}
      <span className="grid min-w-0 flex-1 gap-x-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{MODEL_NAMES[model]}</span>
          {preview ? <Badge>{ENGINE_LABELS.preview.label}</Badge> : null}
        </span>
        <span className="text-sm text-ink-2 tabular-nums sm:text-right">
          {/* The space keeps the line, so that nothing below moves when the prices load. */}
          {price || '\u00a0'}
          {minimum ? <span className={cx('text-ink-3', !children && 'sm:hidden')}>, {minimum}</span> : null}
        </span>
        {children ? <span className="col-span-full text-sm text-ink-2">{children}</span> : null}
        <span className={cx('text-sm text-ink-3', children || !minimum ? 'col-span-full' : null)}>
          {contract ? formatInputLimits(contract).join(' · ') : null}
        </span>
        {minimum && !children ? (
          <span className="text-right text-sm text-ink-3 tabular-nums max-sm:hidden">{minimum}</span>
        ) : null}
      </span>
    </>
  );
}

/** "$0.0575 per second" with minimum "at least $0.345"; "Free"; empty while the price is unknown. */
export function formatUnitPrice(price: Price | undefined): { price: string; minimum: string | null } {
  if (!price) return { price: '', minimum: null };
  const { unit, unit_price_micro_usd, minimum_micro_usd, multipliers } = price;
  const money = (micro_usd: bigint) => formatMoney(formatUsd(micro_usd));
  if (unit_price_micro_usd === 0n && minimum_micro_usd === 0n) return { price: 'Free', minimum: null };
  const varies = multipliers ? ', varies' : '';
  const has_minimum = minimum_micro_usd > unit_price_micro_usd;
  if (has_minimum && isPricedByMinimum(price))
    return { price: `${money(minimum_micro_usd)} ${PER_UNIT_LABELS[unit]}`, minimum: null };
  return {
    price: `${money(unit_price_micro_usd)} ${PER_UNIT_LABELS[unit]}${varies}`,
    minimum: has_minimum ? `at least ${money(minimum_micro_usd)}` : null,
  };
}
