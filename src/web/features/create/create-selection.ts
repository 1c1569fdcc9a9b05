import { inputContract, isModelId, isTaskId, MODEL_NAMES, modelsForTask, TASKS } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import type { InputContract, TaskPurpose } from '#contract/task.ts';

/** What the service said it has; undefined while it has not said so. */
export interface CatalogAvailability {
  tasks: readonly Task[] | undefined;
  models: readonly Model[] | undefined;
}

/** The address, made out. */
export type CreateSelection =
  | { kind: 'ready'; task: TaskId; model: ModelId | null; contract: InputContract; off: string | null }
  | { kind: 'lost'; title: string; text: string; task: TaskId | null };

/** What a person works with, in the order of the tabs. */
export const TASK_GROUPS = [
  { label: 'Image', purposes: ['make_image'] },
  { label: 'Video', purposes: ['make_video', 'edit_video'] },
  { label: 'Sound', purposes: ['sound'] },
  { label: 'Ideas', purposes: ['find_ideas'] },
] as const satisfies readonly { label: string; purposes: readonly TaskPurpose[] }[];

/** What a task is called under the tab of its group. */
export const TASK_LABELS = {
  'image.create': 'New',
  'image.edit': 'Edit',
  'video.create': 'New',
  'video.edit': 'Edit',
  'video.lipsync': 'Lip sync',
  'video.trim': 'Trim',
  'video.concat': 'Join',
  'video.split_scenes': 'Split',
  'video.extract_frame': 'Save frame',
  'video.extract_audio': 'Extract sound',
  'video.add_audio': 'Add sound',
  'social.search': 'Search',
} satisfies Record<TaskId, string>;

const isTaskEnabled = (task: TaskId, { tasks }: CatalogAvailability) =>
  tasks === undefined || tasks.some(({ id, available }) => id === task && available);

/** Whether a model is switched on, for a task that it runs. */
export const isModelEnabled = (model: ModelId, task: TaskId, { models }: CatalogAvailability) =>
  models === undefined ||
  models.some(({ id, available, tasks }) => id === model && available && tasks.some((each) => each.task === task));

/** What runs a task on a model (null: a task without models); undefined where the service has not said. */
export function findTaskEngine(
  task: TaskId,
  model: ModelId | null,
  { tasks, models }: CatalogAvailability,
): Model['engine'] | undefined {
  if (model === null) return tasks?.find(({ id }) => id === task)?.engine;
  const found = models?.find(({ id }) => id === model);
  return found?.tasks.find((each) => each.task === task)?.engine ?? found?.engine;
}

export const enabledModels = (task: TaskId, catalog: CatalogAvailability) =>
  modelsForTask(task).filter((model) => isModelEnabled(model, task, catalog));

/** Whether anything of a task can be ordered. */
export const canRunTask = (task: TaskId, catalog: CatalogAvailability) =>
  isTaskEnabled(task, catalog) && (modelsForTask(task).length === 0 || enabledModels(task, catalog).length > 0);

/** The tasks of a group, in the order of its purposes. */
export const tasksInGroup = ({ purposes }: (typeof TASK_GROUPS)[number]): TaskId[] =>
  purposes.flatMap((purpose) => TASK_IDS.filter((task) => TASKS[task].purpose === purpose));

/** What keeps a task from being available, where the service says so. */
export const taskUnavailableReason = (task: TaskId, { tasks }: CatalogAvailability): string | null =>
  tasks?.find(({ id }) => id === task)?.unavailable_reason ?? null;

function unavailableReason(task: TaskId, model: ModelId | null, catalog: CatalogAvailability): string | null {
  if (!isTaskEnabled(task, catalog))
    return taskUnavailableReason(task, catalog) ?? `“${TASKS[task].name}” is switched off on this service.`;
  if (model === null) return null;
  if (!isModelEnabled(model, task, catalog)) return `${MODEL_NAMES[model]} is switched off on this service.`;
  return null;
}

/**
 * What an address stands for. Without a task it is the first that can be ordered; without a model, the one used last for the
 * task, else the first that is on.
 */
export function resolveSelection(
  given: { task?: string | undefined; model?: string | undefined },
  catalog: CatalogAvailability,
  lastModel: (task: TaskId) => string | undefined,
): CreateSelection {
  const task = given.task ?? TASK_IDS.find((id) => canRunTask(id, catalog)) ?? TASK_IDS[0];
  if (!isTaskId(task))
    return { kind: 'lost', title: 'There is no such task', text: `This studio has no “${task}”.`, task: null };
  const all = modelsForTask(task);
  const on = enabledModels(task, catalog);
  const usual = on.find((model) => model === lastModel(task)) ?? on[0] ?? all[0] ?? null;
  const named = given.model ?? usual;
  if (named !== null && !isModelId(named))
    return { kind: 'lost', title: 'There is no such model', text: `This studio has no model “${named}”.`, task };
  const contract = inputContract(task, named);
  if (!contract)
    return {
      kind: 'lost',
      title: `${named === null ? TASKS[task].name : MODEL_NAMES[named]} can’t do this`,
      text:
        all.length === 0
          ? `“${TASKS[task].name}” works without a model.`
          : `“${TASKS[task].name}” is not something that this model does. Choose another one.`,
      task,
    };
  return { kind: 'ready', task, model: named, contract, off: unavailableReason(task, named, catalog) };
}
