import type { DateTimeFieldSpec } from '#contract/task.ts';
import { parseDateTimeLocal, formatDateTimeLocal } from '../datetime-local.ts';
import { useField } from '../form-context.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A date and time in the local time zone. */
export function DateTimeInput({ field }: { field: DateTimeFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  return (
    <Field label={field.label} hint={field.help} error={error?.message} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        className="max-w-56"
        value={typeof value === 'string' ? formatDateTimeLocal(value) : ''}
        onChange={(event) => onChange(parseDateTimeLocal(event.target.value))}
        onBlur={onBlur}
      />
    </Field>
  );
}
