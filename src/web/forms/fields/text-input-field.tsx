import { useRef } from 'react';
import type { TextFieldSpec } from '#contract/task.ts';
import { countCodePoints } from '../count-code-points.ts';
import { useField, useTaskForm } from '../form-context.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { TextInput, TextArea } from '#web/ui/text-input.tsx';

export function TextInputField({ field }: { field: TextFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const { promptTools } = useTaskForm();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = typeof value === 'string' ? value : '';
  const inputProps = {
    name: field.name,
    value: text,
    placeholder: field.placeholder,
    onBlur,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      required
      aside={<CharacterCount text={text} max={field.max_length} />}
    >
      {field.multiline ? <TextArea ref={box} rows={4} maxRows={16} {...inputProps} /> : <TextInput {...inputProps} />}
      {field.multiline && promptTools ? (
        <promptTools.Component field={field.name} box={box} target={promptTools.target} />
      ) : null}
    </Field>
  );
}

function CharacterCount({ text, max }: { text: string; max: number | null }) {
  if (max === null && text === '') return null;
  const length = countCodePoints(text);
  if (max === null) return formatNumber(length);
  return (
    <span className={cx(length > max && 'font-medium text-bad')}>
      {formatNumber(length)} / {formatNumber(max)}
    </span>
  );
}
