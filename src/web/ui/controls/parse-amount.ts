export interface ParseAmountOptions {
  signed?: boolean;
  zero?: boolean;
}

/** `amount` is in the API's format, null where the text is invalid; `suggestion` is its likely meaning. */
export interface ParsedAmount {
  amount: string | null;
  problem: string | null;
  suggestion: string | null;
}

const DECIMAL = /^(\d*)(?:\.(\d*))?$/;
/** "1,000" and "1,234,567.50", never "3,50" or "0,125". */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
const GROUPED_BY_SPACES = /^[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d*)?$/;
/** A comma instead of the point: "3,50", "0,125", and with points as groups "1.234,56". */
const DECIMAL_COMMA = /^(?:\d*|[1-9]\d{0,2}(?:\.\d{3})+),\d{1,6}$/;
const MAX_DIGITS = 9;
const MAX_DECIMALS = 6;

/**
 * Reads "$1,000", "−3.50", " 25 ". A comma that looks like a decimal comma is refused and offered as a point, because
 * reading it as a group would multiply the amount.
 */
export function parseAmount(typed: string, { signed = false, zero = false }: ParseAmountOptions = {}): ParsedAmount {
  const text = typed
    .trim()
    .replaceAll(/\s/g, ' ')
    .replace(/^([-−–]?) ?(?:US)?\$ ?(?=[\d.,])/i, '$1')
    .replace(/^[−–]/, '-')
    .replace(/^\$-/, '-');
  const minus = text.startsWith('-') ? '-' : '';
  const digits = text.slice(minus.length);
  const wrongSign = invalidAmount(
    signed ? 'Enter an amount other than zero.' : zero ? 'Enter $0 or more.' : 'Enter an amount above zero.',
  );
  const decimal = plainDecimal(digits);
  if (decimal === null) {
    const suggested = minus && !signed ? null : suggestAmount(digits);
    if (suggested === null) return invalidAmount('Enter an amount such as 25 or 3.50.');
    return { amount: null, problem: 'Write cents after a point.', suggestion: minus + suggested };
  }
  const [whole = '', fraction = ''] = decimal.split('.');
  if (whole.length > MAX_DIGITS) return invalidAmount('Enter an amount below 1,000,000,000.');
  if (fraction.length > MAX_DECIMALS) return invalidAmount(`Use at most ${MAX_DECIMALS} decimal places.`);
  if (minus && !signed) return wrongSign;
  if (!/[1-9]/.test(decimal)) return zero && !minus ? validAmount(decimal) : wrongSign;
  return validAmount(minus + decimal);
}

const validAmount = (amount: string): ParsedAmount => ({ amount, problem: null, suggestion: null });
const invalidAmount = (problem: string): ParsedAmount => ({ amount: null, problem, suggestion: null });

/** Null where the text is not a number or its commas are not groups of thousands. */
function plainDecimal(text: string): string | null {
  const grouped = GROUPED.test(text) || (GROUPED_BY_SPACES.test(text) && !text.includes(','));
  const [, whole, fraction] = DECIMAL.exec(grouped ? text.replaceAll(/[, ]/g, '') : text) ?? [];
  if (!whole && !fraction) return null;
  return `${whole?.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}`;
}

function suggestAmount(text: string): string | null {
  if (!DECIMAL_COMMA.test(text) && !GROUPED_BY_SPACES.test(text)) return null;
  const decimal = plainDecimal(text.replaceAll(/[. ]/g, '').replace(',', '.'));
  return decimal !== null && parseAmount(decimal).amount === decimal ? decimal : null;
}
