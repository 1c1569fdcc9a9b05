import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import { getReferenceInfo, localServiceOrigin } from '#web/api/reference-info.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import type { Validator } from '#web/forms/values/validator.ts';
import type { CatalogAvailability } from '#web/features/create/create-selection.ts';
import { hasPrice } from './unit-price.ts';
import { quoteOnModel } from './quote-on-model.ts';

/** What the form costs on a model: "$0.03"; null while it is unknown. */
export function formPrice(
  prices: PriceBook | null,
  task: TaskId,
  model: AnyModelId,
  { models }: CatalogAvailability,
  form: InputForm,
  validate: Validator | null,
): string | null {
  const contract = effectiveContract(task, model, models);
  if (!contract || !prices || !hasPrice(prices, task, model)) return null;
  const request = { prices, task, from: form.contract, values: form.values(), validate };
  const origin = { localOrigin: localServiceOrigin(), findMediaInfo: getReferenceInfo };
  const priced = quoteOnModel({ ...request, ...origin }, model, contract);
  return priced.ok ? priceLabel(priced.quote) : null;
}
