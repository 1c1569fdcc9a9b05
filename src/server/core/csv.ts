type Cell = string | number | bigint | null;

const DECIMAL = /^-?\d+(\.\d+)?$/;
/**
 * Start of a formula in spreadsheets. Existing apostrophes before it match too, so that the added one stays
 * distinguishable.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Formats an RFC 4180 record with its line break. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe.
 */
export const formatCsvRecord = (cells: readonly Cell[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;

function formatCsvCell(cell: Cell): string {
  const text = String(cell ?? '');
  const safe = FORMULA.test(text) && !DECIMAL.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
