import type { BooleanFieldSpec } from '#contract/task.ts';
import { useField } from '../form-context.ts';
import { Switch } from '#web/ui/checkbox.tsx';
import { ErrorText } from '#web/ui/field.tsx';

export function BooleanInput({ field }: { field: BooleanFieldSpec }) {
  const { value, error, onChange } = useField(field.name);
  return (
    <div className="flex flex-col gap-1.5">
      <Switch checked={value === true} onChange={onChange} label={field.label} hint={field.help} name={field.name} />
      <ErrorText>{error?.message}</ErrorText>
    </div>
  );
}
