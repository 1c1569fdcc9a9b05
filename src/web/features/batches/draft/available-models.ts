import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import { knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { readLastModel } from '#web/api/last-model.ts';

/** undefined until the catalog is loaded, when everything counts as available. */
export interface Catalog {
  tasks: readonly Task[] | undefined;
  models: readonly Model[] | undefined;
}

export const availableModels = (task: TaskId, { models }: Catalog): AnyModelId[] =>
  modelsForTask(task).filter(
    (model) =>
      models?.some(
        ({ id, available, tasks }) => id === model && available && tasks.some((each) => each.task === task),
      ) ?? true,
  );

/** Tasks that an order can have. */
export const availableTasks = (catalog: Catalog): TaskId[] =>
  knownTasks().filter(
    (task) =>
      (catalog.tasks?.some(({ id, available }) => id === task && available) ?? true) &&
      (modelsForTask(task).length === 0 || availableModels(task, catalog).length > 0),
  );

/** The model that was used last, else the first one; null for a task without models. */
export function defaultModel(task: TaskId, catalog: Catalog): AnyModelId | null {
  const models = availableModels(task, catalog);
  return models.find((model) => model === readLastModel(task)) ?? models[0] ?? modelsForTask(task)[0] ?? null;
}
