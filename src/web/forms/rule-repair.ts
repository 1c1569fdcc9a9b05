import { type FieldSpec, type InputContract, satisfiesRule, type Rule } from '#contract/task.ts';
import type { FormValues } from './form-values.ts';
import { sortByNearness, choiceOptions } from './compare-options.ts';

/** The rules that an input does not keep. */
export const violatedRules = (contract: InputContract, values: FormValues): Rule[] =>
  contract.rules.filter((rule) => !satisfiesRule(rule, values));

const findField = (contract: InputContract, name: string): FieldSpec | undefined =>
  contract.fields.find((field) => field.name === name);

/** Values that the rule allows, beginning with the smallest change. */
function allowedAlternatives(rule: Rule, value: unknown): unknown[] {
  if ('allow' in rule) return sortByNearness(rule.allow, value);
  return Array.isArray(value) ? [value.slice(0, rule.max_items)] : [];
}

/** Values of the condition's field with which the rule no longer applies, beginning with the smallest change. */
function conditionAlternatives(contract: InputContract, rule: Rule, values: FormValues): unknown[] {
  const field = findField(contract, rule.when.field);
  if (!field) return [];
  if ('present' in rule.when) return [null];
  const blocked = rule.when.in;
  if (field.kind !== 'choice') return [];
  return sortByNearness(choiceOptions(field), values[field.name]).filter((option) => !blocked.includes(option));
}

/**
 * Finds the changes to other fields, by name, that allow a field to have a value. Returns an empty object if none are
 * needed, and null if none help.
 */
export function findRepair(
  contract: InputContract,
  values: FormValues,
  name: string,
  value: unknown,
): Record<string, unknown> | null {
  const changes: Record<string, unknown> = {};
  for (let round = 0; round <= contract.rules.length; round += 1) {
    const next = { ...values, [name]: value, ...changes };
    const [rule] = violatedRules(contract, next);
    if (!rule) return changes;
    const target = rule.field === name ? rule.when.field : rule.field;
    if (target === name || target in changes) return null;
    const candidates =
      target === rule.field ? allowedAlternatives(rule, next[target]) : conditionAlternatives(contract, rule, next);
    const concerned = contract.rules.filter((other) => other.field === name && other.when.field === target);
    const choice = candidates.findIndex((candidate) => {
      const tried = { ...next, [target]: candidate };
      return satisfiesRule(rule, tried) && concerned.every((other) => satisfiesRule(other, tried));
    });
    if (choice < 0) return null;
    changes[target] = candidates[choice];
  }
  return null;
}

/** The rule that a value would break with the form's current values; undefined if it is allowed. */
export const findViolatedRule = (
  contract: InputContract,
  values: FormValues,
  name: string,
  value: unknown,
): Rule | undefined =>
  contract.rules.find((rule) => rule.field === name && !satisfiesRule(rule, { ...values, [name]: value }));
