const AMOUNT = /^-?\d{1,9}(\.\d{1,6})?$/;

/** What a person typed as an amount, as it goes over the wire: "$1,000", "−3.50", " 25 ". Null where it is no amount, or nothing. */
export function readAmount(typed: string): string | null {
  const text = typed.trim().replace('−', '-').replace('$', '').replaceAll(/[,\s]/g, '');
  return AMOUNT.test(text) && /[1-9]/.test(text) ? text : null;
}
