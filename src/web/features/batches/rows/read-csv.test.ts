import { describe, expect, it } from 'vitest';
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

  it.each([
    ['an empty file', '\n \n', 'The file is empty.'],
    ['a quote without an end', 'prompt\nA cat\n"A dog\nA bird', 'Row 3 has a quote that does not end.'],
    ['another encoding', new Uint8Array([0x70, 0xe4, 0x0a]), 'not text in UTF-8'],
    ['a spreadsheet', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14]), 'This is a spreadsheet, not a CSV file.'],
    ['too many columns', `${'a,'.repeat(60)}\n`, 'more than 50 columns'],
  ])('rejects %s', async (_name, content, message) => {
    await expect(readCsv(fileOf(content), 1000)).rejects.toThrow(message);
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
