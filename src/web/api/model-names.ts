import { useQuery } from '@tanstack/react-query';
import { MODEL_NAMES } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import type { Model, ProviderModel } from '#contract/resources/catalog.ts';
import { modelsQuery } from './queries/catalog.ts';

type LoadedModels = readonly Model[] | undefined;

export const findProviderModel = (model: ModelId, models: LoadedModels): ProviderModel | undefined =>
  models?.find(({ id }) => id === model)?.provider;

/** The name that its provider gives a model, or the one of the catalog. @param models of the models query */
export const modelName = (model: ModelId, models: LoadedModels): string =>
  findProviderModel(model, models)?.name ?? MODEL_NAMES[model];

/** “OpenAI, via fal”; “OpenAI” if the maker runs it. */
export const formatMaker = ({ maker, via }: Pick<ProviderModel, 'maker' | 'via'>): string =>
  maker === via ? maker : `${maker}, via ${via}`;

/** Returns `modelName` for the loaded models. */
export function useModelName(): (model: ModelId) => string {
  const { data } = useQuery(modelsQuery);
  return (model) => modelName(model, data);
}
