import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatNano, NANO_PER_USD, parseNano } from '#contract/money/money.ts';
import {
  BILL_COLUMNS,
  type BillColumn,
  type BillColumns,
  type BillFormat,
  type ProviderBillPreview,
} from '#contract/resources/provider-bill.ts';
import { chooseColumns, focusColumns, isFocus } from './bill-columns.ts';
import { BillFileError } from './bill-file-error.ts';
import { assertTotal, type BillLine, type BillSums, createBillReader } from './bill-lines.ts';
import { type DecimalMark, guessDecimal, toUsd } from './parse-amount.ts';
import { type BillRecord, type BillText, openBillText, readRecords } from './read-records.ts';

/** How the person wants the file to be read. */
export type BillOptions = Omit<QueryOf<'create_provider_bill'>, 'provider_id' | 'filename'>;

export interface BillFile {
  text: BillText;
  format: BillFormat;
  headers: string[];
  columns: BillColumns;
  decimal: DecimalMark;
}

const SAMPLE_RECORDS = 500;
const PREVIEW_LINES = 10;

/**
 * Opens a file and finds out how it is to be read.
 * @param earlier columns of the provider's last file
 * @throws {BillFileError}
 */
export async function openBill(file: string, options: BillOptions, earlier: BillColumns | null): Promise<BillFile> {
  const text = await openBillText(file);
  const [first, ...sample] = await readSample(text);
  if (!first) throw new BillFileError('The file is empty.');
  const headers = first.cells.map((cell) => cell.trim());
  if (isFocus(headers)) return { text, format: 'focus', headers, columns: focusColumns(headers), decimal: '.' };
  const chosen = Object.fromEntries(BILL_COLUMNS.map((column) => [column, options[`${column}_column`]]));
  const columns = chooseColumns(headers, chosen as Partial<Record<BillColumn, string>>, earlier);
  const numbers = [columns.amount, columns.quantity].flatMap((name) => {
    const index = name === null ? -1 : headers.indexOf(name);
    return index < 0 ? [] : sample.map(({ cells }) => (cells[index] ?? '').trim());
  });
  return { text, format: 'csv', headers, columns, decimal: options.decimal ?? guessDecimal(numbers, text.delimiter) };
}

async function readSample(text: BillText): Promise<BillRecord[]> {
  const records: BillRecord[] = [];
  for await (const record of readRecords(text)) if (records.push(record) > SAMPLE_RECORDS) break;
  return records;
}

/**
 * Reads all lines of a file.
 * @returns their sums
 * @throws {BillFileError} for the first that can't be read, and if they don't add up to the total
 */
export async function* readBillLines(
  { text, ...shape }: BillFile,
  { month, currency = 'USD', total }: BillOptions,
): AsyncGenerator<BillLine, BillSums> {
  const reader = createBillReader({ ...shape, month, currency });
  let isHeader = true;
  for await (const record of readRecords(text)) {
    const line = isHeader ? null : reader.read(record);
    isHeader = false;
    if (line) yield line;
  }
  const sums = reader.summarize();
  if (total !== undefined) assertTotal(sums, total, parseNano(total));
  return sums;
}

/** @returns dollars for one unit of the currency @throws {BillFileError} without a rate where one is needed */
export function rateOf(currency: string, { usd_rate }: Pick<BillOptions, 'usd_rate'>): bigint {
  if (currency === 'USD') return NANO_PER_USD;
  if (usd_rate === undefined)
    throw new BillFileError(`The bill is in ${currency}. Enter how many dollars 1 ${currency} is.`);
  return parseNano(usd_rate);
}

export interface BillTotals extends BillSums {
  /** Lines are rounded one by one; null without a rate. */
  usdNano: bigint | null;
}

/** @throws {BillFileError} for the first line that can't be read */
export async function sumBill(
  file: BillFile,
  { usd_rate, ...options }: BillOptions,
  onLine?: (line: BillLine) => void,
): Promise<BillTotals> {
  const lines = readBillLines(file, options);
  const rateNano = usd_rate === undefined ? null : parseNano(usd_rate);
  let usdNano = 0n;
  for (;;) {
    const next = await lines.next();
    if (next.done) {
      const { currency, amountNano } = next.value;
      return { ...next.value, usdNano: currency === 'USD' ? amountNano : rateNano === null ? null : usdNano };
    }
    onLine?.(next.value);
    if (rateNano !== null) usdNano += toUsd(next.value.amount_nano, rateNano);
  }
}

/** What a file holds, or why it can't be stored, with what is known until then. */
export async function previewBill(
  path: string,
  { total, ...options }: BillOptions,
  earlier: BillColumns | null,
): Promise<ProviderBillPreview> {
  const preview: ProviderBillPreview = {
    object: 'provider_bill_preview',
    format: 'csv',
    headers: [],
    columns: { date: null, amount: null, currency: null, service: null, request_id: null, quantity: null },
    decimal: '.',
    currency: null,
    lines: [],
    line_count: 0,
    amount: null,
    amount_usd: null,
    sum_row_count: 0,
    problem: null,
  };
  try {
    const file = await openBill(path, options, earlier);
    const { text: _text, ...shape } = file;
    Object.assign(preview, shape);
    const sums = await sumBill(file, options, (line) => {
      preview.line_count += 1;
      if (preview.lines.length < PREVIEW_LINES) preview.lines.push(presentLine(line));
    });
    const { currency, amountNano, usdNano, sumRowCount } = sums;
    Object.assign(preview, { currency, amount: formatNano(amountNano), sum_row_count: sumRowCount });
    preview.amount_usd = usdNano === null ? null : formatNano(usdNano);
    if (total !== undefined) assertTotal(sums, total, parseNano(total));
    rateOf(currency, options);
    return preview;
  } catch (error) {
    if (!(error instanceof BillFileError)) throw error;
    return { ...preview, problem: error.message };
  }
}

export const presentLine = ({ charged_at, quantity_nano, amount_nano, ...line }: BillLine) => ({
  ...line,
  charged_at: charged_at.toISOString(),
  quantity: quantity_nano === null ? null : formatQuantity(quantity_nano),
  amount: formatNano(amount_nano),
});

/** Without the two decimals of money. */
const formatQuantity = (nano: bigint): string => formatNano(nano).replace(/\.?0{1,2}$/, '');
