const AMOUNT = /^-?\d{1,9}(\.\d{1,6})?$/;

export interface ReadAmountOptions {
  /** Below zero too. */
  signed?: boolean;
  /** Nothing is an amount as well. */
  zero?: boolean;
}

/** What a person typed as an amount, as it goes over the wire: "$1,000", "−3.50", " 25 ". Null where it is none that may be given. */
export function readAmount(typed: string, { signed = false, zero = false }: ReadAmountOptions = {}): string | null {
  const text = typed.trim().replace('−', '-').replace('$', '').replaceAll(/[,\s]/g, '');
  const may = AMOUNT.test(text) && (signed || !text.startsWith('-')) && (zero || /[1-9]/.test(text));
  return may ? text : null;
}
