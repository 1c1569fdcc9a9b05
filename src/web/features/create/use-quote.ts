import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/pricing.ts';
import { mediaLengths, type Priced, pricedBlank, pricedInput } from '#web/forms/priced-input.ts';
import { type Quote, quoteHere, type SameLengths, sameLengths } from './price-story.ts';
import { usePrices } from './use-prices.ts';
import type { FormState } from '#web/forms/form-state.ts';
import type { Values } from '#web/forms/input-values.ts';
import { judgeAtHand, onJudge } from '#web/forms/judge.ts';
import { localOrigin, mediaInfo } from '#web/forms/media-info.ts';
import { useSettledValues } from '#web/forms/use-settled-values.ts';
import { estimateQuery } from '#web/queries/estimate.ts';

export interface LiveQuote {
  /** null while something that decides the price is missing. */
  quote: Quote | null;
  /** What is missing, as a sentence. */
  blocked: string | null;
  /** The service could not be asked: the price is the published one. */
  unconfirmed: boolean;
  same: SameLengths | null;
}

function reckon(
  prices: PriceBook | null,
  task: TaskId,
  model: ModelId | null,
  form: FormState,
  values: Values,
  priced: Priced,
) {
  if (prices === null || priced.kind === 'blocked') return { here: null, same: null };
  const lengths = mediaLengths(form.contract, values, mediaInfo);
  const input = priced.kind === 'order' ? { ...values, ...priced.input } : priced.input;
  return {
    here: quoteHere(prices, task, model, input, lengths),
    same: sameLengths(prices, task, model, form.contract, input, lengths),
  };
}

/** What the form as it stands would cost: reckoned here at once, then as the service says. */
export function useQuote(task: TaskId, model: ModelId | null, form: FormState): LiveQuote {
  const values = useSettledValues(form);
  const judge = useSyncExternalStore(onJudge, judgeAtHand);
  const priced = useMemo(
    () => (judge ? pricedInput(judge, form.contract, values, localOrigin()) : pricedBlank(form.contract, values)),
    [judge, form, values],
  );
  const prices = usePrices();
  const { here, same } = useMemo(
    () => reckon(prices, task, model, form, values, priced),
    [prices, task, model, form, values, priced],
  );
  const order = priced.kind === 'order' ? priced.input : null;
  const { data, isError } = useQuery({
    ...estimateQuery({ task, model, input: order ?? {} }),
    enabled: order !== null,
  });
  return {
    quote: (order && data) || here,
    blocked: priced.kind === 'blocked' ? priced.reason : null,
    unconfirmed: isError && order !== null,
    same,
  };
}
