import { useRef, useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { checkSale, focusInvalid, type FormErrors, toFormErrors } from './confirm-values.ts';
import { toPriceValues } from './price-values.ts';
import { PriceFields, type SaleValues } from './sale-fields.tsx';

interface PriceFormProps {
  model: AddedModel;
  form: InputForm;
  onClose: () => void;
}

/** Changes the price and the markup of a model, which makes a new version of it. */
export function PriceForm({ model, form, onClose }: PriceFormProps) {
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
          provider={price_text === null ? null : { published_price: null, price_text }}
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
