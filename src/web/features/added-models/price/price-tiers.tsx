import { Plus, X } from 'lucide-react';
import type { PriceCondition, PriceTier } from '#contract/added-models/prices/price-schema.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { conditionOptions, firstCondition, isCountable } from './price-options.ts';
import type { PriceErrors } from './price-values.ts';

const MAX_TIERS = 100;
const MAX_CONDITIONS = 4;
const MILLION = 1_000_000;

interface PriceTiersProps {
  contract: InputContract;
  tiers: readonly PriceTier[];
  errors: PriceErrors;
  onChange: (tiers: PriceTier[]) => void;
}

/** Conditions under which the price is multiplied. */
export function PriceTiers({ contract, tiers, errors, onChange }: PriceTiersProps) {
  const add = () => {
    const last = contract.fields.find(({ name }) => name === tiers.at(-1)?.when[0]?.field);
    const field = last ?? likelyField(contract);
    if (field) onChange([...tiers, { when: [firstCondition(field)], multiplier: Number.NaN }]);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-3">
        A tier multiplies the price while its conditions hold. Of tiers of the same field, the first that holds applies.
      </p>
      {tiers.length > 0 ? (
        <ol aria-label="Tiers" className="flex flex-col gap-3">
          {tiers.map((tier, index) => (
            <TierFields
              // Rows have no state of their own.
              key={index}
              contract={contract}
              tier={tier}
              number={index + 1}
              error={errors[`tiers.${index}`]}
              onChange={(next) => onChange(tiers.with(index, next))}
              onRemove={() => onChange(tiers.toSpliced(index, 1))}
            />
          ))}
        </ol>
      ) : null}
      {tiers.length < MAX_TIERS && contract.fields.length > 0 ? (
        <Button size="sm" className="self-start" icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={add}>
          Add tier
        </Button>
      ) : null}
    </div>
  );
}

const isOption = ({ kind }: FieldSpec) => kind === 'choice' || kind === 'boolean';

/** What providers usually charge more for. */
const likelyField = ({ fields }: InputContract) =>
  fields.find((field) => isOption(field) && /resolution|quality|size/.test(field.name)) ??
  fields.find(isOption) ??
  fields[0];

interface TierFieldsProps {
  contract: InputContract;
  tier: PriceTier;
  number: number;
  error: string | undefined;
  onChange: (tier: PriceTier) => void;
  onRemove: () => void;
}

function TierFields({ contract, tier, number, error, onChange, onRemove }: TierFieldsProps) {
  const { when, multiplier } = tier;
  const lacksFactor = !Number.isFinite(multiplier);
  const setConditions = (next: PriceCondition[]) => onChange({ ...tier, when: next });
  const other = contract.fields.find(
    (field) => isOption(field) && !when.some((condition) => condition.field === field.name),
  );
  return (
    <li
      tabIndex={-1}
      data-invalid={error && !lacksFactor ? '' : undefined}
      className="flex flex-col gap-3 rounded-md border border-line bg-sunken p-3"
    >
      {when.map((condition, at) => (
        <ConditionFields
          key={at}
          contract={contract}
          condition={condition}
          label={at === 0 ? 'When' : 'And'}
          onChange={(next) => setConditions(when.with(at, next))}
          onRemove={when.length > 1 ? () => setConditions(when.toSpliced(at, 1)) : undefined}
        />
      ))}
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Multiply by" className="w-36" error={lacksFactor ? error : undefined}>
          <NumberField
            value={multiplier / MILLION}
            min={0}
            step={0.5}
            onChange={(factor) =>
              onChange({ ...tier, multiplier: factor === null ? Number.NaN : Math.round(factor * MILLION) })
            }
          />
        </Field>
        {when.length < MAX_CONDITIONS && other ? (
          <Button
            size="sm"
            variant="ghost"
            className="mb-1"
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            onClick={() => setConditions([...when, firstCondition(other)])}
          >
            Condition
          </Button>
        ) : null}
        <Button
          size="sm"
          variant="ghost"
          className="mb-1 ml-auto"
          aria-label={`Remove tier ${number}`}
          onClick={onRemove}
        >
          Remove tier
        </Button>
      </div>
      <ErrorText>{lacksFactor ? null : error}</ErrorText>
    </li>
  );
}

interface ConditionFieldsProps {
  contract: InputContract;
  condition: PriceCondition;
  label: string;
  onChange: (condition: PriceCondition) => void;
  onRemove: (() => void) | undefined;
}

function ConditionFields({ contract, condition, label, onChange, onRemove }: ConditionFieldsProps) {
  const { field: name } = condition;
  const field = contract.fields.find((each) => each.name === name);
  const options = conditionOptions(field);
  const kind = 'in' in condition ? 'in' : 'at_least' in condition ? 'at_least' : condition.present ? 'set' : 'unset';
  const kinds = [
    ...(options || kind === 'in' ? [{ value: 'in', label: 'is one of' } as const] : []),
    ...(isCountable(field) ? [{ value: 'at_least', label: 'is at least' } as const] : []),
    { value: 'set', label: 'is set' } as const,
    { value: 'unset', label: 'is not set' } as const,
  ];
  const changeKind = (next: typeof kind) => {
    if (next === 'in') onChange({ field: name, in: [] });
    else if (next === 'at_least') onChange({ field: name, at_least: Number.NaN });
    else onChange({ field: name, present: next === 'set' });
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Field label={label} className="flex-1">
          <Select
            value={name}
            options={[
              ...contract.fields.map((each) => ({ value: each.name, label: each.label })),
              ...(field ? [] : [{ value: name, label: name }]),
            ]}
            onChange={(next) => {
              const chosen = contract.fields.find((each) => each.name === next);
              if (chosen) onChange(firstCondition(chosen));
            }}
          />
        </Field>
        <Select
          aria-label={`${label}: comparison`}
          className="flex-1"
          value={kind}
          options={kinds}
          onChange={changeKind}
        />
        {onRemove ? (
          <IconButton label="Remove condition" icon={<X aria-hidden="true" className="size-4" />} onClick={onRemove} />
        ) : null}
      </div>
      {'at_least' in condition ? (
        <Field label="Number" className="w-36">
          <NumberField
            value={condition.at_least}
            onChange={(least) => onChange({ field: name, at_least: least ?? Number.NaN })}
          />
        </Field>
      ) : null}
      {'in' in condition ? (
        <fieldset aria-label={`${label}: values`} className="flex flex-wrap gap-x-4 gap-y-1.5">
          {(options ?? condition.in.map((value) => ({ value, label: String(value) }))).map(({ value, label: text }) => (
            <Checkbox
              key={JSON.stringify(value)}
              label={text}
              checked={condition.in.includes(value)}
              onChange={(isOn) =>
                onChange({
                  ...condition,
                  in: [...condition.in.filter((each) => each !== value), ...(isOn ? [value] : [])],
                })
              }
            />
          ))}
        </fieldset>
      ) : null}
    </div>
  );
}
