import { EngineError, configurationError } from '#server/models/engine/engine.ts';
import { ExpressionError, compileExpression } from './expression.ts';
import type { MappingContext } from './mapping-context.ts';

/** Resolves to plain JSON or undefined. @throws {EngineError} on failure, timeout or `$error('For the user.')` */
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
  return configurationError(`${error.code} ${error.message} in the expression ${expression.slice(0, 200)}`);
}
