import { type Control, useController } from 'react-hook-form';
import type { Budget } from '#contract/resources/budget.ts';
import { AmountField } from '#web/forms/amount-field.tsx';
import { Field } from '#web/ui/field.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import type { RequestDecisionValues } from './request-decision-form.tsx';

interface BudgetIncreaseFieldsProps {
  control: Control<RequestDecisionValues>;
  interval: Budget['interval'];
}

/** By how much a budget is raised, and for how long. */
export function BudgetIncreaseFields({ control, interval }: BudgetIncreaseFieldsProps) {
  const { field } = useController({ control, name: 'extent' });
  return (
    <>
      <AmountField control={control} name="amount_usd" label="Raise by" />
      <Field label="For" group>
        <SegmentedControl
          value={field.value}
          onChange={field.onChange}
          options={[
            { value: 'once', label: `This ${interval}` },
            { value: 'permanent', label: `Every ${interval}` },
          ]}
        />
      </Field>
    </>
  );
}
