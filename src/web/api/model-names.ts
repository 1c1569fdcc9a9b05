import { useQuery } from '@tanstack/react-query';
import { TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { CatalogDisplay, Model, ProviderModel, Task } from '#contract/resources/catalog.ts';
import { catalogName } from '#web/api/known-models.ts';
import { modelsQuery } from './queries/catalog.ts';

type LoadedModels = readonly Model[] | undefined;

export const findProviderModel = (model: AnyModelId, models: LoadedModels): ProviderModel | undefined =>
  models?.find(({ id }) => id === model)?.provider;

const findDisplay = (model: AnyModelId, models: LoadedModels): CatalogDisplay | undefined =>
  models?.find(({ id }) => id === model)?.display;

/** The administrator’s name of a model, its provider’s, or the catalog’s. @param models of the models query */
export const modelName = (model: AnyModelId, models: LoadedModels): string =>
  findDisplay(model, models)?.name ?? findProviderModel(model, models)?.name ?? catalogName(model);

export const modelDescription = (model: AnyModelId, models: LoadedModels): string | undefined =>
  findDisplay(model, models)?.description ??
  findProviderModel(model, models)?.description ??
  models?.find(({ id }) => id === model)?.added?.description ??
  undefined;

const findTaskDisplay = (task: TaskId, tasks: readonly Task[] | undefined): CatalogDisplay | undefined =>
  tasks?.find(({ id }) => id === task)?.display;

/** The administrator’s name of a task, else the catalog’s. @param tasks of the tasks query */
export const taskName = (task: TaskId, tasks: readonly Task[] | undefined): string =>
  findTaskDisplay(task, tasks)?.name ?? TASKS[task].name;

export const taskDescription = (task: TaskId, tasks: readonly Task[] | undefined): string =>
  findTaskDisplay(task, tasks)?.description ?? TASKS[task].description;

/** “OpenAI, via fal”; “OpenAI” if the maker runs it. */
export const formatMaker = ({ maker, via }: Pick<ProviderModel, 'maker' | 'via'>): string =>
  maker === via ? maker : `${maker}, via ${via}`;

/** Returns `modelName` for the loaded models. */
export function useModelName(): (model: AnyModelId) => string {
  const { data } = useQuery(modelsQuery);
  return (model) => modelName(model, data);
}
