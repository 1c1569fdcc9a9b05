import { findDelimiter } from '#contract/find-delimiter.ts';
import type { BatchRow } from './batch-table.ts';
import {
  decodeText,
  type DecodedText,
  type GuessedEncoding,
  LEGACY_ENCODINGS,
  type LegacyEncoding,
} from '#contract/decode-text.ts';

export const MAX_CSV_BYTES = 8_388_608;
const MAX_CSV_COLUMNS = 50;
const MAX_SAMPLE_ROWS = 100;

/** A file that cannot be read as a list of orders. `message` says what is wrong with it and what to do. */
export class CsvError extends Error {
  override name = 'CsvError';
}

export interface CsvFile {
  name: string;
  /** All lines with at least one value, the first with the names of the columns included. */
  lines: readonly BatchRow[];
  /** Of a file that does not say how it is encoded. */
  guess?: EncodingGuess;
}

export interface EncodingGuess {
  encoding: GuessedEncoding;
  /** The first row whose letters depend on it; null: none does. */
  sample: string | null;
}

/**
 * Reads a CSV file: quoted values, several encodings, and commas, semicolons or tabs as separators.
 * @param maxRows most lines below the names of the columns
 * @param encoding of a file that is in none of Unicode
 * @throws {CsvError}
 */
export async function readCsv(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
  maxRows: number,
  encoding?: LegacyEncoding,
): Promise<CsvFile> {
  if (file.size > MAX_CSV_BYTES)
    throw new CsvError(`The file is larger than ${MAX_CSV_BYTES / 1_048_576} MB. Split it into several batches.`);
  const { text, guessed } = readText(new Uint8Array(await file.arrayBuffer()), encoding);
  const { default: papa } = await import('papaparse');
  // Excel names the separator in a line of its own.
  const named = /^sep=(.)\r?\n/i.exec(text);
  const parse = (delimiter: string, preview = 0) =>
    papa.parse<string[]>(named ? text.slice(named[0].length) : text, { delimiter, preview });
  const delimiter = named?.[1] ?? findDelimiter((each) => parse(each, MAX_SAMPLE_ROWS));
  const { data, errors } = parse(delimiter);
  const unclosed = errors.find(({ type }) => type === 'Quotes');
  if (unclosed)
    throw new CsvError(
      `Row ${(unclosed.row ?? 0) + 1} has a quote that does not end. Write quotes inside a value twice ("").`,
    );
  const lines = data.flatMap((cells, at) =>
    cells.every((cell) => cell.trim() === '') ? [] : [{ id: String(at), number: at + 1, cells }],
  );
  if (lines.length === 0) throw new CsvError('The file is empty. It needs a row for each order.');
  if (lines.length > maxRows + 1)
    throw new CsvError(
      `The file has ${lines.length - 1} rows; a batch has at most ${maxRows}. Split it into several batches.`,
    );
  if (lines.some(({ cells }) => cells.length > MAX_CSV_COLUMNS))
    throw new CsvError(`The file has more than ${MAX_CSV_COLUMNS} columns. Remove those that no order needs.`);
  return { name: file.name, lines, ...(guessed === null ? {} : { guess: createGuess(guessed, lines) }) };
}

/** Letters and signs beyond ASCII. */
const FOREIGN_LETTER = /[^\p{ASCII}]/u;
const MAX_SAMPLE_CHARACTERS = 120;

function createGuess(encoding: GuessedEncoding, lines: readonly BatchRow[]): EncodingGuess {
  const cells = lines.find((line) => line.cells.some((cell) => FOREIGN_LETTER.test(cell)))?.cells ?? [];
  // Those first that show whether the guess is right.
  const shown = [
    ...cells.filter((cell) => FOREIGN_LETTER.test(cell)),
    ...cells.filter((cell) => cell.trim() !== '' && !FOREIGN_LETTER.test(cell)),
  ].map(cutAroundLetter);
  return { encoding, sample: shown.length === 0 ? null : shown.join(' · ').slice(0, MAX_SAMPLE_CHARACTERS) };
}

function cutAroundLetter(cell: string): string {
  const start = Math.max(0, cell.search(FOREIGN_LETTER) - MAX_SAMPLE_CHARACTERS / 4);
  return start === 0 ? cell : `…${cell.slice(start)}`;
}

const isSpreadsheet = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0x50 && b === 0x4b && c === 0x03 && d === 0x04) || (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0);

function readText(bytes: Uint8Array, encoding: LegacyEncoding | undefined): DecodedText {
  if (isSpreadsheet(bytes))
    throw new CsvError('This is a spreadsheet, not a CSV file. Export it as CSV (UTF-8), then choose that file.');
  const decoded = decodeText(bytes, encoding);
  if (decoded === 'damaged')
    throw new CsvError(
      'Some characters of the file are damaged. Export it as CSV (UTF-8) again, then choose that file.',
    );
  if (decoded) return decoded;
  if (encoding) throw new CsvError(`The file is not in ${LEGACY_ENCODINGS[encoding]}. Choose another encoding.`);
  throw new CsvError('The file is not text. Export it as CSV (UTF-8), then choose that file.');
}
