import { formatNano } from '#contract/money/money.ts';
import {
  BILL_CATEGORIES,
  type BillCategory,
  type BillColumns,
  type BillFormat,
} from '#contract/resources/provider-bill.ts';
import { BillFileError, quoteCell } from './bill-file-error.ts';
import { type DecimalMark, parseAmount } from './parse-amount.ts';
import { parseChargeDate } from './parse-charge-date.ts';
import type { BillRecord } from './read-records.ts';

export interface BillLine {
  row: number;
  charged_at: Date;
  category: BillCategory;
  is_correction: boolean;
  service: string | null;
  description: string | null;
  request_id: string | null;
  quantity_nano: bigint | null;
  unit: string | null;
  amount_nano: bigint;
}

interface BillShape {
  format: BillFormat;
  headers: readonly string[];
  columns: BillColumns;
  decimal: DecimalMark;
  /** `2026-11` */
  month: string;
  /** Of lines that name none. */
  currency: string;
}

export interface BillReader {
  /** @returns null for a row with a sum @throws {BillFileError} */
  read(record: BillRecord): BillLine | null;
  /** After the last record. @throws {BillFileError} without a line, or without one in the month */
  summarize(): BillSums;
}

export interface BillSums {
  currency: string;
  amountNano: bigint;
  lineCount: number;
  sumRowCount: number;
}

const MAX_TEXT_CHARACTERS = 300;
const TAX = /\b(tax|vat|gst|mwst|ust|umsatzsteuer|mehrwertsteuer|steuer|tva|iva)\b/i;

/** Reads the records of a bill one by one, without looking at anything else. */
export function createBillReader({ format, headers, columns, decimal, month, currency }: BillShape): BillReader {
  const at = (name: string | null): number => (name === null ? -1 : headers.indexOf(name));
  const named = (name: string | null): number => {
    const index = at(name);
    if (name !== null && index < 0) throw new BillFileError(`The file has no column ${quoteCell(name)}.`);
    if (name !== null && headers.includes(name, index + 1))
      throw new BillFileError(
        `The file has two columns ${quoteCell(name)}. Rename one, so that it is clear which counts.`,
      );
    return index;
  };
  const [dateAt, amountAt, currencyAt] = [named(columns.date), named(columns.amount), named(columns.currency)];
  const [serviceAt, requestAt, quantityAt] = [
    named(columns.service),
    named(columns.request_id),
    named(columns.quantity),
  ];
  if (dateAt < 0) throw new BillFileError('Choose the column with the date.');
  if (amountAt < 0) throw new BillFileError('Choose the column with the amount.');
  const isFocusFile = format === 'focus';
  const unitAt = at(isFocusFile ? 'PricingUnit' : null);
  const focusAt = (name: string): number => (isFocusFile ? at(name) : -1);
  const [categoryAt, classAt, descriptionAt] = [
    focusAt('ChargeCategory'),
    focusAt('ChargeClass'),
    focusAt('ChargeDescription'),
  ];
  const used = new Set([dateAt, amountAt, currencyAt, requestAt]);
  let billCurrency: string | null = null;
  let amountNano = 0n;
  let lineCount = 0;
  let sumRowCount = 0;
  let isMonthFound = false;

  function readCurrency(number: number, cell: string, ofAmount: string | null): string {
    const found = cell === '' ? (ofAmount ?? billCurrency ?? currency) : cell.toUpperCase();
    if (!/^[A-Z]{3}$/.test(found)) throw new BillFileError(`Row ${number}: ${quoteCell(cell)} is not a currency.`);
    if (ofAmount !== null && ofAmount !== found)
      throw new BillFileError(`Row ${number}: the amount is in ${ofAmount}, the currency is ${found}.`);
    if (billCurrency !== null && billCurrency !== found)
      throw new BillFileError(
        `Row ${number} is in ${found}, rows before it in ${billCurrency}. Bring in a file for each currency.`,
      );
    return found;
  }

  function readDate(number: number, cell: string, isTax: boolean): Date {
    // A tax is of the whole month.
    if (cell === '' && isTax) return new Date(`${month}-01T00:00:00.000Z`);
    if (cell === '') throw new BillFileError(`Row ${number} has an amount but no date, and it is not the sum so far.`);
    const date = parseChargeDate(cell, month);
    if (date === null) throw new BillFileError(`Row ${number}: ${quoteCell(cell)} is not a date.`);
    if (date === 'ambiguous')
      throw new BillFileError(
        `Row ${number}: ${quoteCell(cell)} can be two days. Export the file with dates such as ${month}-30.`,
      );
    return date;
  }

  return {
    read({ number, cells }) {
      const cell = (index: number): string => (index < 0 ? '' : (cells[index] ?? '').trim());
      if (cells.slice(headers.length).some((value) => value.trim() !== ''))
        throw new BillFileError(
          `Row ${number} has ${cells.length} values for ${headers.length} columns. An amount with a comma needs quotes.`,
        );
      if (cell(amountAt) === columns.amount && cell(dateAt) === columns.date)
        throw new BillFileError(`Row ${number} is the header again. Add each file by itself.`);
      const text = (index: number): string | null => cleanText(cell(index));
      const others = () =>
        cleanText(
          cells
            .flatMap((value, index) => (used.has(index) || value.trim() === '' ? [] : [value.trim()]))
            .slice(0, 10)
            .join(' · '),
        );
      if (cell(amountAt) === '' && cell(dateAt) === '') return null;
      const amount = parseAmount(cell(amountAt), decimal);
      if (amount === null)
        throw new BillFileError(
          `Row ${number}: ${quoteCell(cell(amountAt))} is not an amount with a decimal ${decimal === ',' ? 'comma' : 'point'}.`,
        );
      const found = readCurrency(number, cell(currencyAt), amount.currency);
      if (!isFocusFile && cell(dateAt) === '' && isSum(amount.nano, amountNano, cell(amountAt), decimal)) {
        sumRowCount += 1;
        return null;
      }
      const description = descriptionAt < 0 ? others() : text(descriptionAt);
      const category = readCategory(cell(categoryAt), amount.nano, description);
      const charged_at = readDate(number, cell(dateAt), category === 'tax');
      billCurrency = found;
      amountNano += amount.nano;
      lineCount += 1;
      isMonthFound ||= charged_at.toISOString().startsWith(month);
      const quantity = parseAmount(cell(quantityAt), decimal);
      if (cell(quantityAt) !== '' && quantity === null && isFocusFile)
        throw new BillFileError(`Row ${number}: ${quoteCell(cell(quantityAt))} is not a quantity.`);
      return {
        row: number,
        charged_at,
        category,
        is_correction: cell(classAt) === 'Correction',
        service: text(serviceAt),
        description,
        request_id: text(requestAt),
        quantity_nano: quantity?.nano ?? null,
        unit: text(unitAt),
        amount_nano: amount.nano,
      };
    },
    summarize() {
      if (lineCount === 0 || billCurrency === null) throw new BillFileError('The file has no lines with an amount.');
      if (!isMonthFound)
        throw new BillFileError(`None of the ${lineCount === 1 ? 'lines' : `${lineCount} lines`} is of ${month}.`);
      return { currency: billCurrency, amountNano, lineCount, sumRowCount };
    },
  };
}

/** Whether an undated amount is the sum of the lines above it, rounded to the digits that it has. */
function isSum(nano: bigint, sumNano: bigint, cell: string, decimal: DecimalMark): boolean {
  const mark = cell.lastIndexOf(decimal);
  const decimals = mark < 0 ? 0 : (/^\d{0,30}/.exec(cell.slice(mark + 1))?.[0].length ?? 0);
  return isRoundedSum(nano, sumNano, decimals);
}

/** @param decimals with which the sum is written */
export function isRoundedSum(writtenNano: bigint, sumNano: bigint, decimals: number): boolean {
  const difference = writtenNano < sumNano ? sumNano - writtenNano : writtenNano - sumNano;
  return decimals >= 9 ? difference === 0n : difference * 2n <= 10n ** BigInt(9 - decimals);
}

/** @throws {BillFileError} if the lines don't add up to what the person typed */
export function assertTotal({ amountNano, currency }: BillSums, total: string, totalNano: bigint): void {
  if (isRoundedSum(totalNano, amountNano, total.split('.')[1]?.length ?? 0)) return;
  throw new BillFileError(
    `The lines add up to ${formatNano(amountNano)} ${currency}, the invoice says ${total} ${currency}.`,
  );
}

function readCategory(cell: string, nano: bigint, description: string | null): BillCategory {
  const named = BILL_CATEGORIES.find((category) => category === cell.toLowerCase());
  if (named) return named;
  if (description !== null && TAX.test(description)) return 'tax';
  return nano < 0n ? 'credit' : 'usage';
}

/** Without what PostgreSQL can't store, and what no list can show. */
export const cleanText = (text: string): string | null =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .slice(0, MAX_TEXT_CHARACTERS)
    .toWellFormed()
    .trim() || null;
