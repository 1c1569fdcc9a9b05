import { modelsOf } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { Engine } from '../engines/engine.ts';

/** The engine that runs a task on a model; null: a task without models. undefined where it is switched off. */
export const engineFor = (engines: readonly Engine[], task: TaskId, model: ModelId | null): Engine | undefined =>
  engines.find((engine) => engine.supports(task, model));

/** Whether anything runs the task, on whatever model. */
export function isTaskAvailable(engines: readonly Engine[], task: TaskId): boolean {
  const models = modelsOf(task);
  const pairs: readonly (ModelId | null)[] = models.length > 0 ? models : [null];
  return pairs.some((model) => engineFor(engines, task, model) !== undefined);
}

/** Whether the model runs any of its tasks. */
export const isModelAvailable = (engines: readonly Engine[], model: ModelId): boolean =>
  TASK_IDS.some((task) => modelsOf(task).includes(model) && engineFor(engines, task, model) !== undefined);
