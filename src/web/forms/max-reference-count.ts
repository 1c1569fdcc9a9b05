import { type InputContract, type ReferenceFieldSpec, type ReferencesFieldSpec, isRuleActive } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';

/** The limit of a field, or a lower one of a rule that applies to the values. */
export function maxReferenceCount(
  contract: InputContract,
  values: FormValues,
  field: ReferenceFieldSpec | ReferencesFieldSpec,
): number {
  if (field.kind === 'reference') return 1;
  const ruleLimits = contract.rules.flatMap((rule) =>
    rule.field === field.name && 'max_items' in rule && isRuleActive(rule, values) ? [rule.max_items] : [],
  );
  return Math.min(field.max_items, ...ruleLimits);
}
