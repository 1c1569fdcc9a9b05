import type { ParsedTemplate } from '#server/studio/workflows/definition/workflow.ts';
import type { FilledTemplate } from '#server/studio/workflows/expression/expression-thread.ts';
import type {
  ExpressionBudget,
  ExpressionUsage,
  Expressions,
} from '#server/studio/workflows/expression/expressions.ts';
import type { Scope } from '#server/studio/workflows/expression/template.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

export interface KnownInput {
  input: Readonly<Record<string, unknown>>;
  /** Whether fields that are missing are left out rather than unknown. */
  is_complete: boolean;
}

export type BudgetedUsage = ExpressionUsage & { budget: ExpressionBudget };

/** Whether a template can be filled in before the run. @param hasItem whether the item of the list is known */
export function canFill({ names }: ParsedTemplate, known: KnownInput, hasItem: boolean): boolean {
  if (names.steps.size > 0 || names.allSteps || (names.item && !hasItem)) return false;
  if (known.is_complete) return true;
  return !names.allInput && [...names.input].every((name) => Object.hasOwn(known.input, name));
}

/** @param where the step, as text for people @throws {ApiError} 422 `invalid_request` if an expression fails */
export async function fillKnownTemplates(
  expressions: Expressions,
  parts: readonly ParsedTemplate[],
  scope: Scope,
  where: string,
  usage: BudgetedUsage,
): Promise<unknown[]> {
  const filled = await expressions.evaluate(
    parts.map(({ template }) => template),
    scope,
    usage,
  );
  return filled.map((result) => unwrapFilled(result, where));
}

function unwrapFilled(filled: FilledTemplate, where: string): unknown {
  if (filled.ok) return filled.value;
  throw unsuitableInputError(where, filled.message);
}

export const unsuitableInputError = (where: string, message: string): ApiError =>
  new ApiError('invalid_request', `“${where}”: ${message}`, {
    status: 422,
    details: [{ path: 'input', message: `“${where}”: ${message}` }],
  });
