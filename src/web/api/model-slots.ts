import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import { isUnconditional } from '#contract/task.ts';
import { inputContract, modelsForTask } from '#web/api/known-models.ts';

/** A field of a task that takes media. */
export interface Slot {
  task: TaskId;
  field: string;
}

/** Both are undefined until the catalog is loaded, when everything counts as available. */
export interface LoadedCatalog {
  tasks: readonly Task[] | undefined;
  models: readonly Model[] | undefined;
}

/** Whether a model, or a task without models, takes media in a field, as far as its provider supports it. */
export function hasSlot({ task, field }: Slot, model: AnyModelId | null, models: LoadedCatalog['models']): boolean {
  const contract = inputContract(task, model);
  const spec = contract?.fields.find(({ name }) => name === field);
  if (!contract || !spec || !('media' in spec)) return false;
  const listed = models?.find(({ id }) => id === model)?.tasks.find((each) => each.task === task);
  return !listed?.restrictions?.some(
    (rule) =>
      rule.field === field &&
      isUnconditional(contract, rule) &&
      ('max_items' in rule ? rule.max_items === 0 : rule.allow.every((value) => value === null)),
  );
}

const isListed = ({ task }: Slot, model: AnyModelId, { models }: LoadedCatalog) =>
  models === undefined ||
  models.some(({ id, available, tasks }) => id === model && available && tasks.some((each) => each.task === task));

/** The available models that have a slot, in catalog order. */
export const modelsWithSlot = (slot: Slot, catalog: LoadedCatalog): AnyModelId[] =>
  modelsForTask(slot.task).filter((model) => isListed(slot, model, catalog) && hasSlot(slot, model, catalog.models));

export interface SlotTarget extends Slot {
  /** null for a task without models. */
  model: AnyModelId | null;
}

/**
 * The first of some slots that an available model has, on the model that was used last if it has the slot, else on the
 * first that has it. null if none has any of them.
 */
export function findSlotTarget(
  slots: readonly Slot[],
  catalog: LoadedCatalog,
  lastModel: (task: TaskId) => string | undefined,
): SlotTarget | null {
  for (const slot of slots) {
    if (catalog.tasks?.some(({ id, available }) => id === slot.task && available) === false) continue;
    if (modelsForTask(slot.task).length === 0 && hasSlot(slot, null, catalog.models)) return { ...slot, model: null };
    const models = modelsWithSlot(slot, catalog);
    const model = models.find((id) => id === lastModel(slot.task)) ?? models[0];
    if (model) return { ...slot, model };
  }
  return null;
}
