import { type InputContract, type ReferenceField, type ReferencesField, ruleApplies } from '#contract/task.ts';
import type { Values } from '#web/forms/input-values.ts';

/** How many references a field takes as the form stands: its own limit, less where a rule says so. */
export function mostItems(contract: InputContract, values: Values, field: ReferenceField | ReferencesField): number {
  if (field.kind === 'reference') return 1;
  const ruled = contract.rules.flatMap((rule) =>
    rule.field === field.name && 'max_items' in rule && ruleApplies(rule, values) ? [rule.max_items] : [],
  );
  return Math.min(field.max_items, ...ruled);
}
