import { useRef, useState } from 'react';
import { withMarkup } from '#contract/added-models/price-markup.ts';
import { formatDecimal, formatMoney } from '#contract/money.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { DescriptionList } from '#web/ui/section.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { checkSale, focusInvalid, type FormErrors, toFormErrors } from './confirm-values.ts';
import { quantityKey, quantityOptions, UNIT_OPTIONS } from './price-options.ts';
import { toPriceValues } from './price-values.ts';
import { PriceFields, type SaleValues } from './sale-fields.tsx';

interface PriceCardProps {
  model: AddedModel;
  form: InputForm;
}

/** What a model costs at its provider and here. */
export function PriceCard({ model, form }: PriceCardProps) {
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <PriceForm model={model} form={form} onClose={() => setIsEditing(false)} />;
  return (
    <Card
      title="Price"
      actions={
        model.state === 'removed' ? undefined : (
          <Button size="sm" onClick={() => setIsEditing(true)}>
            Change price
          </Button>
        )
      }
    >
      <DescriptionList rows={priceRows(model)} />
    </Card>
  );
}

function priceRows({ price, markup_percent, contract, bound_usd }: AddedModel) {
  const unit = UNIT_OPTIONS.find(({ value }) => value === price.unit)?.label ?? price.unit;
  const per = price.per === 1 ? unit : `${price.per.toLocaleString('en-US')} ${unit}s`;
  const { quantity, tiers } = toPriceValues(price);
  const counted = quantityOptions(contract, price.unit, quantity).find(({ value }) => value === quantityKey(quantity));
  const sold = withMarkup(price, markup_percent);
  const money = (microUsd: number) => formatMoney(BigInt(microUsd));
  return [
    { name: 'Here', value: `${money(sold.unit_price_micro_usd)} per ${per}` },
    { name: 'Provider', value: `${money(price.unit_price_micro_usd)} per ${per}, plus ${markup_percent}%` },
    { name: 'What counts', value: counted?.label ?? '' },
    ...(price.minimum_micro_usd > 0 ? [{ name: 'Minimum', value: money(sold.minimum_micro_usd) }] : []),
    ...(sold.cap_micro_usd === null ? [] : [{ name: 'Cap', value: money(sold.cap_micro_usd) }]),
    ...(tiers.length > 0
      ? [
          {
            name: 'Tiers',
            value: price.tiers.map(({ multiplier }) => `× ${formatDecimal(BigInt(multiplier))}`).join(', '),
          },
        ]
      : []),
    { name: 'At most', value: <span className="font-medium">{formatMoney(bound_usd)} per run</span> },
  ];
}

function PriceForm({ model, form, onClose }: PriceCardProps & { onClose: () => void }) {
  const { id, contract, price_text, version } = model;
  const update = useUpdateAddedModel();
  const container = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<SaleValues>(() => ({
    task: model.task,
    price: toPriceValues(model.price),
    markup: String(model.markup_percent),
  }));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [serverErrors, setServerErrors] = useState<FormErrors>({});
  const checked = checkSale(values, contract);
  const errors = { ...(isSubmitted && !checked.ok ? checked.errors : {}), ...serverErrors };
  const submit = async () => {
    setIsSubmitted(true);
    if (!checked.ok) return focusInvalid(container.current);
    const { price, markup_percent } = checked.body;
    try {
      await update.mutateAsync({ id, price, markup_percent });
      showToast({ title: 'The price is changed', detail: 'It applies to new work.', tone: 'good' });
      onClose();
    } catch (error) {
      setServerErrors(toFormErrors(error));
      focusInvalid(container.current);
    }
  };
  return (
    <Card title="Change price" description={`Saving makes version ${version + 1}. Earlier work keeps its price.`}>
      <form
        ref={container}
        noValidate
        aria-label="Price"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <PriceFields
          contract={contract}
          form={form}
          values={values}
          errors={errors}
          provider={{ published_price: null, price_text }}
          onChange={(next) => {
            setServerErrors({});
            setValues((before) => ({ ...before, ...next }));
          }}
        />
        <div role="alert" className="empty:-mt-4">
          <ErrorText>{errors['']}</ErrorText>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={update.isPending}>
            Save price
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Card>
  );
}
