import { MappingSyntaxError, parseExpression } from '../../engines/mapping/expression.ts';
import { splitPlaceholders } from '../../engines/mapping/placeholders.ts';

/** What expressions name of what they see. */
export interface Names {
  steps: ReadonlySet<string>;
  /** Fields of the run's input. */
  input: ReadonlySet<string>;
  /** The item of a list, or its place. */
  item: boolean;
  /** Perhaps anything: `$lookup(steps, …)`, `$$`. */
  all_steps: boolean;
  all_input: boolean;
}

interface Found {
  steps: Set<string>;
  input: Set<string>;
  item: boolean;
  all_steps: boolean;
  all_input: boolean;
}

const LONGEST_TEXT = 10_000;
const MOST_CLOSINGS = 40;

/**
 * The expressions of JSON whose texts may hold `{{ expressions }}`, by where they stand.
 * @throws {MappingSyntaxError} with the path of the text in front
 */
export function expressionsIn(json: unknown, path = ''): { path: string; expression: string }[] {
  if (typeof json === 'string') return expressionsInText(json).map((expression) => ({ path, expression }));
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, part]) => expressionsIn(part, path === '' ? key : `${path}.${key}`));
}

function expressionsInText(text: string): string[] {
  if (!text.includes('{{')) return [];
  if (text.length > LONGEST_TEXT || text.split('}}').length > MOST_CLOSINGS + 1) {
    throw new MappingSyntaxError(
      `has more than ${LONGEST_TEXT.toLocaleString('en-US')} characters or ${MOST_CLOSINGS} expressions`,
    );
  }
  return splitPlaceholders(text).flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
}

/** @throws {MappingSyntaxError} */
export function namesIn(expressions: readonly string[]): Names {
  const found: Found = { steps: new Set(), input: new Set(), item: false, all_steps: false, all_input: false };
  for (const expression of expressions) {
    // The parser's types leave out half of its nodes.
    visit(parseExpression(expression).ast() as unknown, found);
  }
  return found;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** @param inside a filter or a later part of a path, where bare names and `$` are of the items there */
function visit(value: unknown, found: Found, inside = false): void {
  if (Array.isArray(value)) return value.forEach((part) => visit(part, found, inside));
  if (!isNode(value)) return;
  if (value['type'] === 'path' && Array.isArray(value['steps'])) return visitPath(value, value['steps'], found, inside);
  if (value['type'] === 'variable') note([value], found, inside);
  visitParts(value, found, inside);
}

function visitPath(path: Node, steps: readonly unknown[], found: Found, inside: boolean): void {
  note(steps.filter(isNode), found, inside);
  steps.forEach((step, index) => {
    // The first of a path is noted with what follows it.
    if (isNode(step) && (step['type'] === 'name' || step['type'] === 'variable')) visitParts(step, found, true);
    else visit(step, found, inside || index > 0);
  });
  for (const [key, part] of Object.entries(path)) if (key !== 'steps') visit(part, found, true);
}

const FILTERS = new Set(['stages', 'predicate', 'group']);

function visitParts(node: Node, found: Found, inside: boolean): void {
  for (const [key, part] of Object.entries(node)) visit(part, found, inside || FILTERS.has(key));
}

/** `steps.picture.output`, `$.steps.picture`, `$steps.picture` */
function note([first, ...rest]: readonly Node[], found: Found, inside: boolean): void {
  if (!first || (first['type'] !== 'variable' && (first['type'] !== 'name' || inside))) return;
  const is_variable = first['type'] === 'variable';
  if (is_variable && first['value'] === '' && inside) return;
  const is_root = is_variable && (first['value'] === '' || first['value'] === '$');
  if (is_root && rest.length > 0) return note(rest, found, false);
  const next = rest[0]?.['type'] === 'name' ? String(rest[0]['value']) : null;
  if (is_root) {
    found.all_steps = true;
    found.all_input = true;
    found.item = true;
  } else if (first['value'] === 'steps') {
    if (next === null) found.all_steps = true;
    else found.steps.add(next);
  } else if (first['value'] === 'input') {
    if (next === null) found.all_input = true;
    else found.input.add(next);
  } else if (first['value'] === 'item' || first['value'] === 'index') found.item = true;
}
