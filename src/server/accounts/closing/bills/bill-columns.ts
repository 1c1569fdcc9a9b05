import { BILL_COLUMNS, type BillColumn, type BillColumns, NO_COLUMN } from '#contract/resources/provider-bill.ts';

/** Names of columns in the consoles of providers; the first that a header has wins. */
const NAMES: Readonly<Record<BillColumn, readonly RegExp[]>> = {
  date: [
    /^(date|day|datum|tag|fecha|jour)$/i,
    /^charge.?period.?start$/i,
    /^(usage|charge|billing|event).?(date|day|start)/i,
    /^(timestamp|time|zeit|created.?at|start.?(date|time)?)$/i,
    /date|datum/i,
  ],
  amount: [
    /^billed.?cost$/i,
    /^(total.?)?(cost|amount|betrag|charge|spend|kosten|montant|importe)s?$/i,
    /^(cost|amount|betrag|total|spend)/i,
    /^(?!.*unit).*(cost|amount|betrag)/i,
  ],
  currency: [/currency|währung|waehrung|devise|moneda/i],
  service: [
    /^(model|modell|endpoint).?(name|id)?$/i,
    /^(line.?item|sku)/i,
    /^(product|service|dienst|resource)/i,
    /^(description|beschreibung)$/i,
  ],
  request_id: [/request.?id|prediction.?id|job.?id|task.?id|generation.?id/i, /^(vorgang|transaction.?id)$/i],
  quantity: [/^(quantity|menge|anzahl|qty|units|usage)$/i, /quantity|output.?units|usage.?amount/i],
};

const NONE: BillColumns = { date: null, amount: null, currency: null, service: null, request_id: null, quantity: null };

/** The columns of a file that the person chose, else those of the provider's last file if it has them, else guesses. */
export function chooseColumns(
  headers: readonly string[],
  chosen: Partial<Record<BillColumn, string | undefined>>,
  earlier: BillColumns | null,
): BillColumns {
  const isKnown = earlier !== null && Object.values(earlier).every((name) => name === null || headers.includes(name));
  const columns = isKnown ? { ...earlier } : guessColumns(headers);
  for (const column of BILL_COLUMNS)
    if (chosen[column] !== undefined) columns[column] = chosen[column] === NO_COLUMN ? null : chosen[column];
  return columns;
}

function guessColumns(headers: readonly string[]): BillColumns {
  const columns = { ...NONE };
  const free = new Set(headers);
  for (const column of BILL_COLUMNS) {
    const found = NAMES[column].flatMap((name) => [...free].find((header) => name.test(header)) ?? [])[0] ?? null;
    columns[column] = found;
    if (found !== null) free.delete(found);
  }
  return columns;
}

const FOCUS_HEADERS = ['BilledCost', 'BillingCurrency', 'ChargeCategory', 'ChargePeriodStart'];

/** Versions 1.0 to 1.3 all have these. */
export const isFocus = (headers: readonly string[]): boolean => FOCUS_HEADERS.every((name) => headers.includes(name));

export const focusColumns = (headers: readonly string[]): BillColumns => ({
  date: 'ChargePeriodStart',
  amount: 'BilledCost',
  currency: 'BillingCurrency',
  service: ['ResourceId', 'SkuId', 'ServiceName'].find((name) => headers.includes(name)) ?? null,
  request_id: headers.find((name) => /^x_(provider)?request_?id$/i.test(name)) ?? null,
  quantity: headers.includes('PricingQuantity') ? 'PricingQuantity' : null,
});
