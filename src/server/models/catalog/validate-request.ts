import { TASKS, isModelId, isTaskId, modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { isTaskModelAvailable, isTaskAvailable, missingToolsMessage, type AvailabilityDeps } from './availability.ts';
import { offeredContract } from './offering.ts';

export interface ValidatedRequest {
  task: TaskId;
  model: ModelId | null;
  input: Record<string, unknown>;
  contract: InputContract;
}

/**
 * Validates task, model and input, before media and funds are checked. Decision: Order of checks
 * @param localOrigin see `validateReferenceUrl`
 * @throws {ApiError} 400 with a task or model code; 422 `invalid_request` if the input breaks its contract
 */
export function validateRequest(
  deps: AvailabilityDeps,
  localOrigin: string | null,
  request: { task: string; model?: string | null | undefined; input: unknown },
): ValidatedRequest {
  const { task, model } = validateTaskAndModel(deps, request.task, request.model ?? null);
  const contract = offeredContract(deps.offering.current(), task, model);
  if (!contract) throw new Error(`${task} has no contract for ${model}`);
  const parsed = parseInput(contract, request.input, localOrigin);
  if (parsed.ok) return { task, model, input: parsed.input, contract };
  throw new ApiError('invalid_request', parsed.details[0]?.message ?? 'The input is not valid.', {
    status: 422,
    details: parsed.details,
  });
}

/** @throws {ApiError} 400 with a task or model code */
export function validateTaskAndModel(deps: AvailabilityDeps, task: string, model: string | null) {
  if (!isTaskId(task)) throw new ApiError('task_not_found', `Unknown task “${task.slice(0, 80)}”.`);
  const { name } = TASKS[task];
  if (!isTaskAvailable(deps, task)) {
    throw new ApiError('task_unavailable', missingToolsMessage(deps, task) ?? `“${name}” is disabled on this service.`);
  }
  const models = modelsForTask(task);
  if (model === null) {
    if (models.length > 0)
      throw new ApiError('model_required', `“${name}” needs a model. Available: ${models.join(', ')}.`);
    return { task, model };
  }
  if (models.length === 0)
    throw new ApiError('model_not_allowed', `“${name}” does not take a model. Remove "model" from the request.`);
  if (!isModelId(model)) throw new ApiError('model_not_found', `Unknown model “${model.slice(0, 80)}”.`);
  if (!models.includes(model)) {
    throw new ApiError(
      'unsupported_task',
      `${model} does not support “${name}”. Supported models: ${models.join(', ')}.`,
    );
  }
  if (!isTaskModelAvailable(deps, task, model))
    throw new ApiError('model_unavailable', `${model} is disabled on this service.`);
  return { task, model };
}
