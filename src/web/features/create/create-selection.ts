import { hasModels, isTaskId, TASKS } from '#contract/catalog.ts';
import { type AnyModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import type { InputContract, TaskPurpose } from '#contract/task.ts';
import { isModelId, knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { modelName, taskName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';

/** undefined until the catalog is loaded. */
export interface CatalogAvailability {
  tasks: readonly Task[] | undefined;
  models: readonly Model[] | undefined;
}

export type CreateSelection =
  | {
      kind: 'ready';
      task: TaskId;
      model: AnyModelId | null;
      contract: InputContract;
      unavailable_reason: string | null;
    }
  | { kind: 'not_found'; title: string; text: string; task: TaskId | null };

export const TASK_GROUPS = [
  { label: 'Image', purposes: ['make_image'] },
  { label: 'Video', purposes: ['make_video', 'edit_video'] },
  { label: 'Sound', purposes: ['make_sound'] },
  { label: 'Soundtrack', purposes: ['sound'] },
  { label: 'Social posts', purposes: ['find_ideas'] },
  { label: 'More', purposes: ['other'] },
] as const satisfies readonly { label: string; purposes: readonly TaskPurpose[] }[];

/** The administrator’s name of a task, else a short one that makes sense in its group. */
export const taskLabel = (task: TaskId, { tasks }: CatalogAvailability): string =>
  tasks?.find(({ id }) => id === task)?.display?.name ?? TASKS[task].label;

/** What the button of a form says: a model generates, a tool does what its tab says. */
export const taskVerb = (task: TaskId, model: AnyModelId | null): string =>
  model === null ? TASKS[task].label : 'Generate';

const isTaskEnabled = (task: TaskId, { tasks }: CatalogAvailability) =>
  tasks === undefined || tasks.some(({ id, available }) => id === task && available);

export const isModelEnabled = (model: AnyModelId, task: TaskId, { models }: CatalogAvailability) =>
  models === undefined ||
  models.some(({ id, available, tasks }) => id === model && available && tasks.some((each) => each.task === task));

export function findTaskEngine(
  task: TaskId,
  model: AnyModelId | null,
  { tasks, models }: CatalogAvailability,
): Model['engine'] | undefined {
  if (model === null) return tasks?.find(({ id }) => id === task)?.engine;
  const entry = models?.find(({ id }) => id === model);
  return entry?.tasks.find((each) => each.task === task)?.engine ?? entry?.engine;
}

export const enabledModels = (task: TaskId, catalog: CatalogAvailability) =>
  modelsForTask(task).filter((model) => isModelEnabled(model, task, catalog));

export const canRunTask = (task: TaskId, catalog: CatalogAvailability) =>
  isTaskEnabled(task, catalog) && (!hasModels(task) || enabledModels(task, catalog).length > 0);

export const tasksInGroup = ({ purposes }: (typeof TASK_GROUPS)[number]): TaskId[] =>
  purposes.flatMap((purpose) => knownTasks().filter((task) => TASKS[task].purpose === purpose));

export const taskUnavailableReason = (task: TaskId, { tasks }: CatalogAvailability): string | null =>
  tasks?.find(({ id }) => id === task)?.unavailable_reason ?? null;

function unavailableReason(task: TaskId, model: AnyModelId | null, catalog: CatalogAvailability): string | null {
  if (!isTaskEnabled(task, catalog))
    return taskUnavailableReason(task, catalog) ?? `“${taskName(task, catalog.tasks)}” is unavailable on this service.`;
  if (model === null || isModelEnabled(model, task, catalog)) return null;
  return `${modelName(model, catalog.models)} is unavailable on this service.`;
}

/**
 * Resolves the task and model of a URL. The defaults are the task and model that were open last, else the first available
 * ones.
 */
export function resolveSelection(
  params: { task?: string | undefined; model?: string | undefined },
  catalog: CatalogAvailability,
  lastModel: (task: TaskId) => string | undefined,
  lastTask?: string,
): CreateSelection {
  const available = knownTasks().filter((id) => canRunTask(id, catalog));
  const task = params.task ?? available.find((id) => id === lastTask) ?? available[0] ?? TASK_IDS[0];
  if (!isTaskId(task))
    return { kind: 'not_found', title: 'Task not found', text: `This service has no task “${task}”.`, task: null };
  const models = modelsForTask(task);
  const enabled = enabledModels(task, catalog);
  const defaultModel = enabled.find((model) => model === lastModel(task)) ?? enabled[0] ?? models[0] ?? null;
  const model = params.model ?? defaultModel;
  if (model !== null && !isModelId(model))
    return { kind: 'not_found', title: 'Model not found', text: `This service has no model “${model}”.`, task };
  const contract = effectiveContract(task, model, catalog.models);
  if (!contract)
    return {
      kind: 'not_found',
      title: `${model === null ? taskName(task, catalog.tasks) : modelName(model, catalog.models)} doesn’t support this task`,
      text: `“${taskName(task, catalog.tasks)}” ${hasModels(task) ? 'needs another model.' : 'works without a model.'}`,
      task,
    };
  return { kind: 'ready', task, model, contract, unavailable_reason: unavailableReason(task, model, catalog) };
}
