import { ChevronsUpDown } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { catalogName } from '#web/api/known-models.ts';
import { findProviderModel, formatMaker, modelName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import { formatInputLimits } from '#web/forms/values/format-input-limits.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { ModelIcon } from '#web/forms/models/model-icon.tsx';
import { supportedContract } from '#web/forms/models/supported-contract.ts';
import { type CatalogAvailability, findTaskEngine, enabledModels } from '#web/features/create/create-selection.ts';
import { modelUnitPrice } from '#web/features/create/price/unit-price.ts';
import { usePrices } from '#web/features/create/price/use-prices.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const ModelGallery = lazyComponent(async () => (await import('./model-gallery.tsx')).ModelGallery);

interface ModelPickerProps {
  task: TaskId;
  model: AnyModelId;
  catalog: CatalogAvailability;
  form: InputForm;
  onSwitch: (to: AnyModelId) => void;
}

export function ModelPicker({ task, model, catalog, form, onSwitch }: ModelPickerProps) {
  const models = enabledModels(task, catalog);
  const choices = models.includes(model) ? models : [model, ...models];
  const boxClass =
    'flex w-full items-center gap-3 rounded-md border border-line-strong bg-surface px-3 py-2.5 text-left';
  const summary = <ModelSummary task={task} model={model} catalog={catalog} />;
  if (choices.length === 1) return <div className={boxClass}>{summary}</div>;
  return (
    <Popover
      aria-label="Models"
      className="w-[min(52rem,calc(100vw-2rem))] p-1.5"
      renderTrigger={(props) => (
        <button type="button" {...props} className={cx(boxClass, 'transition-colors hover:border-edge')}>
          <span className="sr-only">Model: </span>
          {summary}
          <ChevronsUpDown aria-hidden="true" className="size-4 flex-none text-ink-3" />
        </button>
      )}
    >
      {(close) => (
        <ModelGallery
          task={task}
          model={model}
          choices={choices}
          catalog={catalog}
          form={form}
          fallback={<Skeleton className="h-96 rounded-md" />}
          onChoose={(id) => {
            if (id !== model) onSwitch(id);
            close();
          }}
        />
      )}
    </Popover>
  );
}

function ModelSummary({ task, model, catalog }: Pick<ModelPickerProps, 'task' | 'model' | 'catalog'>) {
  const contract = effectiveContract(task, model, catalog.models);
  const accepted = contract && supportedContract(contract);
  const preview = findTaskEngine(task, model, catalog) === 'preview';
  const provided = preview ? undefined : findProviderModel(model, catalog.models);
  const limits = accepted ? formatInputLimits(accepted).join(' · ') : null;
  const prices = usePrices();
  const { price, minimum } = modelUnitPrice(prices, task, model);
  return (
    <>
      {accepted ? <ModelIcon contract={accepted} media={TASKS[task].media_type} className="size-10" /> : null}
      <span className="grid min-w-0 flex-1 gap-x-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <span className="flex flex-wrap items-center gap-x-2">
          <bdi className="font-medium">{modelName(model, catalog.models)}</bdi>
          {preview ? <Badge hint={ENGINE_LABELS.preview.description}>{ENGINE_LABELS.preview.label}</Badge> : null}
        </span>
        <span className="text-sm text-ink-2 tabular-nums sm:text-right">
          {/* The space keeps the line, so that nothing below moves when the prices load. */}
          {price || '\u00a0'}
          {minimum ? <span className="text-ink-3 sm:hidden">, {minimum}</span> : null}
        </span>
        <span className={cx('text-sm text-ink-3', !minimum && 'col-span-full')}>
          {provided ? `${formatMaker(provided)} · ${catalogName(model)}` : limits}
        </span>
        {minimum ? <span className="text-right text-sm text-ink-3 tabular-nums max-sm:hidden">{minimum}</span> : null}
        {provided ? <span className="col-span-full text-sm text-ink-3">{limits}</span> : null}
      </span>
    </>
  );
}
