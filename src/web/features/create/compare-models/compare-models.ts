import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { estimate } from '#contract/estimate.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import { type PriceBook, findPrice } from '#contract/pricing.ts';
import type { InputContract } from '#contract/task.ts';
import { initialValues, type FormValues } from '#web/forms/form-values.ts';
import type { Validator } from '#web/forms/validator.ts';
import type { ReferenceInfo } from '#web/api/reference-info.ts';
import { switchInput, type SwitchResult, findTargetField } from '#web/forms/switch-input.ts';
import { type CatalogAvailability, isModelEnabled } from '../create-selection.ts';
import { mediaLengths, toPriceableInput } from '#web/forms/priceable-input.ts';
import type { Quote } from '../quote.ts';
import { findIncompatibilities } from './find-incompatibilities.ts';

/** A model that takes the input, with its price. */
export interface ModelComparisonRow {
  model: ModelId;
  quote: Quote;
  amount_micro_usd: bigint;
  /** Against the model of the form; null where that has no price. */
  difference_micro_usd: bigint | null;
  /** What the switch would change of what stood at its default. */
  changed: SwitchResult['changed'];
  /** Labels of what it leaves no choice about. */
  inapplicable: string[];
  /** For the order; not judged yet. */
  values: FormValues;
  contract: InputContract;
}

export interface IncompatibleModel {
  model: ModelId;
  reasons: string[];
}

export interface ModelComparison {
  /** Cheapest first. */
  rows: ModelComparisonRow[];
  incompatible: IncompatibleModel[];
}

export interface ModelComparisonRequest {
  prices: PriceBook;
  catalog: CatalogAvailability;
  task: TaskId;
  /** Of the form. */
  model: ModelId;
  values: FormValues;
  validate: Validator;
  local_origin: string | null;
  findMediaInfo: (url: string) => ReferenceInfo | undefined;
}

const unchangedInput = (values: FormValues) => ({ values, changed: [] });

function missingFieldLabels(from: InputContract, to: InputContract): string[] {
  const named = new Set(from.fields.map(({ name }) => name));
  return from.fields.filter((field) => !findTargetField(field, to, named)).map(({ label }) => label);
}

function compareModel(
  question: ModelComparisonRequest,
  from: InputContract,
  model: ModelId,
): ModelComparisonRow | IncompatibleModel {
  const { prices, catalog, task, values, validate, local_origin, findMediaInfo } = question;
  const contract = inputContract(task, model);
  if (!contract || !findPrice(prices, task, model)) return { model, reasons: ['It has no price on this service.'] };
  if (!isModelEnabled(model, task, catalog)) return { model, reasons: ['It is switched off on this service.'] };
  const own = model === question.model;
  const reasons = own ? [] : findIncompatibilities(from, contract, values);
  if (reasons.length > 0) return { model, reasons };
  const taken = own ? unchangedInput(values) : switchInput(from, contract, values);
  const priced = toPriceableInput(validate, contract, taken.values, local_origin);
  if (priced.kind === 'blocked') return { model, reasons: [priced.reason] };
  const lengths = mediaLengths(contract, taken.values, findMediaInfo);
  const input = { ...initialValues(contract), ...priced.input };
  const { amount_micro_usd, minimum_micro_usd, basis, line_items } = estimate(prices, task, model, input, lengths);
  return {
    model,
    quote: { amount_usd: formatUsd(amount_micro_usd), minimum_usd: formatUsd(minimum_micro_usd), basis, line_items },
    amount_micro_usd,
    difference_micro_usd: null,
    changed: taken.changed,
    inapplicable: missingFieldLabels(from, contract),
    values: taken.values,
    contract,
  };
}

const compareByPrice = (a: ModelComparisonRow, b: ModelComparisonRow) =>
  a.amount_micro_usd < b.amount_micro_usd ? -1 : 1;

/** The same input on every model of its task: what it costs where it fits, and why it does not elsewhere. */
export function compareModels(question: ModelComparisonRequest): ModelComparison {
  const from = inputContract(question.task, question.model);
  if (!from) return { rows: [], incompatible: [] };
  const steps = modelsForTask(question.task).map((model) => compareModel(question, from, model));
  const rungs = steps.filter((step) => 'quote' in step).toSorted(compareByPrice);
  const own = rungs.find(({ model }) => model === question.model);
  return {
    rows: rungs.map((rung) => ({
      ...rung,
      difference_micro_usd: own ? rung.amount_micro_usd - own.amount_micro_usd : null,
    })),
    incompatible: steps.filter((step) => 'reasons' in step),
  };
}
