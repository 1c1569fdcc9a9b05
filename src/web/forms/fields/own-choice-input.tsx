import type { ChoiceFieldSpec } from '#contract/task.ts';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { useField } from '../form-context.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { matchOptions } from './match-options.ts';

/** Of more, those that match what is typed are listed. */
const MAX_LISTED_OPTIONS = 100;

/** One of the options, or a text of one's own. */
export function OwnChoiceInput({ field }: { field: ChoiceFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const labels = new Map(field.options.map((option) => [optionLabel(field, option), option]));
  const isOption = field.options.some((option) => option === value);
  const text = isOption ? optionLabel(field, value as string | number) : typeof value === 'string' ? value : '';
  const change = (text: string) =>
    onChange(labels.get(text) ?? (text === '' ? (field.nullable ? null : undefined) : text));
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      required={field.default === undefined}
      optional={field.nullable === true}
    >
      <Combobox
        value={text}
        options={
          labels.size > MAX_LISTED_OPTIONS ? matchOptions([...labels.keys()], isOption ? '' : text) : [...labels.keys()]
        }
        onChange={change}
        onCommit={onBlur}
        placeholder={field.nullable ? 'Not set' : 'Choose or enter'}
        {...(field.own_max_length === undefined ? {} : { maxLength: field.own_max_length })}
      />
    </Field>
  );
}
