import type { EditorState, EditorStep } from './editor-state.ts';

export type ValueSource =
  /** Omitted: the task uses its default. */
  | { kind: 'none' }
  | { kind: 'fixed' }
  | { kind: 'input'; key: string }
  /** First file or all files of a step. */
  | { kind: 'step'; key: string; which: StepOutputSelection }
  /** The current item of a repeating step, or a part of it. */
  | { kind: 'item'; path: string }
  | { kind: 'expression'; text: string };

type StepOutputSelection = 'first' | 'all';

const WHOLE = /^\{\{((?:(?!\}\}).)*)\}\}$/s;
const INPUT = /^input\.(\w+)$/;
const FILE = /^steps\.(\w+)\.output\.assets(\[0\])?$/;
const ITEM = /^item((?:\.\w+)*)$/;

/** Returns the expression of a string that is nothing else; null for any other value. */
export function wholeExpression(value: unknown): string | null {
  const match = typeof value === 'string' ? WHOLE.exec(value.trim()) : null;
  return match ? (match[1] ?? '').trim() : null;
}

/** Parses a value into a source; anything the menus can't offer is an expression. */
export function parseSource(value: unknown): ValueSource {
  if (value === undefined) return { kind: 'none' };
  const text = wholeExpression(value);
  if (text === null) return { kind: 'fixed' };
  const input = INPUT.exec(text)?.[1];
  if (input) return { kind: 'input', key: input };
  const [, key, first] = FILE.exec(text) ?? [];
  if (key) return { kind: 'step', key, which: first ? 'first' : 'all' };
  const item = ITEM.exec(text);
  if (item) return { kind: 'item', path: item[1] ?? '' };
  return { kind: 'expression', text };
}

export function formatSource(source: Exclude<ValueSource, { kind: 'fixed' }>): string | undefined {
  if (source.kind === 'none') return undefined;
  return `{{ ${toExpression(source)} }}`;
}

function toExpression(source: Exclude<ValueSource, { kind: 'fixed' | 'none' }>): string {
  if (source.kind === 'input') return `input.${source.key}`;
  if (source.kind === 'step') return `steps.${source.key}.output.assets${source.which === 'first' ? '[0]' : ''}`;
  if (source.kind === 'item') return `item${source.path}`;
  return source.text;
}

export type ExpressionRoot = 'input' | 'steps';

const referencePattern = (root: ExpressionRoot, key: string) =>
  new RegExp(String.raw`(?<![\w.])(\${0,2}\.?${root}\.)${key}(?!\w)`, 'g');
const PLACEHOLDER = /\{\{.*?\}\}/gs;

const renameInExpression = (text: string, root: ExpressionRoot, from: string, to: string): string =>
  text.replaceAll(referencePattern(root, from), (_, before: string) => before + to);

function renameInValue(value: unknown, root: ExpressionRoot, from: string, to: string): unknown {
  if (typeof value === 'string')
    return value.replaceAll(PLACEHOLDER, (part) => renameInExpression(part, root, from, to));
  if (Array.isArray(value)) return value.map((item) => renameInValue(item, root, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renameInValue(part, root, from, to)]));
}

export function renameEverywhere(state: EditorState, root: ExpressionRoot, from: string, to: string): EditorState {
  const renameBare = (text: string | null) => text && renameInExpression(text, root, from, to);
  const renameNested = <T>(value: T) => renameInValue(value, root, from, to) as T;
  const example = Object.entries(state.example).map(([key, value]) => [
    root === 'input' && key === from ? to : key,
    value,
  ]);
  return {
    ...state,
    example: Object.fromEntries(example),
    inputs:
      root === 'input' ? state.inputs.map((each) => (each.key === from ? { ...each, key: to } : each)) : state.inputs,
    steps: state.steps.map((step) => ({
      ...step,
      key: root === 'steps' && step.key === from ? to : step.key,
      needs: root === 'steps' ? step.needs.map((key) => (key === from ? to : key)) : step.needs,
      when: renameBare(step.when),
      for_each: renameBare(step.for_each),
      max_items: typeof step.max_items === 'string' ? renameBare(step.max_items) : step.max_items,
      input: renameNested(step.input),
    })),
    outputs: state.outputs && state.outputs.map((output) => ({ ...output, value: renameNested(output.value) })),
  };
}

const mentionsReference = (value: unknown, pattern: RegExp): boolean => {
  if (typeof value === 'string') return (value.match(PLACEHOLDER) ?? []).some((part) => part.search(pattern) >= 0);
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((part) => mentionsReference(part, pattern))
  );
};

function usesReference(step: EditorStep, root: ExpressionRoot, key: string): boolean {
  const pattern = new RegExp(referencePattern(root, key).source);
  const mentions = (text: string | number | null) => typeof text === 'string' && text.search(pattern) >= 0;
  return (
    (root === 'steps' && step.needs.includes(key)) ||
    mentions(step.when) ||
    mentions(step.for_each) ||
    mentions(step.max_items) ||
    mentionsReference(step.input, pattern)
  );
}

export const requiredStepKeys = (steps: readonly EditorStep[], step: EditorStep): string[] =>
  steps.filter(({ id, key }) => id !== step.id && usesReference(step, 'steps', key)).map(({ key }) => key);

export function findDependents(state: EditorState, root: ExpressionRoot, key: string): string[] {
  const pattern = new RegExp(referencePattern(root, key).source);
  const steps = state.steps.filter((step) => usesReference(step, root, key));
  const inResults = (state.outputs ?? []).some(({ value }) => mentionsReference(value, pattern));
  return [...steps.map((step) => `“${step.name || step.key}”`), ...(inResults ? ['Results'] : [])];
}
