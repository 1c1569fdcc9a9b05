import type { AddedPriceUnit } from '#contract/added-models/price-schema.ts';
import type { InputContract } from '#contract/task.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Field } from '#web/ui/field.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { firstQuantity, outputOptions, quantityKey, quantityOptions, UNIT_OPTIONS } from './price-options.ts';
import { boundByForm, parseNumber, type PriceErrors, type PriceValues } from './price-values.ts';
import { PriceTiers } from './price-tiers.tsx';

export interface PriceEditorProps {
  contract: InputContract;
  values: PriceValues;
  errors: PriceErrors;
  onChange: (values: PriceValues) => void;
}

const UNITS: Readonly<Record<AddedPriceUnit, string>> = {
  image: 'images',
  second: 'seconds',
  megapixel: 'megapixels',
  '1000_characters': '1,000 characters',
  token: 'tokens',
  run: 'units',
};

const PER_OPTIONS = [
  { value: '1', label: 'one' },
  { value: '1000', label: '1,000' },
  { value: '1000000', label: '1,000,000' },
] as const;

/** What a provider charges: unit, price, what counts, bounds and tiers. */
export function PriceEditor({ contract, values, errors, onChange }: PriceEditorProps) {
  const { unit, per, quantity, outputs, rounding, largest } = values;
  const change = (next: Partial<PriceValues>) => onChange({ ...values, ...next });
  const changeUnit = (next: AddedPriceUnit) => {
    const options = quantityOptions(contract, next, firstQuantity(contract, next));
    const keeps = options.some(({ value }) => value === quantityKey(quantity));
    change({
      unit: next,
      quantity: keeps ? quantity : firstQuantity(contract, next),
      largest: keeps ? largest : '',
      per: next === 'token' ? 1_000_000 : 1,
      rounding: next === 'megapixel' ? 'up' : 'exact',
    });
  };
  const options = quantityOptions(contract, unit, quantity);
  const bound = boundByForm(quantity, contract);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)]">
        <Amount
          label="Provider’s price"
          className="max-sm:col-span-2"
          value={values.unitPrice}
          error={errors['unitPrice']}
          onChange={(unitPrice) => change({ unitPrice })}
        />
        <Field label="For" error={errors['per']}>
          <Select
            value={String(per) as (typeof PER_OPTIONS)[number]['value']}
            options={PER_OPTIONS}
            onChange={(next) => change({ per: Number(next) as PriceValues['per'] })}
          />
        </Field>
        <Field label="Unit" error={errors['unit']}>
          <Select value={unit} options={UNIT_OPTIONS} onChange={changeUnit} />
        </Field>
      </div>
      <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
        <Field label="What counts" className="col-span-full" error={errors['quantity']}>
          <Select
            value={quantityKey(quantity)}
            options={options}
            onChange={(key) => {
              const chosen = options.find(({ value }) => value === key);
              if (chosen) change({ quantity: chosen.quantity, largest: '' });
            }}
          />
        </Field>
        {quantity.from === 'frames' && 'count' in quantity.fps ? (
          <Field label="Frame rate">
            <NumberField
              value={quantity.fps.count}
              min={1}
              unit="fps"
              onChange={(count) => change({ quantity: { ...quantity, fps: { count: count ?? 0 } } })}
            />
          </Field>
        ) : null}
        {bound === null ? (
          <Field
            className="col-span-full"
            label={`Most of an output, in ${UNITS[unit]}`}
            hint="The form sets no bound. Leave it empty if a cap bounds the price."
            optional
            error={errors['largest']}
          >
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              value={largest}
              onChange={(event) => change({ largest: event.target.value })}
            />
          </Field>
        ) : quantity.from === 'one' ? null : (
          <p className="col-span-full -mt-2.5 text-sm text-ink-3">
            The form allows at most {formatNumber(bound)} {UNITS[unit]}.
          </p>
        )}
      </div>
      <OutputsField contract={contract} outputs={outputs} error={errors['outputs']} onChange={change} />
      <div className="grid grid-cols-2 gap-x-3 gap-y-4">
        <Amount
          label="Minimum"
          optional
          value={values.minimum}
          error={errors['minimum']}
          onChange={(minimum) => change({ minimum })}
        />
        <Amount label="Cap" optional value={values.cap} error={errors['cap']} onChange={(cap) => change({ cap })} />
      </div>
      <Disclosure
        summary="Tiers and rounding"
        aside={<span className="text-ink-3">{describeTiers(values)}</span>}
        open={values.tiers.length > 0}
      >
        <div className="flex flex-col gap-4">
          <Field label="Rounding" error={errors['rounding']}>
            <Select
              value={rounding}
              options={[
                { value: 'exact', label: 'Exact' },
                { value: 'up', label: 'Each output as whole units, rounded up' },
              ]}
              onChange={(next) => change({ rounding: next })}
            />
          </Field>
          <PriceTiers
            contract={contract}
            tiers={values.tiers}
            errors={errors}
            onChange={(tiers) => change({ tiers })}
          />
        </div>
      </Disclosure>
    </div>
  );
}

const describeTiers = ({ tiers }: PriceValues): string =>
  tiers.length === 0 ? 'None' : tiers.length === 1 ? '1 tier' : `${tiers.length} tiers`;

interface OutputsFieldProps {
  contract: InputContract;
  outputs: PriceValues['outputs'];
  error: string | undefined;
  onChange: (next: Pick<PriceValues, 'outputs'>) => void;
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
          onChange={(field) => onChange({ outputs: field === FIXED ? { count: 1 } : { field } })}
        />
      </Field>
      {isFixed ? (
        <Field label="Number of outputs">
          <NumberField
            value={outputs.count}
            min={1}
            onChange={(count) => onChange({ outputs: { count: count ?? 0 } })}
          />
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
  const percent = text.trim() === '' ? 0 : parseNumber(text);
  return percent !== null && Number.isInteger(percent) && percent <= MAX_MARKUP_PERCENT ? percent : null;
}
