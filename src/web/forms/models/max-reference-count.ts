import { type InputContract, type ReferenceFieldSpec, type ReferencesFieldSpec, isRuleActive } from '#contract/task.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';

/** The limit of a field, or a lower one of a rule that applies to the values. */
export function maxReferenceCount(
  contract: InputContract,
  values: FormValues,
  field: ReferenceFieldSpec | ReferencesFieldSpec,
): number {
  const ruleLimits = contract.rules.flatMap((rule) => {
    if (rule.field !== field.name || !isRuleActive(rule, values)) return [];
    return 'max_items' in rule ? rule.max_items : 0;
  });
  return Math.min(field.kind === 'reference' ? 1 : field.max_items, ...ruleLimits);
}
