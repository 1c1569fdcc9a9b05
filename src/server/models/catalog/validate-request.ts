import { hasModels, isAddedTaskId, isModelId, isTaskId, TASKS } from '#contract/catalog.ts';
import { type AnyModelId, isAddedModelId, type TaskId } from '#contract/ids.ts';
import { priceObstacle } from '#contract/added-models/prices/price.ts';
import { property } from '#contract/json-value.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { InputContract } from '#contract/task.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { isTaskModelAvailable, isTaskAvailable, missingToolsMessage, type AvailabilityDeps } from './availability.ts';
import { isModelVisible, type ModelViewer } from '#server/models/added-models/added-models.ts';
import { validateAdvanced } from '#server/models/added-models/validate-advanced.ts';
import { findAddedModel, findAddedVersion, type OfferedVersion } from '#contract/model-catalog.ts';
import { offeredContract, type Offering, taskModels } from './offering.ts';

export interface ValidatedRequest {
  task: TaskId;
  model: AnyModelId | null;
  /** Of an added model. */
  model_version: number | null;
  input: Record<string, unknown>;
  contract: InputContract;
}

/**
 * Validates task, model and input, before media and funds are checked. Decision: Order of checks
 * @param localOrigin see `validateReferenceUrl`
 * @param viewer whoever orders; null: no credential
 * @throws {ApiError} 400 with a task or model code; 422 `invalid_request` if the input breaks its contract
 */
export function validateRequest(
  deps: AvailabilityDeps,
  localOrigin: string | null,
  viewer: ModelViewer | null,
  request: { task: string; model?: string | null | undefined; input: unknown },
): ValidatedRequest {
  const { task, model } = validateTaskAndModel(deps, viewer, request.task, request.model ?? null);
  const offering = deps.offering.current();
  const contract = offeredContract(offering, task, model);
  if (!contract) throw new Error(`${task} has no contract for ${model}`);
  const parsed = parseInput(contract, request.input, localOrigin);
  const added = findAddedVersion(offering, { task, model });
  if (added) assertPriceable(added);
  const advanced = added?.definition.normalized.advanced;
  const details = !parsed.ok
    ? parsed.details
    : advanced
      ? validateAdvanced(advanced, property(parsed.input, advanced.field))
      : [];
  if (parsed.ok && details.length === 0)
    return { task, model, model_version: added?.version ?? null, input: parsed.input, contract };
  throw new ApiError('invalid_request', details[0]?.message ?? 'The input is not valid.', { status: 422, details });
}

/** Of prices that were published before they had a limit. @throws {ApiError} 400 */
export function assertPriceable(version: OfferedVersion): void {
  const obstacle = priceObstacle(version);
  if (obstacle === null) return;
  const message = `${version.name} can’t be ordered until an administrator changes its price. ${obstacle}`;
  throw new ApiError('model_unavailable', message);
}

/** @throws {ApiError} 400 with a task or model code */
export function validateTaskAndModel(
  deps: AvailabilityDeps,
  viewer: ModelViewer | null,
  task: string,
  model: string | null,
) {
  const offering = deps.offering.current();
  const models = isTaskId(task) ? taskModels(offering, task, viewer) : [];
  assertNotRemoved(offering, model, viewer);
  if (!isTaskId(task) || (isAddedTaskId(task) && models.length === 0))
    throw new ApiError('task_not_found', `Unknown task “${task.slice(0, 80)}”.`);
  const { name } = TASKS[task];
  const missingTools = missingToolsMessage(deps, task);
  const isOff = offering.off.tasks.includes(task) || missingTools !== null;
  // Where the task itself is on, an added model has a reason of its own.
  const isAdded = model !== null && isAddedModelId(model) && models.includes(model);
  if ((isOff || !isAdded) && !isTaskAvailable(deps, task, viewer))
    throw new ApiError('task_unavailable', missingTools ?? `“${name}” is disabled on this service.`);
  if (model === null) {
    if (models.length > 0)
      throw new ApiError('model_required', `“${name}” needs a model. Available: ${models.join(', ')}.`);
    return { task, model };
  }
  if (!hasModels(task))
    throw new ApiError('model_not_allowed', `“${name}” does not take a model. Remove "model" from the request.`);
  const found = models.find((each) => each === model);
  if (!found && !modelExists(offering, model, viewer))
    throw new ApiError('model_not_found', `Unknown model “${model.slice(0, 80)}”.`);
  if (!found) {
    throw new ApiError(
      'unsupported_task',
      `${model} does not support “${name}”. Supported models: ${models.join(', ')}.`,
    );
  }
  if (!isTaskModelAvailable(deps, task, found))
    throw new ApiError('model_unavailable', unavailableMessage(offering, found));
  return { task, model: found };
}

/** @throws {ApiError} 400 that names an added model that the viewer could use before it was removed */
function assertNotRemoved(offering: Offering, model: string | null, viewer: ModelViewer | null): void {
  const removed = model !== null && isAddedModelId(model) ? offering.added.get(model) : undefined;
  if (removed?.state === 'removed' && viewer !== null && isModelVisible({ ...removed, state: 'paused' }, viewer))
    throw new ApiError('model_not_found', `${removed.name} was removed.`);
}

function modelExists(offering: Offering, model: string, viewer: ModelViewer | null): boolean {
  if (isModelId(model)) return true;
  const added = isAddedModelId(model) ? offering.added.get(model) : undefined;
  return added !== undefined && isModelVisible(added, viewer);
}

/** Why an existing model runs nothing now. */
export function unavailableMessage(offering: Offering, model: AnyModelId): string {
  const found = findAddedModel(offering, model);
  if (!found) return `${model} is disabled on this service.`;
  if (found.state === 'removed') return `${found.name} was removed.`;
  if (found.state !== 'paused') return `The provider of ${found.name} is not connected, or paused.`;
  return [`${found.name} is paused.`, found.paused_reason].filter(Boolean).join(' ');
}
