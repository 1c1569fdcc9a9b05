import type { TextField } from '#contract/task.ts';
import { codePoints } from '#web/forms/code-points.ts';
import { firstProblem } from '#web/forms/first-problem.ts';
import { useField, useForm } from '#web/forms/form-context.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A text, growing as it is written, with its length where that has a limit. */
export function TextInputField({ field }: { field: TextField }) {
  const { form } = useForm();
  const { value, problems } = useField(field.name);
  const text = typeof value === 'string' ? value : '';
  const control = {
    name: field.name,
    value: text,
    placeholder: field.placeholder,
    onBlur: () => form.leave(field.name),
    onChange: (event: { target: { value: string } }) => form.set(field.name, event.target.value),
  };
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={firstProblem(problems)}
      required
      aside={<Counter text={text} max={field.max_length} />}
    >
      {field.multiline ? <TextArea rows={4} maxRows={16} {...control} /> : <TextInput {...control} />}
    </Field>
  );
}

function Counter({ text, max }: { text: string; max: number | null }) {
  if (max === null && text === '') return null;
  const length = codePoints(text);
  if (max === null) return formatNumber(length);
  return (
    <span className={cx(length > max && 'font-medium text-bad')}>
      {formatNumber(length)} / {formatNumber(max)}
    </span>
  );
}
