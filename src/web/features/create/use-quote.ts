import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/pricing.ts';
import { mediaLengths, type PriceableInput, toPriceableBlank, toPriceableInput } from '#web/forms/priceable-input.ts';
import { type Quote, computeQuote, type EqualPriceDurations, findEqualPriceDurations } from './quote.ts';
import { usePrices } from './use-prices.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import type { FormValues } from '#web/forms/form-values.ts';
import { loadedValidator, onValidatorLoad } from '#web/forms/validator.ts';
import { localServiceOrigin, getReferenceInfo } from '#web/api/reference-info.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import { estimateQuery } from '#web/api/queries/estimate.ts';

export interface LiveQuote {
  /** null while something that decides the price is missing. */
  quote: Quote | null;
  /** What is missing, as a sentence. */
  blockedReason: string | null;
  /** The service could not be asked: the price is the published one. */
  isUnconfirmed: boolean;
  equalPriceDurations: EqualPriceDurations | null;
}

function computeLocalQuote(
  prices: PriceBook | null,
  task: TaskId,
  model: ModelId | null,
  form: InputForm,
  values: FormValues,
  priced: PriceableInput,
) {
  if (prices === null || priced.kind === 'blocked') return { here: null, same: null };
  const lengths = mediaLengths(form.contract, values, getReferenceInfo);
  const input = priced.kind === 'order' ? { ...values, ...priced.input } : priced.input;
  return {
    here: computeQuote(prices, task, model, input, lengths),
    same: findEqualPriceDurations(prices, task, model, form.contract, input, lengths),
  };
}

/** What the form as it stands would cost: reckoned here at once, then as the service says. */
export function useQuote(task: TaskId, model: ModelId | null, form: InputForm): LiveQuote {
  const values = useDebouncedValues(form);
  const judge = useSyncExternalStore(onValidatorLoad, loadedValidator);
  const priced = useMemo(
    () =>
      judge
        ? toPriceableInput(judge, form.contract, values, localServiceOrigin())
        : toPriceableBlank(form.contract, values),
    [judge, form, values],
  );
  const prices = usePrices();
  const { here, same } = useMemo(
    () => computeLocalQuote(prices, task, model, form, values, priced),
    [prices, task, model, form, values, priced],
  );
  const order = priced.kind === 'order' ? priced.input : null;
  const { data, isError } = useQuery({
    ...estimateQuery({ task, model, input: order ?? {} }),
    enabled: order !== null,
  });
  return {
    quote: (order && data) || here,
    blockedReason: priced.kind === 'blocked' ? priced.reason : null,
    isUnconfirmed: isError && order !== null,
    equalPriceDurations: same,
  };
}
