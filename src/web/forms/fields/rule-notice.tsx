import type { FieldSpec } from '#contract/task.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useFormValue, useTaskForm } from '../form-context.ts';
import { findViolatedRule } from '../rule-repair.ts';

const ViolatedRule = lazyComponent(async () => (await import('./rule-notice-content.tsx')).ViolatedRule);

/** Shows the rule that the field's value violates, with a button that repairs it. */
export function RuleNotice({ field }: { field: FieldSpec }) {
  const { form } = useTaskForm();
  const rule = useFormValue((values) => findViolatedRule(form.contract, values, field.name, values[field.name]));
  return rule ? <ViolatedRule field={field} rule={rule} /> : null;
}

/** Shows why a value is not available now, with a button that changes the other fields so that it is. */
export const RuleRepair = lazyComponent(async () => (await import('./rule-notice-content.tsx')).RepairOffer);
