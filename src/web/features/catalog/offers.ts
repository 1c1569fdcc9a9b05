import { inputContract, MODEL_NAMES, modelsOf, TASKS } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { readPrices } from '#contract/price-rows.ts';
import { type PriceBook, priceOf } from '#contract/pricing.ts';
import type { Model, Pricing, Task } from '#contract/resources/catalog.ts';
import type { Field, InputContract, MediaKind } from '#contract/task.ts';
import { type ComparedModel, modelHighlights, MOST_HIGHLIGHTS } from '#web/forms/model-highlights.ts';
import { PER_UNIT } from '#web/forms/price-lines.ts';
import type { CatalogSearch } from './catalog-search.ts';

export type PriceRow = Pricing['data'][number];

/** One task that can be ordered, with or without a model. */
export interface Offer {
  task: TaskId;
  model: ModelId | null;
  name: string;
  description: string;
  available: boolean;
  price: PriceRow | undefined;
  /** What runs it; undefined for tools, and where the service does not say. */
  engine: Model['engine'] | undefined;
  contract: InputContract | undefined;
}

/** A model with everything it does. */
export interface ModelOffers {
  model: ModelId;
  name: string;
  available: boolean;
  engine: Model['engine'];
  media: MediaKind;
  offers: Offer[];
  /** What tells it apart from the other available models. */
  highlights: string[];
}

export interface Catalog {
  tasks: readonly Task[];
  models: readonly Model[];
  prices: readonly PriceRow[];
}

function offerOf(task: TaskId, model: ModelId | null, { tasks, models, prices }: Catalog): Offer {
  const on = models.find(({ id }) => id === model);
  const own = on ? on.tasks.find((each) => each.task === task) : tasks.find(({ id }) => id === task);
  return {
    task,
    model,
    name: TASKS[task].name,
    description: TASKS[task].description,
    available: tasks.some(({ id, available }) => id === task && available),
    engine: own?.engine ?? on?.engine,
    price: prices.find((row) => row.task === task && row.model === model),
    contract: inputContract(task, model),
  };
}

const holds = (q: string | undefined, ...texts: string[]) =>
  q === undefined || texts.some((text) => text.toLowerCase().includes(q.toLowerCase()));

/** The models of a service that fit the search, with what each does. */
export function modelOffers(catalog: Catalog, { task, q }: CatalogSearch): ModelOffers[] {
  const book = readPrices(catalog.prices);
  return catalog.models.flatMap(({ id, available, engine, tasks }) => {
    const all = tasks.map((each) => offerOf(each.task, id, catalog));
    const offers = all.filter((offer) => task === undefined || offer.task === task);
    const [first] = offers;
    if (!first || !holds(q, MODEL_NAMES[id], id, ...offers.map(({ name }) => name))) return [];
    const media = TASKS[first.task].media_type;
    const highlights = highlightsOf(id, offers, catalog.models, book);
    return [{ model: id, name: MODEL_NAMES[id], available, engine, media, offers, highlights }];
  });
}

/** Facts that are true for every task of a card, as its tasks differ in prices; before them, what no other model does. */
function highlightsOf(model: ModelId, offers: readonly Offer[], models: readonly Model[], prices: PriceBook): string[] {
  const highlights = (task: TaskId) => modelHighlights(task, model, comparedModels(task, model, models, prices));
  const tasks = offers.map(({ task }) => task);
  const only = tasks.filter((task) => modelsOf(task).length === 1).flatMap(highlights);
  const [first = [], ...rest] = tasks.filter((task) => modelsOf(task).length > 1).map(highlights);
  const shared = first.filter((fact) => rest.every((facts) => facts.includes(fact)));
  return [...only, ...shared].slice(0, MOST_HIGHLIGHTS);
}

/** A model and those that can be used instead of it. */
function comparedModels(task: TaskId, model: ModelId, models: readonly Model[], prices: PriceBook): ComparedModel[] {
  const usable = models.filter(
    ({ id, available, tasks }) => (available || id === model) && tasks.some((each) => each.task === task),
  );
  return usable.flatMap(({ id }) => {
    const contract = inputContract(task, id);
    return contract ? [{ model: id, contract, price: priceOf(prices, task, id) }] : [];
  });
}

/** The tasks that need no model and fit the search. */
export function toolOffers(catalog: Catalog, { task, q }: CatalogSearch): Offer[] {
  return catalog.tasks
    .filter(({ id, requires_model }) => !requires_model && (task === undefined || task === id))
    .map(({ id }) => offerOf(id, null, catalog))
    .filter(({ name, description }) => holds(q, name, description));
}

export const isFree = ({ unit_price_usd, minimum_usd }: PriceRow) => !/[1-9]/.test(unit_price_usd + minimum_usd);

/** What the options of an offer do to its price: "Quality: High × 2.5, Max × 6". */
export const multiplierWords = ({ price, contract }: Pick<Offer, 'price' | 'contract'>): string[] =>
  (contract?.fields ?? []).flatMap((field) => {
    const options = Object.entries(price?.multipliers?.[field.name] ?? {});
    if (options.length === 0) return [];
    const words = options.map(([option, factor]) => `${optionWords(field, option)}\u00a0×\u00a0${Number(factor)}`);
    return [`${field.label}: ${words.join(', ')}`];
  });

function optionWords(field: Field, option: string): string {
  if (field.kind === 'boolean') return option === 'true' ? 'on' : 'off';
  return (field.kind === 'choice' && field.option_labels?.[option]) || option;
}

/** What a price is counted in: "per second". */
export const unitWords = ({ unit }: PriceRow): string => PER_UNIT[unit];

/** Whether the minimum says more than the unit price does. */
export const hasMinimum = ({ unit_price_usd, minimum_usd }: PriceRow) => Number(minimum_usd) > Number(unit_price_usd);
