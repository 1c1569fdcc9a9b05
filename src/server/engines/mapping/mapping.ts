import { EngineError } from '../engine.ts';
import { ExpressionError, compileExpression } from './expression.ts';
import type { MappingContext } from './mapping-context.ts';

/**
 * A compiled JSONata expression of the operator's. Resolves to plain JSON, or undefined where it finds nothing.
 * @throws {EngineError} where it fails, runs too long, or says `$error('a sentence for the person')`
 */
export type Mapping = (context: MappingContext) => Promise<unknown>;

/** @throws {MappingSyntaxError} */
export function compileMapping(expression: string): Mapping {
  const evaluate = compileExpression(expression);
  return async ({ data, functions }) => {
    try {
      return await evaluate(data, functions);
    } catch (error) {
      throw error instanceof ExpressionError ? asEngineError(expression, error) : error;
    }
  };
}

function asEngineError(expression: string, error: ExpressionError): EngineError {
  if (error.isAuthorError) return new EngineError('engine_failed', error.message.slice(0, 500));
  return new EngineError('engine_failed', 'How this engine is set up does not fit the request. Tell the operator.', {
    cause: new Error(`${error.code} ${error.message} in the expression ${expression.slice(0, 200)}`),
  });
}
