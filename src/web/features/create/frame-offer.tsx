import { ArrowLeftRight, ChevronDown, ImagePlus } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { modelName } from '#web/api/model-names.ts';
import { modelsWithSlot } from '#web/api/model-slots.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { loadedValidator, onValidatorLoad } from '#web/forms/validator.ts';
import { cx } from '#web/ui/cx.ts';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import type { CatalogAvailability } from './create-selection.ts';
import { formPrice } from './form-price.ts';
import { usePrices } from './use-prices.ts';

interface FrameOfferProps {
  task: TaskId;
  model: AnyModelId;
  catalog: CatalogAvailability;
  form: InputForm;
  onSwitch: (model: AnyModelId) => void;
}

const tileClass =
  'flex h-14 min-w-0 flex-1 items-center justify-center gap-2 rounded-md border border-dashed border-line-strong px-2 text-sm';

/** Frames on a model without them: tiles that offer the models with frames. */
export function FrameOffer({ task, model, catalog, form, onSwitch }: FrameOfferProps) {
  const models = modelsWithSlot({ task, field: 'first_frame' }, catalog);
  if (models.length === 0) return null;
  return (
    <Menu
      label="Models that take a start and an end frame"
      align="start"
      renderTrigger={(props) => (
        <button type="button" {...props} className="group flex w-full flex-col gap-1.5 text-left">
          <span className="text-sm font-medium">
            Frames <span className="font-normal text-ink-3">Not on {modelName(model, catalog.models)}</span>
          </span>
          <span className="flex items-center gap-1.5">
            <FrameLabel>Start frame</FrameLabel>
            <ArrowLeftRight aria-hidden="true" className="size-4 flex-none text-ink-3" />
            <FrameLabel>End frame</FrameLabel>
          </span>
          <span className="flex items-center gap-1 text-sm text-ink-2 group-hover:text-ink">
            Choose a model that takes frames
            <ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />
          </span>
        </button>
      )}
    >
      <Offers models={models} task={task} catalog={catalog} form={form} onSwitch={onSwitch} />
    </Menu>
  );
}

const FrameLabel = ({ children }: { children: string }) => (
  <span className={cx(tileClass, 'text-ink-3 group-hover:border-edge')}>
    <ImagePlus aria-hidden="true" className="size-4.5 flex-none stroke-[1.5]" />
    <span className="truncate">{children}</span>
  </span>
);

function Offers({
  models,
  task,
  catalog,
  form,
  onSwitch,
}: Omit<FrameOfferProps, 'model'> & { models: readonly AnyModelId[] }) {
  const prices = usePrices();
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  return models.map((id) => (
    <MenuItem
      key={id}
      aside={
        <span className="pl-4 text-xs text-ink-3 tabular-nums">
          {formPrice(prices, task, id, catalog, form, validate)}
        </span>
      }
      onSelect={() => onSwitch(id)}
    >
      {modelName(id, catalog.models)}
    </MenuItem>
  ));
}
