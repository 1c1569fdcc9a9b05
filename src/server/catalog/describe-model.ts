import { inputContract, MODEL_NAMES, modelsOf } from '#contract/catalog.ts';
import { TASK_IDS, type ModelId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { defaultOf, type InputContract } from '#contract/task.ts';
import { isModelAvailable, type Offering } from '../generations/availability.ts';
import { inputJsonSchema } from './describe-task.ts';
import { engineKind } from './engine-kind.ts';

const described = new Map<ModelId, Model['tasks']>();

function tasksOf(model: ModelId): Model['tasks'] {
  const known = described.get(model);
  if (known) return known;
  const tasks = TASK_IDS.flatMap((task) => {
    const contract = modelsOf(task).includes(model) ? inputContract(task, model) : undefined;
    return contract ? [{ task, input_schema: inputJsonSchema(contract), defaults: defaultsOf(contract) }] : [];
  });
  described.set(model, tasks);
  return tasks;
}

const defaultsOf = ({ fields }: InputContract): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((field) => [field.name, defaultOf(field)]).filter(([, preset]) => preset !== undefined),
  );

/** A model as the catalog lists it, with what runs it here. */
export function describeModel(offering: Offering, id: ModelId): Model {
  const tasks = tasksOf(id).map((each) => {
    const engine = engineKind(offering, each.task, id);
    return { ...each, ...(engine ? { engine } : {}) };
  });
  return {
    id,
    object: 'model',
    name: MODEL_NAMES[id],
    available: isModelAvailable(offering, id),
    engine: tasks.some(({ engine }) => engine === 'upstream') ? 'upstream' : 'preview',
    tasks,
  };
}
