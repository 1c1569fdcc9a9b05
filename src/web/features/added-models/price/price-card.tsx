import { useState } from 'react';
import { withMarkup } from '#contract/added-models/prices/price-markup.ts';
import { formatDecimal, formatMoney } from '#contract/money/money.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { formatAddedPrice } from '#web/api/added-pricing.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { edits } from '#web/features/added-models/edits.ts';
import { quantityKey, quantityOptions } from './price-options.ts';

const PriceForm = lazyComponent(async () => (await import('./price-form.tsx')).PriceForm);

interface PriceCardProps {
  model: AddedModel;
  form: InputForm;
}

/** What a model costs at its provider and here. */
export function PriceCard({ model, form }: PriceCardProps) {
  const editKey = `${model.id} ${model.version} price`;
  const [isEditing, setIsEditing] = useState(edits.get(editKey) !== undefined);
  const close = () => {
    edits.delete(editKey);
    setIsEditing(false);
  };
  if (isEditing)
    return (
      <PriceForm
        model={model}
        form={form}
        editKey={editKey}
        onClose={close}
        fallback={<Skeleton className="h-96 w-full rounded-md" />}
      />
    );
  return (
    <Card
      title="Price"
      actions={
        model.state === 'removed' ? undefined : (
          <Button size="sm" aria-label="Change price" onClick={() => setIsEditing(true)}>
            Change
          </Button>
        )
      }
    >
      <DescriptionList rows={priceRows(model)} />
    </Card>
  );
}

function priceRows({ price, markup_percent, contract, bound_usd }: AddedModel) {
  const { quantity, tiers } = price;
  const counted = quantityOptions(contract, price.unit, quantity).find(({ value }) => value === quantityKey(quantity));
  const sold = withMarkup(price, markup_percent);
  const money = (microUsd: number) => formatMoney(BigInt(microUsd));
  return [
    { name: 'Here', value: formatAddedPrice(sold).price },
    { name: 'Provider', value: `${formatAddedPrice(price).price}, plus ${markup_percent}%` },
    { name: 'What counts', value: counted?.label ?? '' },
    ...(price.minimum_micro_usd > 0 ? [{ name: 'Minimum', value: money(sold.minimum_micro_usd) }] : []),
    ...(sold.cap_micro_usd === null ? [] : [{ name: 'Cap', value: money(sold.cap_micro_usd) }]),
    ...(tiers.length > 0
      ? [
          {
            name: 'Tiers',
            value: tiers.map(({ multiplier }) => `× ${formatDecimal(BigInt(multiplier))}`).join(', '),
          },
        ]
      : []),
    { name: 'At most', value: <span className="font-medium">{formatMoney(bound_usd)} per run</span> },
  ];
}
