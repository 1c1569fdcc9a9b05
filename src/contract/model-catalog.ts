import type { AddedPrice } from './added-models/prices/price-schema.ts';
import { inputContract, isModelId, MODEL_NAMES, modelsForTask } from './catalog.ts';
import type { AddedModelId, AnyModelId, TaskId } from './ids.ts';
import type { PriceBook } from './money/pricing.ts';
import type { InputContract } from './task.ts';

/** A version of an added model, as people order it. */
export interface OfferedVersion {
  name: string;
  version: number;
  task: TaskId;
  contract: InputContract;
  /** Markup included. */
  price: AddedPrice;
}

export interface OfferedModel<Version extends OfferedVersion = OfferedVersion> {
  id: AddedModelId;
  name: string;
  current: Version;
  versions: ReadonlyMap<number, Version>;
}

/** Built-in models at their prices, and added ones. */
export interface ModelCatalog<Model extends OfferedModel = OfferedModel> {
  prices: PriceBook;
  added: ReadonlyMap<AddedModelId, Model>;
}

/** What a row says that it runs. */
export interface ModelRef {
  task: TaskId;
  model: AnyModelId | null;
  /** Of an added model; without it, the current one. */
  model_version?: number | null | undefined;
}

type Added<Model extends OfferedModel> = Pick<ModelCatalog<Model>, 'added'>;

export function findAddedModel<Model extends OfferedModel>(
  { added }: Added<Model>,
  model: AnyModelId | null,
): Model | undefined {
  return model === null || isModelId(model) ? undefined : added.get(model);
}

export function findAddedVersion<Version extends OfferedVersion>(
  catalog: Added<OfferedModel<Version>>,
  { model, model_version }: ModelRef,
): Version | undefined {
  const found = findAddedModel(catalog, model);
  return model_version == null ? found?.current : found?.versions.get(model_version);
}

/**
 * Returns the input contract of a task on a model (null for a task without models), of an added model in the version of
 * the row; undefined if the pair does not exist.
 */
export function findContract(catalog: Added<OfferedModel>, ref: ModelRef): InputContract | undefined {
  if (ref.model === null || isModelId(ref.model)) return inputContract(ref.task, ref.model);
  const version = findAddedVersion(catalog, ref);
  return version?.task === ref.task ? version.contract : undefined;
}

/** Returns the models that run a task, built-in ones first. */
export const modelsOfTask = <Model extends OfferedModel>(
  { added }: Added<Model>,
  task: TaskId,
  isVisible: (model: Model) => boolean = () => true,
): AnyModelId[] => [
  ...modelsForTask(task),
  ...[...added.values()].filter((model) => model.current.task === task && isVisible(model)).map(({ id }) => id),
];

/** The name of a model for people; of one that is not known, its id. */
export const modelName = (catalog: Added<OfferedModel>, model: AnyModelId): string =>
  isModelId(model) ? MODEL_NAMES[model] : (findAddedModel(catalog, model)?.name ?? model);
