import * as builtIn from '#contract/catalog.ts';
import { type AnyModelId, isAddedModelId, MODEL_IDS, TASK_IDS, type TaskId } from '#contract/ids.ts';
import {
  findContract,
  modelName,
  modelsOfTask,
  type ModelCatalog,
  type ModelRef,
  type OfferedModel,
} from '#contract/model-catalog.ts';
import type { Estimate, MediaLengths } from '#contract/money/estimate.ts';
import { priceOrder } from '#contract/money/price-order.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { InputContract } from '#contract/task.ts';
import { formatAddedPrice, type UnitPrice } from './added-pricing.ts';

/** Added models that the service listed last. Views read the models query beside it, which renders them again. */
let added: ModelCatalog['added'] = new Map();
let listed: readonly Model[] | null = null;

function toOfferedModel({ id, name, tasks, added: about }: Model): OfferedModel[] {
  const task = tasks[0]?.task;
  if (!about || task === undefined || !isAddedModelId(id)) return [];
  const current = { name, version: about.version, task, contract: about.contract, price: about.price };
  return [{ id, name, current, versions: new Map([[about.version, current]]) }];
}

/** Called with every list of models that was loaded. */
export function rememberModels(models: readonly Model[]): void {
  if (models === listed) return;
  listed = models;
  added = new Map(models.flatMap(toOfferedModel).map((model) => [model.id, model]));
}

/** The form of a task on a model, built-in or added; undefined if the pair does not exist. */
export const inputContract = (task: TaskId, model: AnyModelId | null): InputContract | undefined =>
  findContract({ added }, { task, model });

/** What an added model costs per unit; null for a built-in one. */
export function addedUnitPrice(model: AnyModelId | null): UnitPrice | null {
  const found = model !== null && isAddedModelId(model) ? added.get(model) : undefined;
  return found ? formatAddedPrice(found.current.price) : null;
}

/** Text fields whose length decides the price of a model. */
export function countedTexts(model: AnyModelId | null): readonly string[] {
  const quantity = model !== null && isAddedModelId(model) ? added.get(model)?.current.price.quantity : undefined;
  return quantity?.from === 'text' ? quantity.fields : [];
}

/** Computes a price in the browser. @throws {RangeError} if the model does not run the task */
export const priceInput = (
  prices: PriceBook,
  ref: ModelRef,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths,
): Estimate => priceOrder({ prices, added }, ref, input, lengths);

export const modelsForTask = (task: TaskId): AnyModelId[] => modelsOfTask({ added }, task);

/** The catalog’s name of a model; of an added one that is gone, its id. */
export const catalogName = (model: AnyModelId): string => modelName({ added }, model);

export const isModelId = (id: string): id is AnyModelId => builtIn.isModelId(id) || isAddedModelId(id);

/** A model of a URL; its list may still be loading, so any id of an added one counts. */
export const parseModel = (value: unknown): AnyModelId | undefined =>
  typeof value === 'string' && isModelId(value) ? value : undefined;

/** Every model that is offered. */
export const knownModels = (): readonly AnyModelId[] => [...MODEL_IDS, ...added.keys()];

/** Every task that is offered: those of added models only while there are some. */
export const knownTasks = (): readonly TaskId[] =>
  TASK_IDS.filter((task) => !builtIn.isAddedTaskId(task) || modelsForTask(task).length > 0);
