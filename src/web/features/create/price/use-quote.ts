import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import { countedTexts } from '#web/api/known-models.ts';
import { mediaLengths, type PriceableInput } from '#web/forms/values/priceable-input.ts';
import type { EqualPriceDurations } from '#web/forms/money/equal-price-durations.ts';
import { type Quote, computeQuote, findEqualPriceDurations } from './quote.ts';
import { usePrices } from './use-prices.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import { getReferenceInfo } from '#web/api/reference-info.ts';
import { usePriceableInput } from '#web/forms/use-debounced-values.ts';
import { clipLengthProblem, limitedClip } from '#web/forms/clip-length.ts';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { estimateQuery } from '#web/api/queries/catalog.ts';

export interface LiveQuote {
  quote: Quote | null;
  blockedReason: string | null;
  /** The service did not respond: the quote is based on published prices. */
  isUnconfirmed: boolean;
  equalPriceDurations: EqualPriceDurations | null;
}

function computeLocalQuote(
  prices: PriceBook | null,
  task: TaskId,
  model: AnyModelId | null,
  form: InputForm,
  values: FormValues,
  priced: PriceableInput,
) {
  if (prices === null || priced.kind === 'blocked') return { localQuote: null, equalPriceDurations: null };
  const lengths = mediaLengths(form.contract, values, getReferenceInfo);
  const input = priced.kind === 'complete' ? { ...values, ...priced.input } : priced.input;
  return {
    localQuote: computeQuote(prices, task, model, input, lengths),
    equalPriceDurations: findEqualPriceDurations(prices, task, model, form.contract, input, lengths),
  };
}

export function useQuote(task: TaskId, model: AnyModelId | null, form: InputForm): LiveQuote {
  const { values, priced } = usePriceableInput(form);
  const prices = usePrices();
  const { localQuote, equalPriceDurations } = useMemo(
    () => computeLocalQuote(prices, task, model, form, values, priced),
    [prices, task, model, form, values, priced],
  );
  const clip = limitedClip(form.contract, values);
  const clipInfo = useReferenceDetails(clip?.url ?? '');
  const lengthProblem = clip && clipLengthProblem(clip.field, clipInfo);
  const unwritten = form.contract.fields.find(({ name }) => countedTexts(model).includes(name) && !values[name]);
  const input = priced.kind === 'complete' && !unwritten && !lengthProblem ? priced.input : null;
  const { data, isError } = useQuery({
    ...estimateQuery({ task, model, input: input ?? {} }),
    enabled: input !== null,
  });
  if (unwritten || lengthProblem)
    return {
      quote: null,
      blockedReason:
        lengthProblem ?? (unwritten ? `Write the ${unwritten.label.toLowerCase()} to see the price.` : null),
      isUnconfirmed: false,
      equalPriceDurations: null,
    };
  return {
    quote: (input && data) || localQuote,
    blockedReason: priced.kind === 'blocked' ? priced.reason : null,
    isUnconfirmed: isError && input !== null,
    equalPriceDurations,
  };
}
