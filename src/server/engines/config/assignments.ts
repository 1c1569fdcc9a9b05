import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { MODEL_IDS, type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { ADAPTERS } from './adapters.ts';
import type { EnginesFile } from './engines-schema.ts';
import type { ValidationProblem } from '#server/core/validation-problems.ts';

/** What one engine is to do. */
export interface Assignment {
  task: TaskId;
  model: ModelId | null;
  engine: string;
  /** From the farthest to the nearest; the nearest that gives an option wins. */
  layers: { path: string; options: Readonly<Record<string, unknown>> }[];
}

const MODEL_ENTRY_KEYS = ['engine', 'tasks'];
export const omitKeys = (value: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Whether the kind of an engine does a task; an engine that is not there is told elsewhere. */
function supportsTask(file: EnginesFile, engine: string, task: TaskId): boolean {
  const entry = file.engines[engine];
  const tasks = entry && ADAPTERS[entry.adapter].tasks;
  return !tasks || tasks.includes(task);
}

/** Who does which task on which model. @param problems filled with what can't be */
export function resolveAssignments(file: EnginesFile, problems: ValidationProblem[]): Assignment[] {
  const found: Assignment[] = [];
  for (const model of MODEL_IDS) {
    const entry = file.models[model];
    if (!entry) continue;
    const path = `models.${model}`;
    const runs = TASK_IDS.filter((task) => modelsForTask(task).includes(model));
    const named = Object.keys(entry.tasks ?? {});
    for (const task of named.filter((id) => !runs.some((each) => each === id)))
      problems.push({ path: `${path}.tasks.${task}`, message: `is no task of this model; it runs ${runs.join(', ')}` });
    if (!entry.tasks && !runs.some((task) => supportsTask(file, entry.engine, task)))
      problems.push({
        path: `${path}.engine`,
        message: `is ${entry.engine}, which can do nothing that this model does`,
      });
    const own = { path, options: omitKeys(entry, MODEL_ENTRY_KEYS) };
    for (const task of runs) {
      const override = entry.tasks?.[task];
      if (entry.tasks ? !override : !supportsTask(file, entry.engine, task)) continue;
      if (!supportsTask(file, entry.engine, task))
        problems.push({ path: `${path}.tasks.${task}`, message: `is nothing that ${entry.engine} can do` });
      const layers = override ? [own, { path: `${path}.tasks.${task}`, options: override }] : [own];
      found.push({ task, model, engine: entry.engine, layers });
    }
  }
  for (const task of TASK_IDS) {
    const entry = file.tasks[task];
    if (!entry) continue;
    const path = `tasks.${task}`;
    if (inputContract(task, null))
      found.push({ task, model: null, engine: entry.engine, layers: [{ path, options: omitKeys(entry, ['engine']) }] });
    else problems.push({ path, message: 'is a task of models: say it under “models”' });
  }
  return found;
}
