import { hasModels, TASKS } from '#contract/catalog.ts';
import { TASK_IDS } from '#contract/ids.ts';
import type { AddedModel, ModelInspection } from '#contract/resources/added-model.ts';
import type { InputContract } from '#contract/task.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { ConfirmedValues } from '#web/features/added-models/add-draft.ts';
import type { FormErrors } from '#web/features/added-models/cards/confirm-values.ts';
import { LivePriceLine } from './live-price.tsx';
import { MarkupField, parseMarkup, PriceEditor } from './price-editor.tsx';
import { toPriceValues } from './price-values.ts';

export type SaleValues = Pick<ConfirmedValues, 'task' | 'price' | 'markup'>;

export const saleOf = ({ task, price, markup_percent }: AddedModel): SaleValues => ({
  task,
  price: toPriceValues(price),
  markup: String(markup_percent),
});

interface TaskFieldProps {
  value: ConfirmedValues['task'];
  error: string | undefined;
  onChange: (task: ConfirmedValues['task']) => void;
}

const TASKS_WITH_MODELS = TASK_IDS.filter(hasModels);
const GROUP_LABELS = { image: 'Images', video: 'Video', audio: 'Audio' };

export function TaskField({ value, error, onChange }: TaskFieldProps) {
  const names = useCatalogNames();
  return (
    <Field label="Kind of work" error={error}>
      <Select
        value={value}
        options={TASKS_WITH_MODELS.map((id) => ({
          value: id,
          label: names.task(id),
          group: id === 'other.run' ? 'Other' : GROUP_LABELS[TASKS[id].media_type],
        }))}
        onChange={onChange}
      />
    </Field>
  );
}

interface PriceFieldsProps {
  contract: InputContract;
  form: InputForm;
  values: Pick<SaleValues, 'price' | 'markup'>;
  errors: FormErrors;
  /** null: not known any more. */
  provider: (Pick<ModelInspection, 'published_price' | 'price_text'> & { price_problem?: string | undefined }) | null;
  onChange: (values: Partial<SaleValues>) => void;
}

/** What a model costs, beside what its provider says about that. */
export function PriceFields({ contract, form, values, errors, provider, onChange }: PriceFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      {provider ? <ProviderPrice {...provider} /> : null}
      <PriceEditor
        contract={contract}
        values={values.price}
        errors={errors}
        onChange={(price) => onChange({ price })}
      />
      <MarkupField value={values.markup} error={errors['markup']} onChange={(markup) => onChange({ markup })} />
      <LivePriceLine form={form} values={values.price} markupPercent={parseMarkup(values.markup)} />
    </div>
  );
}

/** Longer texts are folded. */
const SHORT_CHARACTERS = 600;

function ProviderPrice({ published_price, price_text, price_problem }: NonNullable<PriceFieldsProps['provider']>) {
  if (!published_price && !price_text)
    return (
      <p className="text-sm text-ink-3">
        No price is published. Enter what the provider charges, or 0 if a run costs you nothing.
      </p>
    );
  return (
    <div className="rounded-md border border-line bg-sunken px-3 py-2.5 text-sm">
      {published_price ? (
        <p className="font-medium">
          The provider lists ${published_price.unit_price}, counted in {published_price.unit}.
        </p>
      ) : null}
      {price_problem ? <p>{price_problem}</p> : null}
      {price_text ? (
        <>
          {published_price && !price_problem ? (
            <p className="text-ink-3">This list price may leave out tiers. Add those that its page names:</p>
          ) : null}
          <Disclosure summary="What its page says" open={price_text.length <= SHORT_CHARACTERS}>
            <p className="wrap-anywhere whitespace-pre-line text-ink-2">{price_text}</p>
          </Disclosure>
        </>
      ) : null}
    </div>
  );
}
