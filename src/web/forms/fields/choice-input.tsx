import { useState } from 'react';
import type { ChoiceFieldSpec, Scalar } from '#contract/task.ts';
import { OptionTiles } from './option-tiles.tsx';
import { RuleNotice } from './rule-notice.tsx';
import { RuleRepair } from './violated-rule.tsx';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { useField, useTaskForm, useFormValue } from '../form-context.ts';
import { choiceOptions, isRatioField, withRatio } from '#web/forms/models/compare-options.ts';
import { findViolatedRule } from '#web/forms/values/rule-repair.ts';
import { unconditionalRules } from '#web/forms/models/supported-contract.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Select } from '#web/ui/controls/select.tsx';

const MAX_SEGMENTS = 6;
const optionKey = (option: Scalar | undefined) => (option === null || option === undefined ? '' : String(option));

/** Selecting a blocked option offers a repair. */
export function ChoiceInput({ field }: { field: ChoiceFieldSpec }) {
  const { form } = useTaskForm();
  const { value, error, onChange, onBlur } = useField(field.name);
  const [rejectedOption, setRejectedOption] = useState<Scalar>();
  // Where no value is the automatic, an option for it is shown only while it is chosen.
  const isSecondAutomatic = (option: Scalar) =>
    option === 'auto' && value !== 'auto' && field.nullable === true && field.option_labels?.[''] === 'Auto';
  const allOptions = choiceOptions(field).filter((option) => !isSecondAutomatic(option));
  // A text, so that the field renders anew only when a reason changes.
  const reasons = useFormValue((values) =>
    JSON.stringify(
      allOptions.flatMap((option) => {
        const rule = findViolatedRule(form.contract, values, field.name, option);
        return rule ? [[optionKey(option), rule.message]] : [];
      }),
    ),
  );
  const blocked = new Map(JSON.parse(reasons) as [string, string][]);
  const select = (key: string) => {
    const option = allOptions.find((each) => optionKey(each) === key);
    if (option === undefined) return;
    if (blocked.has(key)) return setRejectedOption(option);
    setRejectedOption(undefined);
    onChange(option);
    onBlur();
  };
  const options = allOptions.map((option) => {
    const key = optionKey(option);
    const label = optionLabel(field, option as string | number | null);
    const hint = blocked.get(key);
    return {
      value: key,
      label: isRatioField(field) ? withRatio(option, label) : label,
      blocked: hint !== undefined,
      ...(hint === undefined ? {} : { hint }),
    };
  });
  const current = optionKey(value as Scalar | undefined);
  const rejectedKey = optionKey(rejectedOption);
  const repairTarget =
    rejectedOption !== undefined && blocked.has(rejectedKey) && rejectedKey !== current ? rejectedOption : undefined;
  const restrictions = unconditionalRules(form.contract, field.name).map(({ message }) => message);
  const hints = [
    ...(field.help && !hasRatioTiles(field) ? [field.help] : []),
    // Why options are struck through. The notice has the same text.
    ...(repairTarget === undefined
      ? new Set([...restrictions, ...options.flatMap(({ hint }) => (hint === undefined ? [] : [hint]))])
      : []),
  ];
  return (
    <Field
      label={field.label}
      hint={hints.join(' ')}
      error={error?.message}
      required={field.default === undefined}
      group={field.control === 'ratio' || allOptions.length <= MAX_SEGMENTS}
    >
      {field.control === 'ratio' ? (
        <OptionTiles value={current} options={options} onChange={select} />
      ) : allOptions.length <= MAX_SEGMENTS ? (
        <SegmentedControl value={current} options={options} onChange={select} className="self-start" />
      ) : (
        <Select
          value={current}
          onChange={select}
          placeholder="Choose"
          options={options.map(({ hint, ...option }) => ({ ...option, ...(hint ? { note: hint } : {}) }))}
        />
      )}
      {repairTarget === undefined ? (
        <RuleNotice field={field} />
      ) : (
        <RuleRepair field={field} value={repairTarget} onDone={() => setRejectedOption(undefined)} />
      )}
    </Field>
  );
}

/** The hint would repeat the shapes of ratio tiles. */
const hasRatioTiles = (field: ChoiceFieldSpec) =>
  field.control === 'ratio' && field.options.some((option) => String(option).includes(':'));
