import type { FieldSpec } from '#contract/task.ts';
import { useTaskForm, useFormValue } from '../form-context.ts';
import { findViolatedRule } from '#web/forms/values/rule-repair.ts';
import { ViolatedRule } from './violated-rule.tsx';

/** Shows the rule that the field's value violates, with a button that repairs it. */
export function RuleNotice({ field }: { field: FieldSpec }) {
  const { form } = useTaskForm();
  const rule = useFormValue((values) => findViolatedRule(form.contract, values, field.name, values[field.name]));
  return rule ? <ViolatedRule field={field} rule={rule} /> : null;
}
