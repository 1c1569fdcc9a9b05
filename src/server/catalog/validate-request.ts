import { TASKS, inputContract, isModelId, isTaskId, modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { ApiError } from '#server/core/api-error.ts';
import { isTaskModelAvailable, isTaskAvailable, missingToolsMessage, type AvailabilityDeps } from './availability.ts';

/** A task, a model and an input that fit each other. */
export interface ValidatedRequest {
  task: TaskId;
  /** null for tasks without models. */
  model: ModelId | null;
  /** Defaults filled in. */
  input: Record<string, unknown>;
  contract: InputContract;
}

/**
 * Judges what is asked for, as far as that needs no media and no funds. Decision: Order of checks
 * @param local_origin see `validateReferenceUrl`
 * @throws {ApiError} 400 with a task or model code; 422 `invalid_request` where the input breaks its contract
 */
export function validateRequest(
  offering: AvailabilityDeps,
  local_origin: string | null,
  asked: { task: string; model?: string | null | undefined; input: unknown },
): ValidatedRequest {
  const { task, model } = validateTaskAndModel(offering, asked.task, asked.model ?? null);
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`${task} has no contract for ${model}`);
  const parsed = parseInput(contract, asked.input, local_origin);
  if (parsed.ok) return { task, model, input: parsed.input, contract };
  throw new ApiError('invalid_request', parsed.details[0]?.message ?? 'The input is not valid.', {
    status: 422,
    details: parsed.details,
  });
}

/**
 * Judges whether a task can be ordered on a model here.
 * @throws {ApiError} 400 with a task or model code
 */
export function validateTaskAndModel(offering: AvailabilityDeps, task: string, model: string | null) {
  if (!isTaskId(task)) throw new ApiError('task_not_found', `There is no task “${task.slice(0, 80)}”.`);
  const { name } = TASKS[task];
  if (!isTaskAvailable(offering, task)) {
    throw new ApiError('task_unavailable', missingToolsMessage(offering, task) ?? `“${name}” is switched off here.`);
  }
  const models = modelsForTask(task);
  if (model === null) {
    if (models.length > 0) throw new ApiError('model_required', `“${name}” needs a model: ${models.join(', ')}.`);
    return { task, model };
  }
  if (models.length === 0) throw new ApiError('model_not_allowed', `“${name}” takes no model; leave it out.`);
  if (!isModelId(model)) throw new ApiError('model_not_found', `There is no model “${model.slice(0, 80)}”.`);
  if (!models.includes(model)) {
    throw new ApiError('unsupported_task', `${model} does not run “${name}”; these do: ${models.join(', ')}.`);
  }
  if (!isTaskModelAvailable(offering, task, model))
    throw new ApiError('model_unavailable', `${model} is switched off here.`);
  return { task, model };
}
