import type { AddedModel } from '#contract/resources/added-model.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { checkSale, useConfirmForm } from '#web/features/added-models/cards/confirm-values.ts';
import { useEdit } from '#web/features/added-models/edits.ts';
import { PriceFields, saleOf } from './sale-fields.tsx';

interface PriceFormProps {
  model: AddedModel;
  form: InputForm;
  /** Of what is typed. */
  editKey: string;
  onClose: () => void;
}

/** Changes the price and the markup of a model, which makes a new version of it. */
export function PriceForm({ model, form, editKey, onClose }: PriceFormProps) {
  const { id, contract, price_text, version } = model;
  const update = useUpdateAddedModel();
  const [values, setValues] = useEdit(editKey, () => saleOf(model));
  const { container, errors, clearErrors, submit } = useConfirmForm(
    checkSale(values, contract),
    async ({ price, markup_percent }) => {
      await update.mutateAsync({ id, price, markup_percent });
      showToast({ title: 'The price is changed', detail: 'It applies to new work.', tone: 'good' });
      onClose();
    },
  );
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
            clearErrors();
            setValues({ ...values, ...next });
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
