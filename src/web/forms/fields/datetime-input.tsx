import type { DateTimeFieldSpec } from '#contract/task.ts';
import { parseDateTimeLocal, formatDateTimeLocal } from '../datetime-local.ts';
import { firstProblem } from '../field-problems.ts';
import { useFieldState, useTaskForm } from '../form-context.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A moment, in the person's own time zone. */
export function DateTimeInput({ field }: { field: DateTimeFieldSpec }) {
  const { form } = useTaskForm();
  const { value, problems } = useFieldState(field.name);
  return (
    <Field label={field.label} hint={field.help} error={firstProblem(problems)} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        className="max-w-56"
        value={typeof value === 'string' ? formatDateTimeLocal(value) : ''}
        onChange={(event) => form.set(field.name, parseDateTimeLocal(event.target.value))}
        onBlur={() => form.markTouched(field.name)}
      />
    </Field>
  );
}
