import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { findContract, type ModelCatalog, modelsOfTask } from '#contract/model-catalog.ts';
import type { CatalogDisplay, CatalogId } from '#contract/resources/catalog.ts';
import { PRICES } from '#contract/money/pricing.ts';
import { restrictContract } from '#contract/restrict-contract.ts';
import type { InputContract, Rule } from '#contract/task.ts';
import { type AddedModel, isModelVisible, type ModelViewer } from '#server/models/added-models/added-models.ts';
import { type DisabledCatalog, NOTHING_DISABLED } from '#server/models/config/read-engines.ts';
import type { Engine } from '#server/models/engine/upstream.ts';
import type { OfferedTextModel } from '#server/models/text/text-model.ts';

/** What this installation runs at one moment, and its prices. Connecting a provider replaces it as a whole. */
export interface Offering extends ModelCatalog<AddedModel> {
  /** In order of preference. Engines of replaced connections stay until their last job is done, but support nothing new. */
  engines: readonly Engine[];
  off: DisabledCatalog;
  /** Names that administrators gave to models and tasks. */
  labels: CatalogLabels;
  /** Improves prompts; null: none is connected. */
  text_model: OfferedTextModel | null;
}

export type CatalogLabels = ReadonlyMap<CatalogId, CatalogDisplay>;

/** The offering in force. Read it once per request, so that one request sees one offering. */
export interface OfferingSource {
  current(): Offering;
  /** Reads the connections again. Another process may have changed them within the last seconds. */
  refresh(): Promise<Offering>;
  /** @returns a function that ends the subscription */
  subscribe(listener: (offering: Offering) => void): () => void;
}

/** An offering that never changes; by default at the published prices and with nothing disabled. */
export function fixedOffering({
  engines,
  off = NOTHING_DISABLED,
  prices = PRICES,
  labels = new Map(),
}: Pick<Offering, 'engines'> & { [Name in 'off' | 'prices' | 'labels']?: Offering[Name] | undefined }): OfferingSource {
  const offering = { engines, off, prices, labels, added: new Map(), text_model: null };
  return { current: () => offering, refresh: async () => offering, subscribe: () => () => undefined };
}

/** The engine that runs a task on a model (null for a task without models); undefined if there is none. */
export const findEngine = (engines: readonly Engine[], task: TaskId, model: AnyModelId | null): Engine | undefined =>
  engines.find((engine) => engine.supports(task, model));

/** The models of a task that exist for somebody, built-in ones first. */
export const taskModels = (offering: Pick<Offering, 'added'>, task: TaskId, viewer: ModelViewer | null): AnyModelId[] =>
  modelsOfTask(offering, task, (model) => isModelVisible(model, viewer));

/** Rules that the provider behind a task adds to those of the contract: options that it does not support. */
export const findRestrictions = ({ engines }: Offering, task: TaskId, model: AnyModelId | null): readonly Rule[] =>
  findEngine(engines, task, model)?.restrictions ?? NO_RULES;

const NO_RULES: readonly Rule[] = [];

/** The input contract of a task with the restrictions of its provider; the same object for the same restrictions. */
export function offeredContract(offering: Offering, task: TaskId, model: AnyModelId | null): InputContract | undefined {
  const contract = findContract(offering, { task, model });
  return contract && restrictContract(contract, findRestrictions(offering, task, model));
}
