import {
  type Expression,
  ExpressionError,
  MappingSyntaxError,
  compileExpression,
} from '#server/models/engine/mapping/expression.ts';
import { type TemplatePart, splitPlaceholders } from '#server/models/engine/mapping/placeholders.ts';

/** Each value is also a variable (`$input`), since bare names inside a filter refer to its items. */
export interface Scope {
  input: Readonly<Record<string, unknown>>;
  steps: Readonly<Record<string, unknown>>;
  item?: unknown;
  index?: number;
}

/** JSON whose texts may contain `{{ expressions }}`, or a single expression. */
export type Template = { json: unknown } | { expression: string };

/** An expression that fails or returns something unusable. `message` is a sentence for the author of the workflow. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

const MAX_BYTES = 256 * 1024;

/**
 * A text that is one expression gives its value; what is not found is left out. @throws {TemplateError}
 * @returns plain JSON, or undefined if nothing is left
 */
export async function fillTemplate(template: Template, scope: Scope): Promise<unknown> {
  const value =
    'expression' in template ? await evaluate(template.expression, scope) : await fillValue(template.json, scope);
  if ((JSON.stringify(value)?.length ?? 0) > MAX_BYTES)
    throw new TemplateError('The result of an expression is too large.');
  return value;
}

async function fillValue(value: unknown, scope: Scope): Promise<unknown> {
  if (typeof value === 'string') return fillText(value, scope);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await fillValue(item, scope));
    return items.filter((item) => item !== undefined);
  }
  const filled: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value)) filled.push([key, await fillValue(part, scope)]);
  return Object.fromEntries(filled.filter(([, part]) => part !== undefined));
}

async function fillText(text: string, scope: Scope): Promise<unknown> {
  if (!text.includes('{{')) return text;
  const parts = splitText(text);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return evaluate(only.expression, scope);
  const written: string[] = [];
  for (const part of parts)
    written.push(typeof part === 'string' ? part : textOf(await evaluate(part.expression, scope)));
  return written.join('');
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function splitText(text: string): TemplatePart[] {
  try {
    return splitPlaceholders(text);
  } catch (error) {
    throw error instanceof MappingSyntaxError ? new TemplateError(`This ${error.message}.`) : error;
  }
}

const compiled = new Map<string, Expression>();
const MAX_COMPILED = 500;

async function evaluate(expression: string, scope: Scope): Promise<unknown> {
  try {
    const known = compiled.get(expression) ?? compileExpression(expression, guardSize);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(expression, known);
    return await known(scope, { ...scope, ...BOUNDED_FUNCTIONS });
  } catch (error) {
    if (error instanceof MappingSyntaxError) throw new TemplateError(`“${excerpt(expression)}” ${error.message}.`);
    if (!(error instanceof ExpressionError)) throw error;
    const message = error.message.slice(0, 500);
    throw new TemplateError(error.isAuthorError ? message : `“${excerpt(expression)}” can’t be evaluated: ${message}`);
  }
}

const excerpt = (expression: string) => {
  const text = expression.trim().replaceAll(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

/** Limits characters of text plus the number of values in the result of any part of an expression. */
const MAX_SIZE = 1_000_000;

const tooLargeError = () => new ExpressionError('too_large', 'This value is too large.');

/**
 * Rejects what could exceed a thread's memory, which ends the process. Counts a text each time a value refers to it.
 * @throws {ExpressionError}
 */
function guardSize(result: unknown): void {
  let remaining = MAX_SIZE;
  const rest = [result];
  while (rest.length > 0) {
    const value = rest.pop();
    remaining -= typeof value === 'string' ? value.length + 1 : 1;
    if (typeof value === 'object' && value !== null && !isFunction(value)) {
      const parts: unknown[] = Object.values(value);
      if (parts.length > remaining) throw tooLargeError();
      rest.push(...parts.slice(0, MAX_SIZE));
    }
    if (remaining < 0) throw tooLargeError();
  }
}

const isFunction = (value: object): boolean => '_jsonata_lambda' in value || '_jsonata_function' in value;

/** Replace functions of JSONata that turn short texts into a long one in one step. */
const BOUNDED_FUNCTIONS = { pad, join } as const;

function pad(text: unknown, width: unknown, filling: unknown): string | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || typeof width !== 'number')
    throw new ExpressionError('pad', '$pad takes a text and a width.');
  if (Math.abs(width) > MAX_SIZE) throw tooLargeError();
  const sign = typeof filling === 'string' && filling !== '' ? filling : ' ';
  const length = Math.trunc(Math.abs(width)) - [...text].length + text.length;
  return width < 0 ? text.padStart(length, sign) : text.padEnd(length, sign);
}

function join(texts: unknown, separator: unknown): string | undefined {
  if (texts === undefined) return undefined;
  const parts: unknown[] = Array.isArray(texts) ? texts : [texts];
  const between = typeof separator === 'string' ? separator : '';
  let length = 0;
  for (const part of parts) {
    if (typeof part !== 'string') throw new ExpressionError('join', '$join takes a list of texts.');
    length += part.length + between.length;
  }
  if (length > MAX_SIZE) throw tooLargeError();
  return parts.join(between);
}
