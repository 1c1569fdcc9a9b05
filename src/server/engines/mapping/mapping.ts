import jsonata from 'jsonata';
import { EngineError } from '../engine.ts';
import type { MappingContext } from './mapping-context.ts';

/**
 * A compiled JSONata expression of the operator's. Resolves to plain JSON, or undefined where it finds nothing.
 * @throws {EngineError} where it fails, runs too long, or says `$error('a sentence for the person')`
 */
export type Mapping = (context: MappingContext) => Promise<unknown>;

/** An expression that is not JSONata. `message`: what is wrong, without a full stop, to stand after where it is. */
export class MappingSyntaxError extends Error {
  override readonly name = 'MappingSyntaxError';
}

/** An expression answers in a few milliseconds or runs away. Time also bounds what is read by `$dataUri`. */
const BOUNDS = { timeout: 2_000, stack: 500, sequence: 100_000 };

/** What the operator says with `$error` and `$assert`. */
const SAID_BY_OPERATOR = new Set(['D3137', 'D3141']);

/** @throws {MappingSyntaxError} */
export function compileMapping(expression: string): Mapping {
  const compiled = parse(expression);
  return async ({ data, functions }) => {
    try {
      return plain(await compiled.evaluate(data, { ...functions }));
    } catch (error) {
      // A text or list that grows beyond what there can be is a RangeError of the language itself.
      if (error instanceof Error && !(error instanceof RangeError)) throw error;
      throw asEngineError(expression, error);
    }
  };
}

function parse(expression: string): jsonata.Expression {
  try {
    return jsonata(expression, BOUNDS);
  } catch (error) {
    const { message, position } = read(error);
    const at = position === undefined ? '' : ` at character ${position}`;
    throw new MappingSyntaxError(`is not a JSONata expression${at}: ${message.replace(/\.$/, '')}`, { cause: error });
  }
}

/** The evaluator's sequences become arrays, and its functions, which are no data, get lost. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) => (isLambda(part) ? undefined : part));
  return text === undefined ? undefined : JSON.parse(text);
}

const isLambda = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value);

function asEngineError(expression: string, error: unknown): EngineError {
  const { code, message } = read(error);
  if (SAID_BY_OPERATOR.has(code)) return new EngineError('engine_failed', message.slice(0, 500));
  return new EngineError('engine_failed', 'How this engine is set up does not fit the request. Tell the operator.', {
    cause: new Error(`${code} ${message} in the expression ${expression.slice(0, 200)}`),
  });
}

/** The library throws plain objects. */
function read(error: unknown): { code: string; message: string; position: number | undefined } {
  if (error instanceof Error) return { code: error.name, message: error.message, position: undefined };
  const given: Record<string, unknown> = typeof error === 'object' && error !== null ? { ...error } : {};
  const { code, message, position } = given;
  return {
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : String(error),
    position: typeof position === 'number' ? position : undefined,
  };
}
