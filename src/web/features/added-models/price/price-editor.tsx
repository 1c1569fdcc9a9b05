import type { AddedPrice, AddedPriceUnit } from '#contract/added-models/prices/price-schema.ts';
import type { InputContract } from '#contract/task.ts';
import { ADDED_UNITS } from '#web/api/added-pricing.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { firstQuantity, outputOptions, quantityKey, quantityOptions } from './price-options.ts';
import { boundByForm, type PriceErrors, type PriceValues } from './price-values.ts';
import { PriceTiers } from './price-tiers.tsx';

export interface PriceEditorProps {
  contract: InputContract;
  values: PriceValues;
  errors: PriceErrors;
  onChange: (values: PriceValues) => void;
}

const PER_OPTIONS = (['1', '1000', '1000000'] as const).map((value) => ({
  value,
  label: value === '1' ? 'one' : formatNumber(Number(value)),
}));
const UNIT_OPTIONS = Object.entries(ADDED_UNITS).map(([value, [label]]) => ({ value: value as AddedPriceUnit, label }));
const ROUNDING_OPTIONS = [
  { value: 'exact', label: 'Exact' },
  { value: 'up', label: 'Each output as whole units, rounded up' },
] as const;

/** What a provider charges: unit, price, what counts, bounds and tiers. */
export function PriceEditor({ contract, values, errors, onChange }: PriceEditorProps) {
  const { unit, per, quantity, rounding, tiers } = values;
  const change = (next: Partial<PriceValues>) => onChange({ ...values, ...next });
  const changeUnit = (next: AddedPriceUnit) => {
    const first = firstQuantity(contract, next);
    const options = quantityOptions(contract, next, first);
    const same = options.find(({ value }) => value === quantityKey(quantity))?.quantity;
    const largest = 'largest' in quantity ? quantity.largest : null;
    change({
      unit: next,
      quantity: same === undefined ? first : 'largest' in same ? { ...same, largest } : same,
      per: next === 'token' ? 1_000_000 : 1,
      rounding: next === 'megapixel' ? 'up' : 'exact',
    });
  };
  const options = quantityOptions(contract, unit, quantity);
  const bound = boundByForm(quantity, contract);
  const [, units] = ADDED_UNITS[unit];
  const amount = (name: 'unitPrice' | 'minimum' | 'cap') => ({
    value: values[name],
    error: errors[name],
    onChange: (text: string) => change({ [name]: text }),
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <Amount label="Provider’s price" className="max-sm:col-span-2" {...amount('unitPrice')} />
        <Field label="For" error={errors['per']}>
          <Select
            value={String(per) as (typeof PER_OPTIONS)[number]['value']}
            options={PER_OPTIONS}
            onChange={(next) => change({ per: Number(next) as AddedPrice['per'] })}
          />
        </Field>
        <Field label="Unit" error={errors['unit']}>
          <Select value={unit} options={UNIT_OPTIONS} onChange={changeUnit} />
        </Field>
      </div>
      <Field label="What counts" error={errors['quantity']}>
        <Select
          value={quantityKey(quantity)}
          options={options}
          onChange={(key) => change({ quantity: options.find(({ value }) => value === key)?.quantity ?? quantity })}
        />
      </Field>
      {bound === null && 'largest' in quantity ? (
        <Field
          label={`Most of an output, in ${units}`}
          hint="The form sets no bound. Leave it empty if a cap bounds the price."
          optional
          error={errors['largest']}
        >
          <NumberField
            value={quantity.largest}
            min={0}
            onChange={(largest) => change({ quantity: { ...quantity, largest } })}
          />
        </Field>
      ) : bound === null || quantity.from === 'one' ? null : (
        <p className="-mt-2.5 text-sm text-ink-3">
          The form allows at most {formatNumber(bound)} {units}.
        </p>
      )}
      <OutputsField
        contract={contract}
        outputs={values.outputs}
        error={errors['outputs']}
        onChange={(outputs) => change({ outputs })}
      />
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Amount label="Minimum" optional {...amount('minimum')} />
        <Amount label="Cap" optional {...amount('cap')} />
      </div>
      <Disclosure
        summary="Tiers and rounding"
        aside={
          <span className="text-ink-3">
            {tiers.length === 0 ? 'None' : `${tiers.length} ${tiers.length === 1 ? 'tier' : 'tiers'}`}
          </span>
        }
        open={tiers.length > 0}
      >
        <div className="flex flex-col gap-4">
          <Field label="Rounding" error={errors['rounding']}>
            <Select value={rounding} options={ROUNDING_OPTIONS} onChange={(next) => change({ rounding: next })} />
          </Field>
          <PriceTiers contract={contract} tiers={tiers} errors={errors} onChange={(next) => change({ tiers: next })} />
        </div>
      </Disclosure>
    </div>
  );
}

interface OutputsFieldProps {
  contract: InputContract;
  outputs: PriceValues['outputs'];
  error: string | undefined;
  onChange: (outputs: PriceValues['outputs']) => void;
}

const FIXED = '';

function OutputsField({ contract, outputs, error, onChange }: OutputsFieldProps) {
  const isFixed = 'count' in outputs;
  const fields = outputOptions(contract);
  const known = isFixed || fields.some(({ value }) => value === outputs.field);
  return (
    <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
      <Field label="Outputs of a run" error={error}>
        <Select
          value={isFixed ? FIXED : outputs.field}
          options={[
            { value: FIXED, label: 'A fixed number' },
            ...fields,
            ...(known ? [] : [{ value: outputs.field, label: outputs.field }]),
          ]}
          onChange={(field) => onChange(field === FIXED ? { count: 1 } : { field })}
        />
      </Field>
      {isFixed ? (
        <Field label="Number of outputs">
          <NumberField value={outputs.count} min={1} onChange={(count) => onChange({ count: count ?? 0 })} />
        </Field>
      ) : null}
    </div>
  );
}

interface AmountProps {
  label: string;
  value: string;
  error: string | undefined;
  optional?: boolean;
  className?: string;
  onChange: (text: string) => void;
}

function Amount({ label, value, error, optional = false, className, onChange }: AmountProps) {
  return (
    <Field label={label} optional={optional} error={error} {...(className ? { className } : {})}>
      <TextInput
        inputMode="decimal"
        autoComplete="off"
        prefix="$"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

export interface MarkupFieldProps {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

/** Percent on top of the provider's price. */
export const MarkupField = ({ value, error, onChange }: MarkupFieldProps) => (
  <Field label="Your markup" error={error} className="max-w-40">
    <TextInput
      inputMode="numeric"
      autoComplete="off"
      suffix="%"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
);

const MAX_MARKUP_PERCENT = 1_000;

/** null: no whole percentage. */
export function parseMarkup(text: string): number | null {
  const percent = Number(text);
  return /^\d*$/.test(text.trim()) && percent <= MAX_MARKUP_PERCENT ? percent : null;
}
