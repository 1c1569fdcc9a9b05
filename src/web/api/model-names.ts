import { useQuery } from '@tanstack/react-query';
import { MODEL_NAMES } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import type { CatalogDisplay, Model, ProviderModel } from '#contract/resources/catalog.ts';
import { modelsQuery } from './queries/catalog.ts';

type LoadedModels = readonly Model[] | undefined;

export const findProviderModel = (model: ModelId, models: LoadedModels): ProviderModel | undefined =>
  models?.find(({ id }) => id === model)?.provider;

const findDisplay = (model: ModelId, models: LoadedModels): CatalogDisplay | undefined =>
  models?.find(({ id }) => id === model)?.display;

/** The administrator’s name of a model, its provider’s, or the catalog’s. @param models of the models query */
export const modelName = (model: ModelId, models: LoadedModels): string =>
  findDisplay(model, models)?.name ?? findProviderModel(model, models)?.name ?? MODEL_NAMES[model];

export const modelDescription = (model: ModelId, models: LoadedModels): string | undefined =>
  findDisplay(model, models)?.description ?? findProviderModel(model, models)?.description;

/** “OpenAI, via fal”; “OpenAI” if the maker runs it. */
export const formatMaker = ({ maker, via }: Pick<ProviderModel, 'maker' | 'via'>): string =>
  maker === via ? maker : `${maker}, via ${via}`;

/** Returns `modelName` for the loaded models. */
export function useModelName(): (model: ModelId) => string {
  const { data } = useQuery(modelsQuery);
  return (model) => modelName(model, data);
}
