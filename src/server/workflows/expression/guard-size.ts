import { ExpressionError } from '#server/engines/mapping/expression.ts';

/** Limits characters of text plus the number of values in the result of any part of an expression. */
const MAX_SIZE = 1_000_000;

const tooLargeError = () => new ExpressionError('too_large', 'This value is too large.');

/**
 * Rejects results that could exceed the memory of a thread, since one such allocation ends the whole process. Counts
 * a long text each time a value refers to it, because it is written out each time.
 * @throws {ExpressionError}
 */
export function guardSize(result: unknown): void {
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
export const BOUNDED_FUNCTIONS = { pad, join } as const;

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
