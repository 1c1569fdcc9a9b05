import type { BooleanFieldSpec } from '#contract/task.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { useField, useLockingRule } from '../form-context.ts';
import { RuleNotice } from './rule-notice.tsx';

const OPTIONS = [
  { value: 'unset', label: 'Not set' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
] as const;

/** On, off, or what the model does by itself; one of the first two where the model has to know. */
export function OptionalSwitch({ field }: { field: BooleanFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const lock = useLockingRule(field);
  return (
    <Field
      label={field.label}
      hint={lock?.message ?? field.help}
      error={error?.message}
      group
      {...(field.required ? { required: true } : { optional: true })}
    >
      <SegmentedControl
        value={value === true ? 'on' : value === false ? 'off' : 'unset'}
        options={field.required ? OPTIONS.filter((option) => option.value !== 'unset') : OPTIONS}
        disabled={lock !== undefined}
        onChange={(key) => {
          onChange(key === 'unset' ? null : key === 'on');
          onBlur();
        }}
        className="self-start"
      />
      <RuleNotice field={field} />
    </Field>
  );
}
