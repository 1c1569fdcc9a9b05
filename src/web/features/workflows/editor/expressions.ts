import type { StarterStep, StarterValues } from './starter-values.ts';

const WHOLE = /^\{\{((?:(?!\}\}).)*)\}\}$/s;
export const PLACEHOLDER = /\{\{.*?\}\}/gs;

/** Returns the expression of a string that is nothing else; null for any other value. */
export function wholeExpression(value: unknown): string | null {
  const match = typeof value === 'string' ? WHOLE.exec(value.trim()) : null;
  return match ? (match[1] ?? '').trim() : null;
}

export const toPlaceholder = (expression: string): string => `{{ ${expression} }}`;

export type ExpressionRoot = 'input' | 'steps';

const referencePattern = (root: ExpressionRoot, key: string, flags = '') =>
  new RegExp(String.raw`(?<![\w.])(\${0,2}\.?${root}\.)${key}(?!\w)`, flags);

/** Renames an input or a step, and every reference to it. */
export function renameEverywhere(values: StarterValues, root: ExpressionRoot, from: string, to: string): StarterValues {
  const pattern = referencePattern(root, from, 'g');
  const rename = (text: string) => text.replaceAll(pattern, (_, before: string) => before + to);
  const renameBare = <T>(value: T) => (typeof value === 'string' ? rename(value) : value) as T;
  const renameNested = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(PLACEHOLDER, rename);
    if (Array.isArray(value)) return value.map(renameNested);
    return typeof value === 'object' && value !== null ? renameMembers(value) : value;
  };
  const renameMembers = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, renameNested(part)]));
  const renameKey = (key: string, of: ExpressionRoot) => (root === of && key === from ? to : key);
  return {
    ...values,
    example: Object.fromEntries(Object.entries(values.example).map(([key, part]) => [renameKey(key, 'input'), part])),
    inputs: values.inputs.map((input) => ({ ...input, key: renameKey(input.key, 'input') })),
    steps: values.steps.map((step) => ({
      ...step,
      key: renameKey(step.key, 'steps'),
      needs: step.needs.map((key) => renameKey(key, 'steps')),
      when: renameBare(step.when),
      for_each: renameBare(step.for_each),
      max_items: renameBare(step.max_items),
      input: renameMembers(step.input),
    })),
    results: values.results.map((result) => ({ ...result, value: renameNested(result.value) })),
  };
}

const mentions = (value: unknown, pattern: RegExp): boolean => {
  if (typeof value === 'string') return (value.match(PLACEHOLDER) ?? []).some((part) => pattern.test(part));
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => mentions(part, pattern));
};

function usesReference(step: StarterStep, root: ExpressionRoot, key: string): boolean {
  const pattern = referencePattern(root, key);
  return (
    (root === 'steps' && step.needs.includes(key)) ||
    [step.when, step.for_each, step.max_items].some((text) => typeof text === 'string' && pattern.test(text)) ||
    mentions(step.input, pattern)
  );
}

/** Returns the keys of the other steps that must finish before a step starts. */
export const requiredStepKeys = (steps: readonly StarterStep[], step: StarterStep): string[] =>
  steps.filter(({ key }) => key !== step.key && usesReference(step, 'steps', key)).map(({ key }) => key);

/** Returns the names of the parts that reference an input or a step. */
export function findDependents({ steps, results }: StarterValues, root: ExpressionRoot, key: string): string[] {
  const pattern = referencePattern(root, key);
  const dependents = steps.filter((step) => usesReference(step, root, key)).map((step) => `“${step.name || step.key}”`);
  return results.some(({ value }) => mentions(value, pattern)) ? [...dependents, 'Results'] : dependents;
}
