import { inputContract, MODEL_NAMES, modelsForTask } from '#contract/catalog.ts';
import { TASK_IDS, type AnyModelId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { fieldDefault, type InputContract } from '#contract/task.ts';
import { findEngine, findRestrictions } from './offering.ts';
import { findEngineKind, isModelAvailable, type AvailabilityDeps } from './availability.ts';
import { inputJsonSchema } from './describe-task.ts';

const taskCache = new Map<AnyModelId, Model['tasks']>();

function describeModelTasks(model: AnyModelId): Model['tasks'] {
  const cached = taskCache.get(model);
  if (cached) return cached;
  const tasks = TASK_IDS.flatMap((task) => {
    const contract = modelsForTask(task).includes(model) ? inputContract(task, model) : undefined;
    return contract ? [{ task, input_schema: inputJsonSchema(contract), defaults: inputDefaults(contract) }] : [];
  });
  taskCache.set(model, tasks);
  return tasks;
}

const inputDefaults = ({ fields }: InputContract): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((field) => [field.name, fieldDefault(field)]).filter(([, preset]) => preset !== undefined),
  );

export function describeModel(deps: AvailabilityDeps, id: AnyModelId): Model {
  const tasks = describeModelTasks(id).map((description) => {
    const engine = findEngineKind(deps, description.task, id);
    const restrictions = findRestrictions(deps.offering.current(), description.task, id);
    return {
      ...description,
      ...(engine ? { engine } : {}),
      ...(restrictions.length > 0 ? { restrictions: [...restrictions] } : {}),
    };
  });
  const engines = tasks.map(({ task }) => findEngine(deps.offering.current().engines, task, id));
  const provider = engines.map((engine) => engine && 'adapter' in engine && engine.provider_model).find(Boolean);
  const display = deps.offering.current().labels.get(id);
  return {
    id,
    object: 'model',
    name: MODEL_NAMES[id],
    available: isModelAvailable(deps, id),
    engine: tasks.some(({ engine }) => engine === 'upstream') ? 'upstream' : 'preview',
    ...(provider ? { provider } : {}),
    ...(display ? { display } : {}),
    tasks,
  };
}
