import { describe, expect, it } from 'vitest';
import type { LegacyEncoding } from '#contract/decode-text.ts';
import { MAX_CSV_BYTES, readCsv } from './read-csv.ts';

const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'orders.csv') => new File([content], name);
const cellsOf = async (content: string | Uint8Array<ArrayBuffer>) =>
  (await readCsv(fileOf(content), 1000)).lines.map(({ cells }) => cells);

describe('reading a CSV file', () => {
  it('reads quoted values with separators, quotes and line breaks', async () => {
    expect(await cellsOf('prompt,size\r\n"A cat, ""asleep""\non a sofa",1:1\r\n')).toEqual([
      ['prompt', 'size'],
      ['A cat, "asleep"\non a sofa', '1:1'],
    ]);
  });

  it.each([
    ['semicolons', 'prompt;seconds\nA cat;2,5'],
    ['tabs', 'prompt\tseconds\nA cat\t2,5'],
  ])('reads %s as separators', async (_name, content) => {
    expect(await cellsOf(content)).toEqual([
      ['prompt', 'seconds'],
      ['A cat', '2,5'],
    ]);
  });

  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('prefers %s to the commas of texts', async (_name, separator) => {
    const rows = [
      ['Headline', 'Format'],
      ['A red ceramic mug, studio light', '1:1'],
      ['A blue ceramic mug, window light', '16:9'],
    ];
    expect(await cellsOf(rows.map((cells) => `${cells.join(separator)}\r\n`).join(''))).toEqual(rows);
    const withQuotes = [...rows, ['"A mug; ""green"", or so"', '3:2']].map((cells) => cells.join(separator));
    expect((await cellsOf(`${withQuotes.join('\r\n')}\r\n`)).at(-1)).toEqual(['A mug; "green", or so', '3:2']);
  });

  it('reads the separator that Excel names in the first line', async () => {
    expect(await cellsOf('sep=;\r\nprompt;seconds\r\nA cat, asleep;2,5')).toEqual([
      ['prompt', 'seconds'],
      ['A cat, asleep', '2,5'],
    ]);
  });

  it('keeps commas in a file of one column', async () => {
    expect(await cellsOf('prompt\nA cat, asleep\n"A dog, awake"\nA bird')).toEqual([
      ['prompt'],
      ['A cat, asleep'],
      ['A dog, awake'],
      ['A bird'],
    ]);
  });

  it('keeps commas in a file of one column with quotes', async () => {
    expect(await cellsOf('prompt\n"A cat, asleep"\n"A dog, awake"')).toEqual([
      ['prompt'],
      ['A cat, asleep'],
      ['A dog, awake'],
    ]);
  });

  it('drops a byte order mark and blank lines, and keeps the numbers of the rows', async () => {
    const { lines } = await readCsv(fileOf('\ufeffprompt,size\n\n ,\nKatze auf Brüstung,1:1\n'), 1000);
    expect(lines).toEqual([
      { id: '0', number: 1, cells: ['prompt', 'size'] },
      { id: '3', number: 4, cells: ['Katze auf Brüstung', '1:1'] },
    ]);
  });

  it('reads UTF-16, as spreadsheets export "Unicode text"', async () => {
    const text = '\ufeffprompt\tsize\nÄpfel\t1:1';
    const bytes = new Uint8Array(new Uint16Array([...text].map((letter) => letter.charCodeAt(0))).buffer);
    expect(await cellsOf(bytes)).toEqual([
      ['prompt', 'size'],
      ['Äpfel', '1:1'],
    ]);
  });

  const rows = ['prompt;note', 'A plain cat;plain', 'Grüße aus Köln – „schön“;Straße'];
  /** Bytes of letters that Windows-1252 and Latin-1 do not share. */
  const WINDOWS: Readonly<Record<string, number>> = { '–': 0x96, '„': 0x84, '“': 0x93 };
  const toWindows = (text: string) => Uint8Array.from(text, (letter) => WINDOWS[letter] ?? letter.charCodeAt(0));
  const toUtf16 = (text: string, isLittle: boolean) => {
    const bytes = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at += 1) bytes.setUint16(at * 2, text.charCodeAt(at), isLittle);
    return new Uint8Array(bytes.buffer);
  };
  const sample = 'Grüße aus Köln – „schön“ · Straße';

  it.each([
    ['Windows-1252, as Excel saves "CSV"', toWindows(rows.join('\r\n')), 'windows-1252'],
    ['UTF-16 without a mark', toUtf16(rows.join('\r\n'), true), 'utf-16le'],
    ['UTF-16 without a mark, the high byte first', toUtf16(rows.join('\r\n'), false), 'utf-16be'],
  ])('reads %s, and shows the first row that depends on it', async (_name, bytes, encoding) => {
    const { lines, guess } = await readCsv(fileOf(bytes), 1000);
    expect(lines.map(({ cells }) => cells.join(';'))).toEqual(rows);
    expect(guess).toEqual({ encoding, sample });
  });

  it.each(['описание;размер\r\nКот на диване;1:1\r\n', '一一;大小\r\n一只开着的猫;1:1\r\n'])(
    'reads UTF-16 of another alphabet without a mark: %j',
    async (text) => {
      const { lines, guess } = await readCsv(fileOf(toUtf16(text, true)), 1000);
      expect(lines.map(({ cells }) => cells.join(';')).join('\r\n')).toBe(text.trim());
      expect(guess?.encoding).toBe('utf-16le');
    },
  );

  it('reads another encoding on request', async () => {
    const bytes = Uint8Array.from([...'prompt\n'].map((letter) => letter.charCodeAt(0)).concat(0xbf, 0xf3, 0xb3, 0x77));
    const read = async (encoding?: 'windows-1250') => (await readCsv(fileOf(bytes), 1000, encoding)).guess?.sample;
    expect([await read(), await read('windows-1250')]).toEqual(['¿ó³w', 'żółw']);
  });

  it.each([
    ['UTF-8', rows.join('\n')],
    ['UTF-8 with a mark', `\ufeff${rows.join('\n')}`],
    ['UTF-16 with a mark', toUtf16(`\ufeff${rows.join('\n')}`, true)],
    ['ASCII', 'prompt\nA cat'],
  ])('guesses nothing about a file in %s', async (_name, content) => {
    expect((await readCsv(fileOf(content), 1000)).guess).toBeUndefined();
  });

  it('shows the letters of a long row that depend on the encoding', async () => {
    const { guess } = await readCsv(fileOf(toWindows(`prompt;id\n${'A long text '.repeat(40)}über alles;7`)), 1000);
    expect(guess?.sample).toMatch(/^….*über alles · 7$/);
  });

  it.each([
    ['an empty file', '\n \n', 'The file is empty.'],
    ['a quote without an end', 'prompt\nA cat\n"A dog\nA bird', 'Row 3 has a quote that does not end.'],
    ['what is no text', new Uint8Array([0x70, 0xe4, 0x01, 0x0a]), 'The file is not text.'],
    ['zeros all over', new Uint8Array([0x70, 0, 0, 0x0a, 0, 0]), 'The file is not text.'],
    [
      'damaged UTF-8',
      new Uint8Array([0xc3, 0xa4, 0xc3, 0xb6, 0x0a, 0x66, 0xc3, 0x0a]),
      'characters of the file are damaged',
    ],
    ['a spreadsheet', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14]), 'This is a spreadsheet, not a CSV file.'],
    ['too many columns', `${'a,'.repeat(60)}\n`, 'more than 50 columns'],
  ])('rejects %s', async (_name, content, message) => {
    await expect(readCsv(fileOf(content), 1000)).rejects.toThrow(message);
  });

  it.each<[LegacyEncoding, number[], string]>([
    ['windows-1251', [0xcc, 0xef, 0xf6], 'Мпц'],
    ['gb18030', [0xb5, 0xc6, 0xcb, 0xfe], '灯塔'],
    ['shift_jis', [0x93, 0x94, 0x91, 0xe4], '灯台'],
    ['euc-kr', [0xb5, 0xee, 0xb4, 0xeb], '등대'],
    ['windows-1253', [0xf6, 0xdc, 0xf1, 0xef, 0xf2], 'φάρος'],
  ])('reads a file of %s when it is chosen, and shows its letters', async (encoding, letters, word) => {
    const bytes = new Uint8Array([...new TextEncoder().encode('prompt\n'), ...letters, 0x0a]);
    const { lines, guess } = await readCsv(fileOf(bytes), 1000, encoding);
    expect(lines[1]?.cells).toEqual([word]);
    expect(guess).toEqual({ encoding, sample: word });
  });

  it('says that a file is not in the encoding that was chosen', async () => {
    const western = new Uint8Array([0x70, 0x0a, 0xe4, 0x0a]);
    await expect(readCsv(fileOf(western), 1000, 'shift_jis')).rejects.toThrow('not in Japanese (Shift JIS)');
  });

  it('rejects more rows than a batch may have, not counting the names of the columns', async () => {
    const lines = (count: number) => fileOf(`prompt\n${'A cat\n'.repeat(count)}`);
    expect((await readCsv(lines(3), 3)).lines).toHaveLength(4);
    await expect(readCsv(lines(4), 3)).rejects.toThrow('The file has 4 rows; a batch has at most 3.');
  });

  it('rejects a large file before reading it', async () => {
    const file = { name: 'a.csv', size: MAX_CSV_BYTES + 1, arrayBuffer: () => Promise.reject(new Error('was read')) };
    await expect(readCsv(file, 1000)).rejects.toThrow('The file is larger than 8 MB.');
  });
});
