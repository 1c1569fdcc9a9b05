import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import papa from 'papaparse';
import { decodeText } from '#contract/decode-text.ts';
import { DELIMITERS, findDelimiter, UNIT_SEPARATOR } from '#contract/find-delimiter.ts';
import { MAX_BILL_LINES } from '#contract/resources/provider-bill.ts';
import { BillFileError } from './bill-file-error.ts';

export interface BillRecord {
  /** 1 for the first line of the file. Line breaks inside of a value don't count. */
  number: number;
  cells: readonly string[];
}

/** What is to be known of a file before it is read. */
export interface BillText {
  file: string;
  isCompressed: boolean;
  encoding: string;
  delimiter: string;
  newline: '\n' | '\r';
}

const HEAD_BYTES = 262_144;
const MAX_RECORD_CHARACTERS = 1_048_576;
const MAX_UNPACKED_BYTES = 1_073_741_824;
const MAX_COLUMNS = 200;
/** Empty ones included. */
const MAX_ROWS = 3 * MAX_BILL_LINES;
const SAMPLE_ROWS = 100;
const NO_TEXT = 'The file is not text. Export the bill as CSV (UTF-8), then choose that file.';

/** @throws {BillFileError} if it is no text */
export async function openBillText(file: string): Promise<BillText> {
  const start = await readStart(file);
  const [a, b, c, d] = start;
  const isCompressed = a === 0x1f && b === 0x8b;
  if ((a === 0x50 && b === 0x4b && c === 0x03) || (a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0))
    throw new BillFileError(
      'This is a spreadsheet or an archive. Export the bill as CSV (UTF-8), then choose that file.',
    );
  if (start.subarray(0, 5).toString('latin1') === '%PDF-')
    throw new BillFileError('This is a PDF. Download the bill as CSV from the provider’s console.');
  const head = await readHead(file, isCompressed);
  if (head.length === 0) throw new BillFileError('The file is empty.');
  const decoded = decodeText(head);
  if (decoded === null) throw new BillFileError(NO_TEXT);
  if (decoded === 'damaged')
    throw new BillFileError('Some characters of the file are damaged. Export it as CSV (UTF-8).');
  const hasMark = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const marked = head[0] === 0xff ? 'utf-16le' : 'utf-16be';
  const encoding = hasMark ? marked : (decoded.guessed ?? (await encodingOfAll(file, isCompressed)));
  const named = /^sep=(.)\r?\n/i.exec(decoded.text);
  const sample = named ? decoded.text.slice(named[0].length) : decoded.text;
  const delimiter = named?.[1] ?? guessDelimiter(sample);
  return { file, isCompressed, encoding, delimiter, newline: sample.includes('\n') ? '\n' : '\r' };
}

/** That of most rows, else the most frequent one of the header, so that a fault further down is found where it is. */
function guessDelimiter(sample: string): string {
  const found = findDelimiter((delimiter) => papa.parse<string[]>(sample, { delimiter, preview: SAMPLE_ROWS }));
  if (found !== UNIT_SEPARATOR) return found;
  const [header = ''] = sample.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? UNIT_SEPARATOR;
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Whole lines, so that no character is cut. */
async function readHead(file: string, isCompressed: boolean): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBytes(file, isCompressed)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  const head = Buffer.concat(chunks);
  return size < HEAD_BYTES ? head : head.subarray(0, (head.lastIndexOf(0x0a) + 1 || head.length) & ~1);
}

async function* readBytes(file: string, isCompressed: boolean): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const stream = isCompressed ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => stream.destroy(error));
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > MAX_UNPACKED_BYTES) throw new BillFileError('The unpacked file is larger than 1 GB.');
      yield chunk as Buffer;
    }
  } catch (error) {
    if (isCompressed && error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new BillFileError('The compressed file is damaged or incomplete.');
    throw error;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

/** The first letter beyond ASCII may come late. */
async function encodingOfAll(file: string, isCompressed: boolean): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of readBytes(file, isCompressed)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

async function* readTexts({ file, isCompressed, encoding }: BillText): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of readBytes(file, isCompressed)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new BillFileError(NO_TEXT);
    throw error;
  }
}

/** All rows with a value, the header included. @throws {BillFileError} */
export async function* readRecords(text: BillText): AsyncGenerator<BillRecord> {
  let rest = '';
  let number = 0;
  let count = 0;
  let isStart = true;
  function* take(isLast: boolean): Generator<BillRecord> {
    const parser = new papa.Parser({ delimiter: text.delimiter, newline: text.newline });
    const parsed = parser.parse(rest, 0, !isLast) as papa.ParseResult<string[]>;
    const unclosed = parsed.errors.find(
      ({ type, row }) => type === 'Quotes' && (isLast || (row ?? 0) < parsed.data.length),
    );
    if (unclosed) throw new BillFileError(`Row ${number + (unclosed.row ?? 0) + 1} has a quote that does not end.`);
    rest = rest.slice(parsed.meta.cursor);
    if (rest.length > MAX_RECORD_CHARACTERS)
      throw new BillFileError(`Row ${number + parsed.data.length + 1} has a quote that does not end, or is too long.`);
    for (const raw of parsed.data) {
      number += 1;
      if (number > MAX_ROWS) throw new BillFileError('The file has millions of empty rows.');
      const cells = raw.map((cell) => cell.replace(/\r$/, ''));
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (cells.length > MAX_COLUMNS) throw new BillFileError(`Row ${number} has more than ${MAX_COLUMNS} columns.`);
      if ((count += 1) > MAX_BILL_LINES + 1)
        throw new BillFileError(`The file has more than ${MAX_BILL_LINES.toLocaleString('en-US')} lines. Split it.`);
      yield { number, cells };
    }
  }
  for await (const chunk of readTexts(text)) {
    rest += chunk;
    if (isStart && rest.length > 6) {
      isStart = false;
      const named = /^sep=.\r?\n/i.exec(rest);
      if (named) [rest, number] = [rest.slice(named[0].length), 1];
    }
    yield* take(false);
  }
  if (rest !== '') yield* take(true);
}
