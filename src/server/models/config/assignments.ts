import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { MODEL_IDS, type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import { ADAPTERS } from './adapters.ts';
import type { EnginesFile } from './engines-schema.ts';
import type { ValidationProblem } from '#server/platform/core/validation-problems.ts';

export interface Assignment {
  task: TaskId;
  model: ModelId | null;
  engine: string;
  /** From general to specific; the most specific option wins. */
  layers: { path: string; options: Readonly<Record<string, unknown>> }[];
}

const MODEL_ENTRY_KEYS = ['engine', 'tasks'];
export const omitKeys = (value: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** An unknown engine counts as supporting the task; it is reported elsewhere. */
function supportsTask(file: EnginesFile, engine: string, task: TaskId): boolean {
  const entry = file.engines[engine];
  const tasks = entry && ADAPTERS[entry.adapter].tasks;
  return !tasks || tasks.includes(task);
}

export function resolveAssignments(file: EnginesFile, problems: ValidationProblem[]): Assignment[] {
  const assignments: Assignment[] = [];
  for (const model of MODEL_IDS) {
    const entry = file.models[model];
    if (!entry) continue;
    const path = `models.${model}`;
    const supportedTasks = TASK_IDS.filter((task) => modelsForTask(task).includes(model));
    const namedTasks = Object.keys(entry.tasks ?? {});
    for (const task of namedTasks.filter((id) => !supportedTasks.some((task) => task === id)))
      problems.push({
        path: `${path}.tasks.${task}`,
        message: `is not a task of this model; it supports ${supportedTasks.join(', ')}`,
      });
    if (!entry.tasks && !supportedTasks.some((task) => supportsTask(file, entry.engine, task)))
      problems.push({
        path: `${path}.engine`,
        message: `is ${entry.engine}, which supports no task of this model`,
      });
    const modelLayer = { path, options: omitKeys(entry, MODEL_ENTRY_KEYS) };
    for (const task of supportedTasks) {
      const override = entry.tasks?.[task];
      if (entry.tasks ? !override : !supportsTask(file, entry.engine, task)) continue;
      if (!supportsTask(file, entry.engine, task))
        problems.push({ path: `${path}.tasks.${task}`, message: `is not supported by ${entry.engine}` });
      const layers = override ? [modelLayer, { path: `${path}.tasks.${task}`, options: override }] : [modelLayer];
      assignments.push({ task, model, engine: entry.engine, layers });
    }
  }
  for (const task of TASK_IDS) {
    const entry = file.tasks[task];
    if (!entry) continue;
    const path = `tasks.${task}`;
    if (inputContract(task, null))
      assignments.push({
        task,
        model: null,
        engine: entry.engine,
        layers: [{ path, options: omitKeys(entry, ['engine']) }],
      });
    else problems.push({ path, message: 'is a task with models: configure it under “models”' });
  }
  return assignments;
}
