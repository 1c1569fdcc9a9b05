import { type Control, useController } from 'react-hook-form';
import type { Budget } from '#contract/resources/budget.ts';
import { TagValueInput } from '#web/forms/tags/tag-value-input.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import type { BudgetValues } from './budget-dialog.tsx';
import { useScopeOptions } from './use-scope-options.ts';

const INTERVALS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const satisfies readonly { value: Budget['interval']; label: string }[];

/** Chooses what a new budget limits, and how long. A budget that exists for both is replaced. */
export function BudgetTargetFields({ control }: { control: Control<BudgetValues> }) {
  const scope = useController({ control, name: 'scope' });
  const interval = useController({ control, name: 'interval' });
  const options = useScopeOptions();
  return (
    <>
      <Field label="For" error={scope.fieldState.error?.message}>
        <Select {...scope.field} options={options} />
      </Field>
      {scope.field.value.endsWith('=') ? (
        <TagValueField tag={scope.field.value.slice('tag:'.length, -1)} control={control} />
      ) : null}
      <Field label="Interval" hint="A budget that already exists for both is replaced.">
        <Select {...interval.field} options={INTERVALS} />
      </Field>
    </>
  );
}

function TagValueField({ tag, control }: { tag: string; control: Control<BudgetValues> }) {
  const { field, fieldState } = useController({
    control,
    name: 'tag_value',
    rules: { validate: (value) => value.trim() !== '' || 'Enter a value.' },
  });
  return (
    <Field label="Value" error={fieldState.error?.message}>
      <TagValueInput name={tag} value={field.value} onChange={field.onChange} />
    </Field>
  );
}
