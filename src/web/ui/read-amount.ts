export interface ReadAmountOptions {
  /** Amounts below zero are allowed. */
  signed?: boolean;
  /** Zero is allowed. */
  zero?: boolean;
}

/** `amount` is as it goes over the wire, null where the text is refused; `suggestion` is the reading that it probably stands for. */
export interface AmountReading {
  amount: string | null;
  /** Why the text is refused. */
  problem: string | null;
  suggestion: string | null;
}

const DECIMAL = /^(\d*)(?:\.(\d*))?$/;
/** "1,000" and "1,234,567.50", never "3,50" or "0,125". */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
const GROUPED_BY_SPACES = /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d*)?$/;
/** A comma in place of the point: "3,50", "0,125", and with points as groups "1.234,56". */
const DECIMAL_COMMA = /^(?:\d*|[1-9]\d{0,2}(?:\.\d{3})+),\d{1,6}$/;
const MOST_DIGITS = 9;
const MOST_DECIMALS = 6;

/**
 * Reads an amount in dollars as a person types it: "$1,000", "−3.50", " 25 ". A comma counts only between correct groups of
 * thousands; one that looks like a decimal comma is refused and offered as a point, because reading it as a group would
 * multiply the amount.
 */
export function readAmount(typed: string, { signed = false, zero = false }: ReadAmountOptions = {}): AmountReading {
  const text = typed
    .trim()
    .replaceAll(/\s/g, ' ')
    .replace(/^([-−–]?) ?(?:US)?\$ ?(?=[\d.,])/i, '$1')
    .replace(/^[−–]/, '-')
    .replace(/^\$-/, '-');
  const minus = text.startsWith('-') ? '-' : '';
  const digits = text.slice(minus.length);
  const above_zero = refuse(`Enter an amount${signed ? ' other than' : ' above'} zero.`);
  const decimal = plainDecimal(digits);
  if (decimal === null) {
    const suggested = minus && !signed ? null : suggestionFor(digits);
    if (suggested === null) return refuse('Enter an amount such as 25 or 3.50.');
    return { amount: null, problem: 'Write cents after a point.', suggestion: minus + suggested };
  }
  const [whole = '', fraction = ''] = decimal.split('.');
  if (whole.length > MOST_DIGITS) return refuse('Enter an amount below 1,000,000,000.');
  if (fraction.length > MOST_DECIMALS) return refuse(`Use at most ${MOST_DECIMALS} decimal places.`);
  if (minus && !signed) return above_zero;
  if (!/[1-9]/.test(decimal)) return zero && !minus ? accept(decimal) : above_zero;
  return accept(minus + decimal);
}

const accept = (amount: string): AmountReading => ({ amount, problem: null, suggestion: null });
const refuse = (problem: string): AmountReading => ({ amount: null, problem, suggestion: null });

/** Without groups, leading zeros and a point at either end; null where the text is no number or its commas are no groups. */
function plainDecimal(text: string): string | null {
  const grouped = GROUPED.test(text) || (GROUPED_BY_SPACES.test(text) && !text.includes(','));
  const [, whole, fraction] = DECIMAL.exec(grouped ? text.replaceAll(/[, ]/g, '') : text) ?? [];
  if (!whole && !fraction) return null;
  return `${whole?.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}`;
}

function suggestionFor(text: string): string | null {
  if (!DECIMAL_COMMA.test(text) && !GROUPED_BY_SPACES.test(text)) return null;
  const decimal = plainDecimal(text.replaceAll(/[. ]/g, '').replace(',', '.'));
  return decimal !== null && readAmount(decimal).amount === decimal ? decimal : null;
}
