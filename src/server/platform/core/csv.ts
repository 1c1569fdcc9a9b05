type Cell = string | number | bigint | null;

const DECIMAL = /^-?\d+(\.\d+)?$/;
/**
 * Start of a formula in spreadsheets, which skip blanks and characters that they do not show. Existing apostrophes before
 * it match too, so that the added one stays distinguishable.
 */
const FORMULA = /^['\p{Z}\p{C}\p{DI}\u2800]*[=+\-@\t\r\n＝＋－＠﹢﹣﹦﹫]/u;

/**
 * Formats an RFC 4180 record with its line break. Text is quoted, so that no character of it separates cells, and gets a
 * leading apostrophe if a spreadsheet would run it as a formula.
 */
export const formatCsvRecord = (cells: readonly Cell[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;

function formatCsvCell(cell: Cell): string {
  const text = String(cell ?? '');
  if (text === '' || DECIMAL.test(text)) return text;
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
