import { MappingSyntaxError, parseExpression } from '#server/models/engine/mapping/expression.ts';
import { splitPlaceholders } from '#server/models/engine/mapping/placeholders.ts';
import type { Template } from './template.ts';

export interface ReferencedNames {
  steps: ReadonlySet<string>;
  input: ReadonlySet<string>;
  item: boolean;
  /** Whether any step may be read: `$lookup(steps, …)`, `$$`. */
  allSteps: boolean;
  allInput: boolean;
}

interface MutableNames {
  steps: Set<string>;
  input: Set<string>;
  item: boolean;
  allSteps: boolean;
  allInput: boolean;
}

/** `message` describes the problem of an expression and continues a sentence that starts with "This". */
export type TemplateNames = { ok: true; names: ReferencedNames } | { ok: false; message: string };

const MAX_TEXT_CHARACTERS = 10_000;
const MAX_EXPRESSIONS_PER_TEXT = 40;
/** Parsing this much takes a fraction of a second. */
const MAX_EXPRESSION_CHARACTERS = 50_000;

/** One result per template; equal texts are parsed once and their total size is limited. */
export function readTemplateNames(templates: readonly Template[]): TemplateNames[] {
  let charactersLeft = MAX_EXPRESSION_CHARACTERS;
  return templates.map((template): TemplateNames => {
    try {
      const expressions = 'expression' in template ? [template.expression] : expressionsIn(template.json);
      charactersLeft -= expressions.reduce((sum, { length }) => sum + length, 0);
      if (charactersLeft < 0) return { ok: false, message: TOO_MANY_CHARACTERS };
      return { ok: true, names: collectNames(expressions) };
    } catch (error) {
      if (!(error instanceof MappingSyntaxError)) throw error;
      return { ok: false, message: error.message };
    }
  });
}

const formatCount = (count: number): string => count.toLocaleString('en-US');
const TOO_MANY_CHARACTERS = `exceeds the ${formatCount(MAX_EXPRESSION_CHARACTERS)} characters that all expressions of a workflow may have together`;

/** Returns the expressions in JSON whose texts may contain `{{ expressions }}`. @throws {MappingSyntaxError} */
function expressionsIn(json: unknown): string[] {
  if (typeof json === 'string') return expressionsInText(json);
  if (typeof json !== 'object' || json === null) return [];
  return Object.values(json).flatMap(expressionsIn);
}

function expressionsInText(text: string): string[] {
  if (!text.includes('{{')) return [];
  const parts = text.length > MAX_TEXT_CHARACTERS ? null : splitPlaceholders(text);
  const expressions = parts?.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
  if (expressions && expressions.length <= MAX_EXPRESSIONS_PER_TEXT) return expressions;
  throw new MappingSyntaxError(
    `has more than ${formatCount(MAX_TEXT_CHARACTERS)} characters or ${MAX_EXPRESSIONS_PER_TEXT} expressions`,
  );
}

export function collectNames(expressions: readonly string[]): ReferencedNames {
  const names: MutableNames = { steps: new Set(), input: new Set(), item: false, allSteps: false, allInput: false };
  for (const expression of expressions) {
    // The parser's types leave out half of its nodes.
    visit(parseExpression(expression).ast() as unknown, names);
  }
  return names;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** @param inside a filter or a later part of a path, where bare names and `$` refer to the items there */
function visit(value: unknown, names: MutableNames, inside = false): void {
  if (Array.isArray(value)) return value.forEach((part) => visit(part, names, inside));
  if (!isNode(value)) return;
  if (value['type'] === 'path' && Array.isArray(value['steps'])) return visitPath(value, value['steps'], names, inside);
  if (value['type'] === 'variable') recordName([value], names, inside);
  visitParts(value, names, inside);
}

function visitPath(path: Node, steps: readonly unknown[], names: MutableNames, inside: boolean): void {
  recordName(steps.filter(isNode), names, inside);
  steps.forEach((step, index) => {
    // The first part of a path is recorded together with what follows it.
    if (isNode(step) && (step['type'] === 'name' || step['type'] === 'variable')) visitParts(step, names, true);
    else visit(step, names, inside || index > 0);
  });
  for (const [key, part] of Object.entries(path)) if (key !== 'steps') visit(part, names, true);
}

const FILTERS = new Set(['stages', 'predicate', 'group']);

function visitParts(node: Node, names: MutableNames, inside: boolean): void {
  for (const [key, part] of Object.entries(node)) visit(part, names, inside || FILTERS.has(key));
}

/** `steps.picture.output`, `$.steps.picture`, `$steps.picture` */
function recordName([first, ...rest]: readonly Node[], names: MutableNames, inside: boolean): void {
  if (!first || (first['type'] !== 'variable' && (first['type'] !== 'name' || inside))) return;
  const isVariable = first['type'] === 'variable';
  if (isVariable && first['value'] === '' && inside) return;
  const isRoot = isVariable && (first['value'] === '' || first['value'] === '$');
  if (isRoot && rest.length > 0) return recordName(rest, names, false);
  const next = rest[0]?.['type'] === 'name' ? String(rest[0]['value']) : null;
  if (isRoot) {
    names.allSteps = true;
    names.allInput = true;
    names.item = true;
  } else if (first['value'] === 'steps') {
    if (next === null) names.allSteps = true;
    else names.steps.add(next);
  } else if (first['value'] === 'input') {
    if (next === null) names.allInput = true;
    else names.input.add(next);
  } else if (first['value'] === 'item' || first['value'] === 'index') names.item = true;
}
