import { inputContract, modelsOf } from '#contract/catalog.ts';
import { estimate } from '#contract/estimate.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import { type PriceBook, priceOf } from '#contract/pricing.ts';
import type { InputContract } from '#contract/task.ts';
import { initialValues, type Values } from '#web/forms/input-values.ts';
import type { Judge } from '#web/forms/judge.ts';
import type { MediaInfo } from '#web/forms/media-info.ts';
import { switchInput, type Switched, targetOf } from '#web/forms/switch-input.ts';
import { type Catalog, isModelOn } from '../offer.ts';
import { mediaLengths, pricedInput } from '#web/forms/priced-input.ts';
import type { Quote } from '../price-story.ts';
import { misfits } from './misfits.ts';

/** A model that takes the input, with its price. */
export interface Rung {
  model: ModelId;
  quote: Quote;
  amount_micro_usd: bigint;
  /** Against the model of the form; null where that has no price. */
  difference_micro_usd: bigint | null;
  /** What the switch would change of what stood at its default. */
  changed: Switched['changed'];
  /** Labels of what it leaves no choice about. */
  without: string[];
  /** For the order; not judged yet. */
  values: Values;
  contract: InputContract;
}

export interface Misfit {
  model: ModelId;
  reasons: string[];
}

export interface Ladder {
  /** Cheapest first. */
  rungs: Rung[];
  misfits: Misfit[];
}

export interface LadderQuestion {
  prices: PriceBook;
  catalog: Catalog;
  task: TaskId;
  /** Of the form. */
  model: ModelId;
  values: Values;
  judge: Judge;
  local_origin: string | null;
  infoOf: (url: string) => MediaInfo | undefined;
}

const nothingChanged = (values: Values) => ({ values, changed: [] });

function lacking(from: InputContract, to: InputContract): string[] {
  const named = new Set(from.fields.map(({ name }) => name));
  return from.fields.filter((field) => !targetOf(field, to, named)).map(({ label }) => label);
}

function rungOf(question: LadderQuestion, from: InputContract, model: ModelId): Rung | Misfit {
  const { prices, catalog, task, values, judge, local_origin, infoOf } = question;
  const contract = inputContract(task, model);
  if (!contract || !priceOf(prices, task, model)) return { model, reasons: ['It has no price on this service.'] };
  if (!isModelOn(model, task, catalog)) return { model, reasons: ['It is switched off on this service.'] };
  const own = model === question.model;
  const reasons = own ? [] : misfits(from, contract, values);
  if (reasons.length > 0) return { model, reasons };
  const taken = own ? nothingChanged(values) : switchInput(from, contract, values);
  const priced = pricedInput(judge, contract, taken.values, local_origin);
  if (priced.kind === 'blocked') return { model, reasons: [priced.reason] };
  const lengths = mediaLengths(contract, taken.values, infoOf);
  const input = { ...initialValues(contract), ...priced.input };
  const { amount_micro_usd, minimum_micro_usd, basis, line_items } = estimate(prices, task, model, input, lengths);
  return {
    model,
    quote: { amount_usd: formatUsd(amount_micro_usd), minimum_usd: formatUsd(minimum_micro_usd), basis, line_items },
    amount_micro_usd,
    difference_micro_usd: null,
    changed: taken.changed,
    without: lacking(from, contract),
    values: taken.values,
    contract,
  };
}

const cheaper = (a: Rung, b: Rung) => (a.amount_micro_usd < b.amount_micro_usd ? -1 : 1);

/** The same input on every model of its task: what it costs where it fits, and why it does not elsewhere. */
export function priceLadder(question: LadderQuestion): Ladder {
  const from = inputContract(question.task, question.model);
  if (!from) return { rungs: [], misfits: [] };
  const steps = modelsOf(question.task).map((model) => rungOf(question, from, model));
  const rungs = steps.filter((step) => 'quote' in step).toSorted(cheaper);
  const own = rungs.find(({ model }) => model === question.model);
  return {
    rungs: rungs.map((rung) => ({
      ...rung,
      difference_micro_usd: own ? rung.amount_micro_usd - own.amount_micro_usd : null,
    })),
    misfits: steps.filter((step) => 'reasons' in step),
  };
}
