import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { parseUsd } from '#contract/money/money.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { InputContract } from '#contract/task.ts';
import { modelsForTask } from '#web/api/known-models.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import type { Validator } from '#web/forms/values/validator.ts';
import type { ReferenceInfo } from '#web/api/reference-info.ts';
import { type SwitchResult, findTargetField } from '#web/forms/models/switch-input.ts';
import { type CatalogAvailability, isModelEnabled } from '../create-selection.ts';
import type { Quote } from '#web/features/create/price/quote.ts';
import { hasPrice } from '#web/features/create/price/unit-price.ts';
import { quoteOnModel } from '#web/features/create/price/quote-on-model.ts';
import { findIncompatibilities } from './find-incompatibilities.ts';

export interface ModelComparisonRow {
  model: AnyModelId;
  quote: Quote;
  amount_micro_usd: bigint;
  /** null if the model of the form has no price. */
  differenceMicroUsd: bigint | null;
  /** Defaults that the switch would change. */
  changed: SwitchResult['changed'];
  inapplicable: string[];
  values: FormValues;
  contract: InputContract;
}

export interface IncompatibleModel {
  model: AnyModelId;
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
  model: AnyModelId;
  values: FormValues;
  validate: Validator;
  localOrigin: string | null;
  findMediaInfo: (url: string) => ReferenceInfo | undefined;
}

const isEmpty = (value: unknown): boolean => (value ?? '') === '' || (Array.isArray(value) && value.length === 0);

/** Fields that the other form does not have. Empty ones are no loss. */
function missingFieldLabels(from: InputContract, to: InputContract, values: FormValues): string[] {
  const sourceNames = new Set(from.fields.map(({ name }) => name));
  return from.fields
    .filter((field) => !isEmpty(values[field.name]) && !findTargetField(field, to, sourceNames))
    .map(({ label }) => label);
}

function compareModel(
  request: ModelComparisonRequest,
  from: InputContract,
  model: AnyModelId,
): ModelComparisonRow | IncompatibleModel {
  const { prices, catalog, task, values } = request;
  const contract = effectiveContract(task, model, catalog.models);
  if (!contract || !hasPrice(prices, task, model)) return { model, reasons: ['No price on this service.'] };
  if (!isModelEnabled(model, task, catalog)) return { model, reasons: ['Unavailable on this service.'] };
  const isCurrent = model === request.model;
  const reasons = isCurrent ? [] : findIncompatibilities(from, contract, values);
  if (reasons.length > 0) return { model, reasons };
  const priced = quoteOnModel({ ...request, from }, model, contract);
  if (!priced.ok) return { model, reasons: [priced.reason] };
  return {
    model,
    quote: priced.quote,
    amount_micro_usd: parseUsd(priced.quote.amount_usd),
    differenceMicroUsd: null,
    changed: priced.changed,
    inapplicable: missingFieldLabels(from, contract, values),
    values: priced.values,
    contract,
  };
}

const compareByPrice = (a: ModelComparisonRow, b: ModelComparisonRow) =>
  a.amount_micro_usd < b.amount_micro_usd ? -1 : 1;

export function compareModels(request: ModelComparisonRequest): ModelComparison {
  const from = effectiveContract(request.task, request.model, request.catalog.models);
  if (!from) return { rows: [], incompatible: [] };
  const results = modelsForTask(request.task).map((model) => compareModel(request, from, model));
  const rows = results.filter((result) => 'quote' in result).toSorted(compareByPrice);
  const current = rows.find(({ model }) => model === request.model);
  return {
    rows: rows.map((row) => ({
      ...row,
      differenceMicroUsd: current ? row.amount_micro_usd - current.amount_micro_usd : null,
    })),
    incompatible: results.filter((result) => 'reasons' in result),
  };
}
