import { useMemo, useSyncExternalStore } from 'react';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { withMarkup } from '#contract/added-models/prices/price-markup.ts';
import type { AddedQuote } from '#contract/added-models/prices/price.ts';
import { boundOf, quoteVersion } from '#contract/money/price-order.ts';
import { formatMoney } from '#contract/money/money.ts';
import { getReferenceInfo, localServiceOrigin } from '#web/api/reference-info.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { mediaLengths, toPriceableBlank, toPriceableInput } from '#web/forms/values/priceable-input.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import { loadedValidator, onValidatorLoad } from '#web/forms/values/validator.ts';
import { BLANK_PRICE, findPriceErrors, parsePrice, type PriceValues } from './price-values.ts';

interface LivePrice {
  quote: AddedQuote | null;
  /** Why there is none. */
  reason: string | null;
}

/** What a form costs at a price, markup included; null: the price is not complete. */
export function useLivePrice(form: InputForm, price: AddedPrice | null, markupPercent: number): LivePrice {
  const values = useDebouncedValues(form);
  const validate = useSyncExternalStore(onValidatorLoad, loadedValidator);
  return useMemo(() => {
    const { contract } = form;
    const priced = validate
      ? toPriceableInput(validate, contract, values, localServiceOrigin())
      : toPriceableBlank(contract, values);
    if (priced.kind === 'blocked') return { quote: null, reason: priced.reason };
    if (price === null) return { quote: null, reason: null };
    const input = { ...values, ...priced.input };
    const version = { name: '', contract, price: withMarkup(price, markupPercent) };
    return { quote: quoteVersion(version, input, mediaLengths(contract, values, getReferenceInfo)), reason: null };
  }, [form, values, validate, price, markupPercent]);
}

/** “$0.05”, or “at most $0.05”. */
export const quoteLabel = ({ amount_micro_usd, certainty }: AddedQuote): string =>
  certainty === 'exact' ? formatMoney(amount_micro_usd) : `at most ${formatMoney(amount_micro_usd)}`;

interface LivePriceProps {
  form: InputForm;
  values: PriceValues;
  markupPercent: number | null;
}

/** What a form costs, and the most that any costs, while its price is typed. */
export function LivePriceLine({ form, values, markupPercent }: LivePriceProps) {
  const { price } = useMemo(() => parsePrice(values), [values]);
  const { quote, reason } = useLivePrice(form, price, markupPercent ?? 0);
  const { contract } = form;
  const isBounded = price !== null && Object.keys(findPriceErrors(price, '', contract)).length === 0;
  const bound = isBounded ? boundOf({ name: '', contract, price: withMarkup(price, markupPercent ?? 0) }) : null;
  return (
    <dl
      aria-live="polite"
      className="grid grid-cols-2 gap-x-4 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm tabular-nums"
    >
      <div>
        <dt className="text-ink-3">This form now costs</dt>
        <dd className="text-md font-semibold">{quote ? formatMoney(quote.amount_micro_usd) : '–'}</dd>
        <dd className="text-ink-3">{quote ? CERTAINTY_LABELS[quote.certainty] : (reason ?? noPriceReason(values))}</dd>
      </div>
      <div>
        <dt className="text-ink-3">At most per run</dt>
        <dd className="text-md font-semibold">{bound === null ? '–' : formatMoney(bound)}</dd>
        <dd className="text-ink-3">
          {bound !== null ? 'For any input' : price === null ? 'No price yet' : 'Nothing bounds it yet'}
        </dd>
      </div>
    </dl>
  );
}

const CERTAINTY_LABELS = {
  exact: 'Exact',
  estimated: 'At most',
  capped: 'At most, by the cap',
} satisfies Record<AddedQuote['certainty'], string>;

const noPriceReason = (values: PriceValues): string =>
  values.unitPrice === BLANK_PRICE.unitPrice ? 'Enter the price' : 'No price yet';
