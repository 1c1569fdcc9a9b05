import jsonata from 'jsonata';

/** Resolves to plain JSON, or undefined when the expression finds nothing. @throws {ExpressionError} */
export type Expression = (data: unknown, bindings: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** `message` has no full stop and follows the name of the expression. */
export class MappingSyntaxError extends Error {
  override readonly name = 'MappingSyntaxError';
}

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: string;
  readonly isAuthorError: boolean;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.isAuthorError = AUTHOR_ERROR_CODES.has(code);
  }
}

/** An expression either takes milliseconds or runs away. The time also bounds what functions read. */
const LIMITS = { timeout: 2_000, stack: 500, sequence: 100_000 };

/** Codes of `$error` and `$assert`: the message was written by the author of the expression. */
const AUTHOR_ERROR_CODES = new Set(['D3137', 'D3141']);

/** @param guard called with every subexpression's result; throws when it is too large @throws {MappingSyntaxError} */
export function compileExpression(expression: string, guard?: (result: unknown) => void): Expression {
  const compiled = parseExpression(expression);
  if (guard) callAfterEach(compiled, guard);
  return async (data, bindings) => {
    try {
      return toPlainJson(await compiled.evaluate(data, { ...bindings }));
    } catch (error) {
      if (error instanceof ExpressionError) throw error;
      // A text or list that grows beyond the engine's limits is a RangeError of JavaScript itself.
      if (error instanceof Error && !(error instanceof RangeError)) throw error;
      const { code, message } = readThrown(error);
      throw new ExpressionError(code, message);
    }
  };
}

// The library has no other hook for intermediate results, and its types allow only string names.
const EXIT_HOOK = Symbol.for('jsonata.__evaluate_exit') as unknown as string;

function callAfterEach(compiled: jsonata.Expression, guard: (result: unknown) => void, hook = EXIT_HOOK): void {
  compiled.assign(hook, (_expression: unknown, _input: unknown, _environment: unknown, result: unknown) =>
    guard(result),
  );
}

/** Checks that JSONata calls a guard, the only bound on memory: the hook is undocumented. @throws {Error} */
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

export function parseExpression(expression: string): jsonata.Expression {
  try {
    return jsonata(expression, LIMITS);
  } catch (error) {
    const { message, position } = readThrown(error);
    const at = position === undefined ? '' : ` at character ${position}`;
    throw new MappingSyntaxError(`is not a JSONata expression${at}: ${message.replace(/\.$/, '')}`, { cause: error });
  }
}

/** Turns JSONata sequences into arrays and removes its functions, which are not data. */
function toPlainJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, item: unknown) => (isLambda(item) ? undefined : item));
  return text === undefined ? undefined : JSON.parse(text);
}

const isLambda = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value);

function readThrown(error: unknown): { code: string; message: string; position: number | undefined } {
  if (error instanceof Error) return { code: error.name, message: error.message, position: undefined };
  const thrown: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
  const { code, message, position } = thrown;
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : String(error),
    position: typeof position === 'number' ? position : undefined,
  };
}
