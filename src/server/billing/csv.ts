type Cell = string | number | bigint | null;

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** The beginning of a formula to spreadsheets. Apostrophes before it count, so that the one that is added can be told from them. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A record of RFC 4180, its end included. Numbers stay as they are; text that a spreadsheet would run as a formula gets an
 * apostrophe before it.
 */
export const formatCsvRecord = (cells: readonly Cell[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;

function formatCsvCell(cell: Cell): string {
  const text = String(cell ?? '');
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
