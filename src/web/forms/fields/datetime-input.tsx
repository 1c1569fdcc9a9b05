import type { DateTimeField } from '#contract/task.ts';
import { fromLocalText, toLocalText } from '#web/forms/local-time.ts';
import { firstProblem } from '#web/forms/first-problem.ts';
import { useField, useForm } from '#web/forms/form-context.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** A moment, in the person's own time zone. */
export function DateTimeInput({ field }: { field: DateTimeField }) {
  const { form } = useForm();
  const { value, problems } = useField(field.name);
  return (
    <Field label={field.label} hint={field.help} error={firstProblem(problems)} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        className="max-w-56"
        value={typeof value === 'string' ? toLocalText(value) : ''}
        onChange={(event) => form.set(field.name, fromLocalText(event.target.value))}
        onBlur={() => form.leave(field.name)}
      />
    </Field>
  );
}
