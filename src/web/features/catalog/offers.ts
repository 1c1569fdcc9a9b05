import { TASKS } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { findPrice, parsePrices, type PriceBook } from '#contract/money/pricing.ts';
import type { CatalogDisplay, Model, Pricing, ProviderModel, Task } from '#contract/resources/catalog.ts';
import type { InputContract, MediaKind } from '#contract/task.ts';
import { catalogName, modelsForTask } from '#web/api/known-models.ts';
import { findProviderModel, modelDescription, modelName, taskDescription, taskName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { supportedContract } from '#web/forms/models/supported-contract.ts';
import { type ComparedModel, modelHighlights, MAX_HIGHLIGHTS } from '#web/forms/models/model-highlights.ts';
import { formatAddedPrice } from '#web/api/added-pricing.ts';
import { PER_UNIT_LABELS } from '#web/forms/money/price-lines.ts';
import type { CatalogSearch } from './catalog-search.ts';

export type CatalogPrice = Pricing['data'][number];

export interface Offer {
  task: TaskId;
  model: AnyModelId | null;
  name: string;
  description: string;
  available: boolean;
  price: CatalogPrice | undefined;
  /** What an added model costs per unit, and the most that a run costs. */
  addedPrice?: { text: string; bound_usd: string };
  /** undefined for tools, and if the service does not report it. */
  engine: Model['engine'] | undefined;
  contract: InputContract | undefined;
  /** Name of the task in this installation. */
  display: CatalogDisplay | undefined;
}

export interface ModelOffers {
  model: AnyModelId;
  /** The administrator’s, the provider’s or the catalog’s, in this order. */
  name: string;
  description: string | undefined;
  display: CatalogDisplay | undefined;
  provider: ProviderModel | undefined;
  available: boolean;
  engine: Model['engine'];
  media: MediaKind;
  offers: Offer[];
  /** What distinguishes it from the other available models. */
  highlights: string[];
}

export interface PricedCatalog {
  tasks: readonly Task[];
  models: readonly Model[];
  prices: readonly CatalogPrice[];
}

function acceptedContract(task: TaskId, model: AnyModelId | null, models: readonly Model[]): InputContract | undefined {
  const contract = effectiveContract(task, model, models);
  return contract && supportedContract(contract);
}

function buildOffer(task: TaskId, model: AnyModelId | null, { tasks, models, prices }: PricedCatalog): Offer {
  const listed = models.find(({ id }) => id === model);
  const details = listed ? listed.tasks.find((each) => each.task === task) : tasks.find(({ id }) => id === task);
  const display = tasks.find(({ id }) => id === task)?.display;
  return {
    task,
    model,
    name: taskName(task, tasks),
    description: taskDescription(task, tasks),
    display,
    available: tasks.some(({ id, available }) => id === task && available),
    engine: details?.engine ?? listed?.engine,
    price: prices.find((row) => row.task === task && row.model === model),
    contract: acceptedContract(task, model, models),
    ...(listed?.added
      ? { addedPrice: { text: formatAddedPrice(listed.added.price).price, bound_usd: listed.added.bound_usd } }
      : {}),
  };
}

const matchesQuery = (q: string | undefined, ...texts: string[]) =>
  q === undefined || texts.some((text) => text.toLowerCase().includes(q.toLowerCase()));

export function modelOffers(catalog: PricedCatalog, { task, q }: CatalogSearch): ModelOffers[] {
  const book = parsePrices(catalog.prices);
  return catalog.models.flatMap(({ id, available, engine, tasks, display }) => {
    const all = tasks.map((each) => buildOffer(each.task, id, catalog));
    const offers = all.filter((offer) => task === undefined || offer.task === task);
    const [first] = offers;
    const provider = findProviderModel(id, catalog.models);
    const name = modelName(id, catalog.models);
    const texts = [name, catalogName(id), id, ...(provider ? [provider.name, provider.maker, provider.via] : [])];
    if (!first || !matchesQuery(q, ...texts, ...offers.map((offer) => offer.name))) return [];
    const media = TASKS[first.task].media_type;
    const highlights = highlightsOf(id, offers, catalog, book);
    const description = modelDescription(id, catalog.models);
    return [{ model: id, name, description, display, provider, available, engine, media, offers, highlights }];
  });
}

/** Highlights of a card: tasks that no other model has, then facts that hold for all its tasks, since prices differ. */
function highlightsOf(
  model: AnyModelId,
  offers: readonly Offer[],
  { tasks: all, models }: PricedCatalog,
  prices: PriceBook,
): string[] {
  const highlights = (task: TaskId) =>
    modelHighlights(task, model, comparedModels(task, model, models, prices), taskName(task, all));
  const tasks = offers.map(({ task }) => task);
  const only = tasks.filter((task) => modelsForTask(task).length === 1).flatMap(highlights);
  const [first = [], ...rest] = tasks.filter((task) => modelsForTask(task).length > 1).map(highlights);
  const shared = first.filter((fact) => rest.every((facts) => facts.includes(fact)));
  return [...only, ...shared].slice(0, MAX_HIGHLIGHTS);
}

function comparedModels(task: TaskId, model: AnyModelId, models: readonly Model[], prices: PriceBook): ComparedModel[] {
  const usable = models.filter(
    ({ id, available, tasks }) => (available || id === model) && tasks.some((each) => each.task === task),
  );
  return usable.flatMap(({ id }) => {
    const contract = acceptedContract(task, id, models);
    return contract ? [{ model: id, contract, price: findPrice(prices, task, id) }] : [];
  });
}

/** Tasks as such: tools with their price, or tasks that models run, whose prices are those of the models. */
export function taskOffers(kind: 'tools' | 'model_tasks', catalog: PricedCatalog, { task, q }: CatalogSearch): Offer[] {
  return catalog.tasks
    .filter(({ requires_model }) => requires_model === (kind === 'model_tasks'))
    .filter(({ id }) => task === undefined || task === id)
    .map(({ id }) => buildOffer(id, null, catalog))
    .filter(({ task: id, name, description }) => matchesQuery(q, name, description, TASKS[id].name));
}

export const isFree = ({ unit_price_usd, minimum_usd }: CatalogPrice) => !/[1-9]/.test(unit_price_usd + minimum_usd);

/** Formats the unit of a price: "per second". */
export const unitLabel = ({ unit }: CatalogPrice): string => PER_UNIT_LABELS[unit];

export const hasMinimum = ({ unit_price_usd, minimum_usd }: CatalogPrice) =>
  Number(minimum_usd) > Number(unit_price_usd);
