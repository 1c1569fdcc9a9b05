import {
  type FieldSpec,
  type InputContract,
  isRuleActive,
  isUnconditional,
  satisfiesRule,
  type Rule,
} from '#contract/task.ts';
import type { FormValues } from './form-values.ts';
import { sortByNearness, choiceOptions } from '#web/forms/models/compare-options.ts';

export const violatedRules = (contract: InputContract, values: FormValues): Rule[] =>
  contract.rules.filter((rule) => !satisfiesRule(rule, values));

const findField = (contract: InputContract, name: string): FieldSpec | undefined =>
  contract.fields.find((field) => field.name === name);

/** Smallest change first. */
function allowedAlternatives(rule: Rule, value: unknown): unknown[] {
  if ('allow' in rule) return sortByNearness(rule.allow, value);
  return Array.isArray(value) ? [value.slice(0, rule.max_items)] : [];
}

/** null or an empty list for a field that an input can lack; nothing for others. */
function emptyValues(field: FieldSpec): unknown[] {
  if (field.kind === 'references') return field.required ? [] : [[]];
  return 'nullable' in field && field.nullable ? [null] : [];
}

/** Values with which the rule no longer applies, smallest change first. */
function conditionAlternatives(contract: InputContract, rule: Rule, values: FormValues): unknown[] {
  const field = findField(contract, rule.when.field);
  if (!field) return [];
  if ('present' in rule.when) return emptyValues(field);
  const activating = rule.when.in;
  if (field.kind !== 'choice') return [];
  return sortByNearness(choiceOptions(field), values[field.name]).filter((option) => !activating.includes(option));
}

/** Changes to other fields, by name, that make a value valid; empty if none are needed, null if none help. */
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
    const relatedRules = contract.rules.filter((other) => other.field === name && other.when.field === target);
    const choice = candidates.findIndex((candidate) => {
      const candidateValues = { ...next, [target]: candidate };
      return (
        satisfiesRule(rule, candidateValues) && relatedRules.every((other) => satisfiesRule(other, candidateValues))
      );
    });
    if (choice < 0) return null;
    changes[target] = candidates[choice];
  }
  return null;
}

/** The rule against a value of a field. One that no other field can change comes first. */
export function findViolatedRule(
  contract: InputContract,
  values: FormValues,
  name: string,
  value: unknown,
): Rule | undefined {
  const violated = contract.rules.filter(
    (rule) => rule.field === name && !satisfiesRule(rule, { ...values, [name]: value }),
  );
  return violated.find((rule) => isUnconditional(contract, rule)) ?? violated[0];
}

/**
 * The rule that leaves a field no other value than the one it has, with the values of the other fields. undefined if
 * the field can change, and for choices, whose options are blocked one by one.
 */
export function findLockingRule(contract: InputContract, values: FormValues, field: FieldSpec): Rule | undefined {
  if (field.kind === 'choice') return undefined;
  return contract.rules.find(
    (rule) =>
      rule.field === field.name &&
      ('allow' in rule ? rule.allow.length === 1 : rule.max_items === 0) &&
      isRuleActive(rule, values) &&
      satisfiesRule(rule, values),
  );
}
