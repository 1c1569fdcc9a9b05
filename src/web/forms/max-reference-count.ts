import { type InputContract, type ReferenceFieldSpec, type ReferencesFieldSpec, isRuleActive } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';

/** How many references a field accepts with the form's current values: its own limit, or a lower one set by a rule. */
export function maxReferenceCount(
  contract: InputContract,
  values: FormValues,
  field: ReferenceFieldSpec | ReferencesFieldSpec,
): number {
  if (field.kind === 'reference') return 1;
  const ruled = contract.rules.flatMap((rule) =>
    rule.field === field.name && 'max_items' in rule && isRuleActive(rule, values) ? [rule.max_items] : [],
  );
  return Math.min(field.max_items, ...ruled);
}
