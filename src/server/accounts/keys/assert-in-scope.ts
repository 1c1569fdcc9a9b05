import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';

/** @throws {ApiError} 401 `authentication_error` if the key is limited to other tasks or models. Decision: Keys */
export function assertInScope(
  { scopes }: Pick<Caller, 'scopes'>,
  { task, model }: { task: TaskId; model: AnyModelId | null },
): void {
  if (scopes?.tasks && !scopes.tasks.includes(task)) {
    throw new ApiError('authentication_error', `This key may not use ${task}. It may use ${scopes.tasks.join(', ')}.`);
  }
  if (scopes?.models && model !== null && !scopes.models.includes(model)) {
    throw new ApiError(
      'authentication_error',
      `This key may not use ${model}. It may use ${scopes.models.join(', ')}.`,
    );
  }
}

/** Whether `assertInScope` lets it pass. */
export const isInScope = (
  { scopes }: Pick<Caller, 'scopes'>,
  { task, model }: { task: TaskId; model: AnyModelId | null },
): boolean => scopes?.tasks?.includes(task) !== false && (model === null || scopes?.models?.includes(model) !== false);
