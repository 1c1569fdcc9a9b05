import { useQuery } from '@tanstack/react-query';
import { type Control, Controller, useWatch } from 'react-hook-form';
import type { PresetModel, ProviderPreset } from '#contract/resources/provider-preset.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { providersQuery } from '#web/api/queries/providers.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { Money } from '#web/api/money.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { CAPABILITY_LABELS } from '#web/forms/models/capability-labels.ts';
import {
  countLosses,
  hasListPrice,
  modelKey,
  type ModelChoiceValues,
  type ProviderFormValues,
  typicalPrice,
} from './model-choice.ts';
import { describeOtherRunner } from './model-runners.ts';
import { ModelSettingField } from './model-setting-field.tsx';

interface ModelTableProps {
  preset: ProviderPreset;
  control: Control<ProviderFormValues>;
  error?: string | undefined;
  onSelect: (selected: ModelChoiceValues['selected']) => void;
  /** The connection that is changed. */
  connectedId?: string;
  /** Keys of models that keep their workflow unless another is pasted. */
  storedWorkflows?: ReadonlySet<string>;
}

const PRICING_OPTIONS = [
  { value: 'keep', label: 'Keep our prices' },
  { value: 'markup', label: 'Provider’s price plus' },
] as const;

/** Chooses models and their prices. Costs and margins are those of a request with default options. */
export function ModelTable({ preset, control, error, onSelect, connectedId, storedWorkflows }: ModelTableProps) {
  return (
    <div className="flex flex-col gap-5">
      {preset.models.some(hasListPrice) ? (
        <PricingFields control={control} />
      ) : (
        <p className="text-sm text-ink-2">
          Prices stay as they are. {preset.name} has no price per result, so no cost is counted.
        </p>
      )}
      <LossWarning preset={preset} control={control} />
      <div>
        {preset.models.length > 3 ? <SelectionBar preset={preset} control={control} onSelect={onSelect} /> : null}
        <ul
          aria-label="Models"
          className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
        >
          {preset.models.map((entry) => (
            <ModelRow
              key={modelKey(entry)}
              preset={preset}
              entry={entry}
              control={control}
              connectedId={connectedId}
              hasWorkflow={storedWorkflows?.has(modelKey(entry)) ?? false}
            />
          ))}
        </ul>
        <div role="alert" className="mt-2 empty:mt-0">
          <ErrorText>{error}</ErrorText>
        </div>
      </div>
    </div>
  );
}

function PricingFields({ control }: Pick<ModelTableProps, 'control'>) {
  const pricing = useWatch({ control, name: 'pricing' });
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Controller
        control={control}
        name="pricing"
        render={({ field }) => (
          <Field label="Prices" group>
            <SegmentedControl label="Prices" value={field.value} options={PRICING_OPTIONS} onChange={field.onChange} />
          </Field>
        )}
      />
      {pricing === 'markup' ? (
        <Controller
          control={control}
          name="markup_percent"
          rules={{
            validate: (percent) =>
              (percent !== null && Number.isInteger(percent) && percent >= 0 && percent <= 1000) ||
              'Enter a whole number from 0 to 1,000.',
          }}
          render={({ field, fieldState }) => (
            <Field label="Markup" error={fieldState.error?.message}>
              <NumberField {...field} min={0} max={1000} step={5} unit="%" className="w-40" />
            </Field>
          )}
        />
      ) : null}
    </div>
  );
}

function SelectionBar({ preset, control, onSelect }: Pick<ModelTableProps, 'preset' | 'control' | 'onSelect'>) {
  const selected = useWatch({ control, name: 'selected' });
  const keys = preset.models.map(modelKey);
  const count = keys.filter((key) => selected[key]).length;
  const selectAll = (isSelected: boolean) => onSelect(Object.fromEntries(keys.map((key) => [key, isSelected])));
  return (
    <div className="mb-2 flex min-h-7 flex-wrap items-center gap-2">
      <p aria-live="polite" className="flex-1 text-sm text-ink-2 tabular-nums">
        {count} of {keys.length} selected
      </p>
      <Button size="sm" disabled={count === keys.length} onClick={() => selectAll(true)}>
        Select all
      </Button>
      <Button size="sm" disabled={count === 0} onClick={() => selectAll(false)}>
        Select none
      </Button>
    </div>
  );
}

function LossWarning({ preset, control }: Pick<ModelTableProps, 'preset' | 'control'>) {
  const [selected, pricing, markup_percent] = useWatch({ control, name: ['selected', 'pricing', 'markup_percent'] });
  const count = countLosses(preset, { selected, settings: {}, pricing, markup_percent });
  if (count === 0) return null;
  return (
    <Callout tone="amber" title={count === 1 ? '1 model loses money' : `${count} models lose money`}>
      A typical request costs more at the provider than it is charged here. Use the provider’s price plus a markup, or
      deselect {count === 1 ? 'it' : 'them'}.
    </Callout>
  );
}

interface ModelRowProps extends Pick<ModelTableProps, 'preset' | 'control' | 'connectedId'> {
  entry: PresetModel;
  hasWorkflow: boolean;
}

function ModelRow({ preset, entry, control, connectedId, hasWorkflow }: ModelRowProps) {
  const names = useCatalogNames();
  const key = modelKey(entry);
  const { display, model, task, provider_model, restrictions, price } = entry;
  const { data: providers = [] } = useQuery({ ...providersQuery, enabled: false });
  const otherRunner = describeOtherRunner(entry, providers, connectedId);
  const selected = useWatch({ control, name: `selected.${key}` });
  return (
    <li className="grid gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <Controller
          control={control}
          name={`selected.${key}`}
          render={({ field }) => (
            <Checkbox
              checked={field.value}
              onChange={field.onChange}
              name={field.name}
              onBlur={field.onBlur}
              label={`${display.name} · ${names.task(task)}`}
              hint={`${display.description} Listed here as ${names.model(model)}.`}
            />
          )}
        />
        <div className="mt-1.5 flex flex-wrap items-center gap-1.5 pl-6.5">
          {display.capabilities.map((capability) => (
            <Badge key={capability}>{CAPABILITY_LABELS[capability]}</Badge>
          ))}
          {display.max_seconds === null ? null : <Badge>Up to {display.max_seconds} s</Badge>}
          {otherRunner === null ? null : <Badge tone="info">{otherRunner}</Badge>}
        </div>
        {selected && preset.model_setting ? (
          <ModelSettingField preset={preset} control={control} fieldKey={key} hasWorkflow={hasWorkflow} />
        ) : null}
        <Disclosure className="mt-1 pl-5" summary={formatLimits(restrictions.length)}>
          <ul className="flex list-disc flex-col gap-1 pl-4 text-sm wrap-anywhere text-ink-2">
            {restrictions.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            <li>
              {hasListPrice(entry) ? `The cost is the list price of ${price.read_on} (${price.source}). ` : null}
              {price.note}
            </li>
          </ul>
        </Disclosure>
      </div>
      <ModelPrices entry={entry} control={control} provider_model={provider_model} />
    </li>
  );
}

const formatLimits = (count: number): string =>
  count === 0 ? 'Details' : count === 1 ? 'Details and 1 limit' : `Details and ${count} limits`;

function ModelPrices({
  entry,
  control,
  provider_model,
}: Pick<ModelRowProps, 'entry' | 'control'> & { provider_model: string | null }) {
  const [pricing, markup_percent] = useWatch({ control, name: ['pricing', 'markup_percent'] });
  const { price_usd, margin_usd, isLoss } = typicalPrice(entry, { pricing, markup_percent });
  const { typical } = entry;
  return (
    <div className="text-sm max-md:pl-6.5 md:w-64 md:text-right">
      <dl className="grid grid-cols-3 gap-x-3 tabular-nums">
        {hasListPrice(entry) ? <PriceCell name="Cost" amount_usd={typical.cost_usd} /> : null}
        <PriceCell name="Price" amount_usd={price_usd} className={hasListPrice(entry) ? undefined : 'col-start-3'} />
        {hasListPrice(entry) ? (
          <div>
            <dt className="text-ink-3">Margin</dt>
            <dd className={isLoss ? 'font-medium text-bad' : undefined}>
              <Money amount_usd={margin_usd} />
              {isLoss ? <span className="block text-xs">Loss</span> : null}
            </dd>
          </div>
        ) : null}
      </dl>
      <p className="mt-1 text-ink-3">Per typical {typical.description}</p>
      {provider_model === null ? null : (
        <p className="mt-1 font-mono text-xs wrap-anywhere text-ink-3">{provider_model}</p>
      )}
    </div>
  );
}

const PriceCell = ({
  name,
  amount_usd,
  className,
}: {
  name: string;
  amount_usd: string;
  className?: string | undefined;
}) => (
  <div className={className}>
    <dt className="text-ink-3">{name}</dt>
    <dd>
      <Money amount_usd={amount_usd} />
    </dd>
  </div>
);
