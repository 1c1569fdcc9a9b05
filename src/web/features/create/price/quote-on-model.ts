import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { InputContract } from '#contract/task.ts';
import type { ReferenceInfo } from '#web/api/reference-info.ts';
import { initialValues, type FormValues } from '#web/forms/values/form-values.ts';
import { mediaLengths, toPriceableBlank, toPriceableInput } from '#web/forms/values/priceable-input.ts';
import { switchInput, type SwitchResult } from '#web/forms/models/switch-input.ts';
import type { Validator } from '#web/forms/values/validator.ts';
import { computeQuote, type Quote } from './quote.ts';

interface QuoteRequest {
  prices: PriceBook;
  task: TaskId;
  /** The contract of the form, and its values. */
  from: InputContract;
  values: FormValues;
  /** null until it is loaded. */
  validate: Validator | null;
  localOrigin: string | null;
  findMediaInfo: (url: string) => ReferenceInfo | undefined;
}

export type ModelQuote =
  | { ok: true; quote: Quote; values: FormValues; changed: SwitchResult['changed'] }
  | { ok: false; reason: string };

/** What the values of a form cost on a model of its task. @param contract of that model */
export function quoteOnModel(request: QuoteRequest, model: AnyModelId, contract: InputContract): ModelQuote {
  const { prices, task, from, validate, localOrigin, findMediaInfo } = request;
  const { values, changed } =
    from === contract ? { values: request.values, changed: [] } : switchInput(from, contract, request.values);
  const priced = validate
    ? toPriceableInput(validate, contract, values, localOrigin)
    : toPriceableBlank(contract, values);
  if (priced.kind === 'blocked') return { ok: false, reason: priced.reason };
  const lengths = mediaLengths(contract, values, findMediaInfo);
  const input = { ...initialValues(contract), ...priced.input };
  return { ok: true, quote: computeQuote(prices, task, model, input, lengths), values, changed };
}
