import type { BooleanFieldSpec } from '#contract/task.ts';
import { firstProblem } from '../field-problems.ts';
import { useFieldState, useTaskForm } from '../form-context.ts';
import { Switch } from '#web/ui/checkbox.tsx';
import { ErrorText } from '#web/ui/field.tsx';

/** On or off. */
export function BooleanInput({ field }: { field: BooleanFieldSpec }) {
  const { form } = useTaskForm();
  const { value, problems } = useFieldState(field.name);
  return (
    <div className="flex flex-col gap-1.5">
      <Switch
        checked={value === true}
        onChange={(on) => form.set(field.name, on)}
        label={field.label}
        hint={field.help}
        name={field.name}
      />
      <ErrorText>{firstProblem(problems)}</ErrorText>
    </div>
  );
}
