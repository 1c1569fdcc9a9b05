import { inputContract, MODEL_NAMES, modelsForTask } from '#contract/catalog.ts';
import { TASK_IDS, type AnyModelId, type ModelId } from '#contract/ids.ts';
import { findAddedModel } from '#contract/model-catalog.ts';
import { boundOf } from '#contract/money/price-order.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { fieldDefault, type InputContract } from '#contract/task.ts';
import type { AddedModel, ServedVersion } from '#server/models/added-models/added-models.ts';
import { findEngine, findRestrictions } from './offering.ts';
import { findEngineKind, isModelAvailable, type AvailabilityDeps } from './availability.ts';
import { inputJsonSchema } from './describe-task.ts';

const taskCache = new Map<ModelId, Model['tasks']>();

function describeModelTasks(model: ModelId): Model['tasks'] {
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
  const added = findAddedModel(deps.offering.current(), id);
  return added ? describeAddedModel(deps, added) : describeBuiltInModel(deps, id as ModelId);
}

const addedTasks = new WeakMap<ServedVersion, Model['tasks']>();

function describeAddedModel(
  deps: AvailabilityDeps,
  { id, name, description, current, sample_asset_id }: AddedModel,
): Model {
  const { task, contract, version, price, definition } = current;
  const tasks = addedTasks.get(current) ?? [
    { task, input_schema: inputJsonSchema(contract), defaults: inputDefaults(contract), engine: 'upstream' as const },
  ];
  addedTasks.set(current, tasks);
  const boundUsd = formatUsd(boundOf(current));
  return {
    id,
    object: 'model',
    name,
    available: isModelAvailable(deps, id),
    engine: 'upstream',
    tasks,
    added: {
      version,
      provider: definition.provider,
      description,
      sample_asset_id,
      contract,
      price,
      bound_usd: boundUsd,
    },
  };
}

function describeBuiltInModel(deps: AvailabilityDeps, id: ModelId): Model {
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
