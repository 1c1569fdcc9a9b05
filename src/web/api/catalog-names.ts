import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isTaskId, TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import { catalogName, isModelId } from '#web/api/known-models.ts';
import { modelsQuery, tasksQuery } from './queries/catalog.ts';

/**
 * Names of tasks and models in this installation: the administrator’s, else the catalog’s. Never the name of a
 * provider’s model, because past work may have been made by another provider; see `modelName` for what is offered now.
 */
export interface CatalogNames {
  task: (task: TaskId) => string;
  model: (model: AnyModelId) => string;
  /** The model, or the task if it has no model. */
  modelOrTask: (work: { task: TaskId; model: AnyModelId | null }) => string;
  /** undefined if the id is neither a task nor a model. */
  find: (id: string) => string | undefined;
}

type Labels = Readonly<Record<string, string>>;

const readLabels = (entries: readonly Pick<Task | Model, 'id' | 'display'>[]): Labels =>
  Object.fromEntries(entries.flatMap(({ id, display }) => (display ? [[id, display.name]] : [])));

/** @param labels names that administrators gave, by id */
export function createCatalogNames(labels: Labels = {}): CatalogNames {
  const task = (id: TaskId) => labels[id] ?? TASKS[id].name;
  const model = (id: AnyModelId) => labels[id] ?? catalogName(id);
  return {
    task,
    model,
    modelOrTask: (work) => (work.model ? model(work.model) : task(work.task)),
    find: (id) => (isModelId(id) ? model(id) : isTaskId(id) ? task(id) : undefined),
  };
}

/** The names of the loaded catalog; its original ones until it is loaded. */
export function useCatalogNames(): CatalogNames {
  const { data: tasks } = useQuery({ ...tasksQuery, select: readLabels });
  const { data: models } = useQuery({ ...modelsQuery, select: readLabels });
  return useMemo(() => createCatalogNames({ ...tasks, ...models }), [tasks, models]);
}
