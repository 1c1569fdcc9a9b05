import { Plus, X } from 'lucide-react';
import type { InputContract, Scalar } from '#contract/task.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { conditionOptions, firstCondition, isCountable } from './price-options.ts';
import type { ConditionValues, PriceErrors, TierValues } from './price-values.ts';

const MAX_TIERS = 100;
const MAX_CONDITIONS = 4;

interface PriceTiersProps {
  contract: InputContract;
  tiers: readonly TierValues[];
  errors: PriceErrors;
  onChange: (tiers: readonly TierValues[]) => void;
}

const tierKey = (): string => `tier-${Date.now().toString(36)}-${Math.round(performance.now() * 1_000)}`;

/** Conditions under which the price is multiplied. */
export function PriceTiers({ contract, tiers, errors, onChange }: PriceTiersProps) {
  const [first] = contract.fields;
  const replace = (index: number, tier: TierValues) => onChange(tiers.with(index, tier));
  const add = () => {
    const last = tiers.at(-1)?.when[0]?.field;
    const field = contract.fields.find(({ name }) => name === last) ?? likelyField(contract) ?? first;
    if (field) onChange([...tiers, { key: tierKey(), when: [firstCondition(field)], multiplier: '' }]);
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-ink-3">
        A tier multiplies the price while its conditions hold. Of tiers of the same field, the first that holds applies.
      </p>
      {tiers.length > 0 ? (
        <ol aria-label="Tiers" className="flex flex-col gap-3">
          {tiers.map((tier, index) => (
            <li key={tier.key} className="flex flex-col gap-3 rounded-md border border-line bg-sunken p-3">
              {tier.when.map((condition, at) => (
                <ConditionFields
                  key={at}
                  contract={contract}
                  condition={condition}
                  label={at === 0 ? 'When' : 'And'}
                  onChange={(next) => replace(index, { ...tier, when: tier.when.with(at, next) })}
                  onRemove={
                    tier.when.length > 1
                      ? () => replace(index, { ...tier, when: tier.when.toSpliced(at, 1) })
                      : undefined
                  }
                />
              ))}
              <div className="flex flex-wrap items-end gap-3">
                <Field label="Multiply by" className="w-28">
                  <TextInput
                    inputMode="decimal"
                    autoComplete="off"
                    prefix="×"
                    value={tier.multiplier}
                    onChange={(event) => replace(index, { ...tier, multiplier: event.target.value })}
                  />
                </Field>
                {tier.when.length < MAX_CONDITIONS && first ? (
                  <Button
                    size="sm"
                    variant="ghost"
                    className="mb-1"
                    icon={<Plus aria-hidden="true" className="size-3.5" />}
                    onClick={() =>
                      replace(index, {
                        ...tier,
                        when: [...tier.when, firstCondition(nextField(contract, tier) ?? first)],
                      })
                    }
                  >
                    Condition
                  </Button>
                ) : null}
                <Button
                  size="sm"
                  variant="ghost"
                  className="mb-1 ml-auto"
                  aria-label={`Remove tier ${index + 1}`}
                  onClick={() => onChange(tiers.toSpliced(index, 1))}
                >
                  Remove tier
                </Button>
              </div>
              <ErrorText>{errors[`tiers.${index}`]}</ErrorText>
            </li>
          ))}
        </ol>
      ) : null}
      {tiers.length < MAX_TIERS && first ? (
        <Button size="sm" className="self-start" icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={add}>
          Add tier
        </Button>
      ) : null}
    </div>
  );
}

/** What providers usually charge more for. */
const likelyField = ({ fields }: InputContract) =>
  fields.find(({ name, kind }) => kind === 'choice' && /resolution|quality|size/.test(name)) ??
  fields.find(({ kind }) => kind === 'choice' || kind === 'boolean');

/** A field that a tier does not ask for yet. */
const nextField = ({ fields }: InputContract, { when }: TierValues) =>
  fields.find(
    ({ name, kind }) => (kind === 'choice' || kind === 'boolean') && !when.some(({ field }) => field === name),
  );

interface ConditionFieldsProps {
  contract: InputContract;
  condition: ConditionValues;
  label: string;
  onChange: (condition: ConditionValues) => void;
  onRemove: (() => void) | undefined;
}

function ConditionFields({ contract, condition, label, onChange, onRemove }: ConditionFieldsProps) {
  const field = contract.fields.find(({ name }) => name === condition.field);
  const options = conditionOptions(field);
  const kinds = [
    ...(options ? [{ value: 'one_of', label: 'is one of' } as const] : []),
    ...(isCountable(field) ? [{ value: 'at_least', label: 'is at least' } as const] : []),
    { value: 'set', label: 'is set' } as const,
    { value: 'unset', label: 'is not set' } as const,
  ];
  const changeKind = (is: ConditionValues['is']) => {
    if (is === 'one_of') onChange({ field: condition.field, is, values: [] });
    else if (is === 'at_least') onChange({ field: condition.field, is, least: '' });
    else onChange({ field: condition.field, is });
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-end gap-2">
        <Field label={label} className="flex-1">
          <Select
            value={condition.field}
            options={[
              ...contract.fields.map(({ name, label: text }) => ({ value: name, label: text })),
              ...(field ? [] : [{ value: condition.field, label: condition.field }]),
            ]}
            onChange={(name) => {
              const next = contract.fields.find((each) => each.name === name);
              if (next) onChange(firstCondition(next));
            }}
          />
        </Field>
        <Select
          aria-label={`${label}: comparison`}
          className="flex-1"
          value={condition.is}
          options={kinds}
          onChange={changeKind}
        />
        {condition.is === 'at_least' ? (
          <TextInput
            aria-label={`${label}: number`}
            className="w-20"
            inputMode="decimal"
            value={condition.least}
            onChange={(event) => onChange({ ...condition, least: event.target.value })}
          />
        ) : null}
        {onRemove ? (
          <IconButton label="Remove condition" icon={<X aria-hidden="true" className="size-4" />} onClick={onRemove} />
        ) : null}
      </div>
      {condition.is === 'one_of' ? (
        <fieldset aria-label={`${label}: values`} className="flex flex-wrap gap-x-4 gap-y-1.5">
          {(options ?? condition.values.map((value) => ({ value, label: String(value) }))).map((option) => (
            <Checkbox
              key={JSON.stringify(option.value)}
              label={option.label}
              checked={condition.values.includes(option.value)}
              onChange={(checked) =>
                onChange({ ...condition, values: toggle(condition.values, option.value, checked) })
              }
            />
          ))}
        </fieldset>
      ) : null}
    </div>
  );
}

const toggle = (values: readonly Scalar[], value: Scalar, isOn: boolean): Scalar[] => [
  ...values.filter((each) => each !== value),
  ...(isOn ? [value] : []),
];
