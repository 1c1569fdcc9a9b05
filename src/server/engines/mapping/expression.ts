import jsonata from 'jsonata';

/** A compiled JSONata expression. Resolves to plain JSON, or undefined where it finds nothing. @throws {ExpressionError} */
export type Expression = (data: unknown, bindings: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** An expression that is not JSONata. `message`: what is wrong, without a full stop, to stand after where it is. */
export class MappingSyntaxError extends Error {
  override readonly name = 'MappingSyntaxError';
}

/** An expression that failed, or ran too long. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The author's own words, from `$error` or `$assert`. */
  readonly code: string;
  readonly isAuthorError: boolean;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.isAuthorError = AUTHOR_ERROR_CODES.has(code);
  }
}

/** An expression answers in a few milliseconds or runs away. Time also bounds what is read by a function. */
const LIMITS = { timeout: 2_000, stack: 500, sequence: 100_000 };

/** What `$error` and `$assert` throw. */
const AUTHOR_ERROR_CODES = new Set(['D3137', 'D3141']);

/**
 * @param guard is given every expression's result, that of each part too, and throws where it is more than may be
 * @throws {MappingSyntaxError}
 */
export function compileExpression(expression: string, guard?: (result: unknown) => void): Expression {
  const compiled = parseExpression(expression);
  if (guard) callAfterEach(compiled, guard);
  return async (data, bindings) => {
    try {
      return toPlainJson(await compiled.evaluate(data, { ...bindings }));
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      // A text or list that grows beyond what there can be is a RangeError of the language itself.
      if (error instanceof Error && !(error instanceof RangeError)) throw error;
      const { code, message } = readThrown(error);
      throw new ExpressionError(code, message);
    }
  };
}

// The library offers no other way to see the results of parts, and its types know of names alone.
const EXIT_HOOK = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

function callAfterEach(compiled: jsonata.Expression, guard: (result: unknown) => void, hook = EXIT_HOOK): void {
  compiled.assign(hook, (_expression: unknown, _input: unknown, _environment: unknown, result: unknown) =>
    guard(result),
  );
}

/**
 * Checks that the evaluator calls a guard. The hook is not part of its documented interface, so that an update may drop it.
 * @throws {Error} where it does not: nothing would bound the memory of an expression
 */
export async function assertGuardRuns(hook = EXIT_HOOK): Promise<void> {
  const results: unknown[] = [];
  const compiled = parseExpression('[1, 2][0] + 1');
  callAfterEach(compiled, (result) => results.push(result), hook);
  await compiled.evaluate(null);
  if (results.at(-1) === 2 && results.length > 1) return;
  throw new Error(
    'This version of jsonata does not call the guard that bounds the memory of expressions. Install the version that package.json names.',
  );
}

/** @throws {MappingSyntaxError} */
export function parseExpression(expression: string): jsonata.Expression {
  try {
    return jsonata(expression, LIMITS);
  } catch (error) {
    const { message, position } = readThrown(error);
    const at = position === undefined ? '' : ` at character ${position}`;
    throw new MappingSyntaxError(`is not a JSONata expression${at}: ${message.replace(/\.$/, '')}`, { cause: error });
  }
}

/** The evaluator's sequences become arrays, and its functions, which are no data, get lost. */
function toPlainJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) => (isLambda(part) ? undefined : part));
  return text === undefined ? undefined : JSON.parse(text);
}

const isLambda = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value);

/** The library throws plain objects. */
function readThrown(error: unknown): { code: string; message: string; position: number | undefined } {
  if (error instanceof Error) return { code: error.name, message: error.message, position: undefined };
  const given: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
  const { code, message, position } = given;
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : String(error),
    position: typeof position === 'number' ? position : undefined,
  };
}
