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

export interface ModelComparisonRow {
  model: ModelId;
  quote: Quote;
  amount_micro_usd: bigint;
  /** null if the model of the form has no price. */
  difference_micro_usd: bigint | null;
  /** Defaults that the switch would change. */
  changed: SwitchResult['changed'];
  inapplicable: string[];
  values: FormValues;
  contract: InputContract;
}

export interface IncompatibleModel {
  model: ModelId;
  reasons: string[];
}

export interface ModelComparison {
  rows: ModelComparisonRow[];
  incompatible: IncompatibleModel[];
}

export interface ModelComparisonRequest {
  prices: PriceBook;
  catalog: CatalogAvailability;
  task: TaskId;
  model: ModelId;
  values: FormValues;
  validate: Validator;
  local_origin: string | null;
  findMediaInfo: (url: string) => ReferenceInfo | undefined;
}

function missingFieldLabels(from: InputContract, to: InputContract): string[] {
  const sourceNames = new Set(from.fields.map(({ name }) => name));
  return from.fields.filter((field) => !findTargetField(field, to, sourceNames)).map(({ label }) => label);
}

function compareModel(
  request: ModelComparisonRequest,
  from: InputContract,
  model: ModelId,
): ModelComparisonRow | IncompatibleModel {
  const { prices, catalog, task, values, validate, local_origin, findMediaInfo } = request;
  const contract = inputContract(task, model);
  if (!contract || !findPrice(prices, task, model)) return { model, reasons: ['No price on this service.'] };
  if (!isModelEnabled(model, task, catalog)) return { model, reasons: ['Unavailable on this service.'] };
  const is_current = model === request.model;
  const reasons = is_current ? [] : findIncompatibilities(from, contract, values);
  if (reasons.length > 0) return { model, reasons };
  const switched = is_current ? { values, changed: [] } : switchInput(from, contract, values);
  const priced = toPriceableInput(validate, contract, switched.values, local_origin);
  if (priced.kind === 'blocked') return { model, reasons: [priced.reason] };
  const lengths = mediaLengths(contract, switched.values, findMediaInfo);
  const input = { ...initialValues(contract), ...priced.input };
  const { amount_micro_usd, minimum_micro_usd, basis, line_items } = estimate(prices, task, model, input, lengths);
  return {
    model,
    quote: { amount_usd: formatUsd(amount_micro_usd), minimum_usd: formatUsd(minimum_micro_usd), basis, line_items },
    amount_micro_usd,
    difference_micro_usd: null,
    changed: switched.changed,
    inapplicable: missingFieldLabels(from, contract),
    values: switched.values,
    contract,
  };
}

const compareByPrice = (a: ModelComparisonRow, b: ModelComparisonRow) =>
  a.amount_micro_usd < b.amount_micro_usd ? -1 : 1;

export function compareModels(request: ModelComparisonRequest): ModelComparison {
  const from = inputContract(request.task, request.model);
  if (!from) return { rows: [], incompatible: [] };
  const results = modelsForTask(request.task).map((model) => compareModel(request, from, model));
  const rows = results.filter((result) => 'quote' in result).toSorted(compareByPrice);
  const current = rows.find(({ model }) => model === request.model);
  return {
    rows: rows.map((row) => ({
      ...row,
      difference_micro_usd: current ? row.amount_micro_usd - current.amount_micro_usd : null,
    })),
    incompatible: results.filter((result) => 'reasons' in result),
  };
}
