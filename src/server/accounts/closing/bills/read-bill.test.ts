import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillOptions, previewBill } from './read-bill.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bills-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
async function preview(content: string | Buffer, options: Partial<BillOptions> = {}) {
  const file = join(folder, String((files += 1)));
  await writeFile(file, content);
  return previewBill(file, { month: '2026-11', ...options }, null);
}
const problemOf = async (content: string | Buffer, options?: Partial<BillOptions>) =>
  (await preview(content, options)).problem;

const rows = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;

const EUROPEAN = `\ufeff${rows(
  '"Datum";"Dienst";"Modell";"Vorgang";"Menge";"Einheit";"Einzelpreis";"Betrag";"Währung"',
  '"03.11.2026";"Video";"Motion 3";"job-1";"6";"Sekunden";"0,1100";"0,66";"EUR"',
  '"04.11.2026";"Bild; mit Rabatt";"Still 2";"";"2.500";"Bilder";"0,0200";"50,00";"EUR"',
  '"29.11.2026";"Gutschrift";"";"";"";"";"";"-7,125";"EUR"',
  '"30.11.2026";"Umsatzsteuer 19 %";"";"";"";"";"";"1.234,50";"EUR"',
  '"";"Summe";"";"";"";"";"";"1.278,035";"EUR"',
)}`;

const FOCUS = rows(
  'BilledCost,BillingCurrency,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,PricingQuantity,PricingUnit,ResourceId,Tags,x_RequestId',
  '0.75,USD,Usage,,"still/2, 30 megapixels",2026-11-14T00:00:00Z,30,megapixels,still/2,"{""team"":""one""}",r-1',
  '-0.1,USD,Credit,,Volume credit,2026-11-01T00:00:00Z,1,credit,,,',
  '0.1235,USD,Tax,,VAT 19 %,2026-11-01T00:00:00Z,,,,,',
  '1.5E-7,USD,Usage,Correction,One job of October,2026-10-31T00:00:00Z,,,still/2,,r-2',
);

describe('a CSV file of a console', () => {
  it('is read with semicolons, a decimal comma, thousands, a credit, a tax and a row with the sum', async () => {
    const bill = await preview(EUROPEAN, { usd_rate: '1.1' });
    expect(bill).toMatchObject({
      format: 'csv',
      problem: null,
      decimal: ',',
      currency: 'EUR',
      line_count: 4,
      sum_row_count: 1,
      amount: '1278.035',
      amount_usd: '1405.8385',
      columns: { date: 'Datum', amount: 'Betrag', currency: 'Währung', service: 'Modell', request_id: 'Vorgang' },
    });
    expect(
      bill.lines.map(({ row, amount, quantity, category, request_id }) => [
        row,
        amount,
        quantity,
        category,
        request_id,
      ]),
    ).toEqual([
      [2, '0.66', '6', 'usage', 'job-1'],
      [3, '50.00', '2500', 'usage', null],
      [4, '-7.125', null, 'credit', null],
      [5, '1234.50', null, 'tax', null],
    ]);
  });

  it('needs a rate for another currency than dollars', async () => {
    const bill = await preview(EUROPEAN);
    expect(bill).toMatchObject({
      amount: '1278.035',
      amount_usd: null,
      problem: 'The bill is in EUR. Enter how many dollars 1 EUR is.',
    });
  });

  it('must add up to the total of the invoice, as rounded as that is typed', async () => {
    expect(await problemOf(EUROPEAN, { usd_rate: '1.1', total: '1278.04' })).toBeNull();
    expect(await problemOf(EUROPEAN, { usd_rate: '1.1', total: '1278.05' })).toBe(
      'The lines add up to 1278.035 EUR, the invoice says 1278.05 EUR.',
    );
  });

  it('is read the same in every encoding, and compressed', async () => {
    const expected = await preview(EUROPEAN, { usd_rate: '1' });
    const latin1 = Buffer.from(EUROPEAN.slice(1), 'latin1');
    for (const content of [latin1, Buffer.from(EUROPEAN, 'utf16le'), gzipSync(EUROPEAN)])
      expect(await preview(content, { usd_rate: '1' })).toEqual(expected);
    const late = `Date,Amount,Model\n${'2026-11-01,1,a\n'.repeat(40_000)}`;
    const bill = await preview(Buffer.concat([Buffer.from(late), Buffer.from('2026-11-02,2,Modell ä\n', 'latin1')]));
    expect(bill).toMatchObject({ problem: null, line_count: 40_001, amount: '40002.00' });
  });

  it('is read by the columns that the person chose', async () => {
    const content = rows('when,net,gross,what', '2026-11-02,1.00,1.19,a');
    expect(await preview(content, { date_column: 'when', amount_column: 'gross' })).toMatchObject({ amount: '1.19' });
    expect(await problemOf(content, { date_column: 'when', amount_column: 'none' })).toBe(
      'The file has no column “none”.',
    );
    expect(await preview(content, { amount_column: 'net' })).toMatchObject({
      headers: ['when', 'net', 'gross', 'what'],
      problem: 'Choose the column with the date.',
    });
  });

  it('takes `03/11/2026` for the day that is in the month', async () => {
    const bill = await preview(rows('Date,Cost', '03/11/2026,$1', '11/04/2026,($0.25)'));
    expect(bill.lines.map(({ charged_at, amount }) => [charged_at.slice(0, 10), amount])).toEqual([
      ['2026-11-03', '1.00'],
      ['2026-11-04', '-0.25'],
    ]);
  });
});

describe('a FOCUS file', () => {
  it.each(['plain', 'gzip'])('is read with credits, taxes and corrections: %s', async (kind) => {
    const bill = await preview(kind === 'gzip' ? gzipSync(FOCUS) : FOCUS);
    expect(bill).toMatchObject({
      format: 'focus',
      problem: null,
      currency: 'USD',
      amount: '0.77350015',
      line_count: 4,
    });
    expect(
      bill.lines.map(({ category, is_correction, service, request_id, quantity }) => [
        category,
        is_correction,
        service,
        request_id,
        quantity,
      ]),
    ).toEqual([
      ['usage', false, 'still/2', 'r-1', '30'],
      ['credit', false, null, null, '1'],
      ['tax', false, null, null, null],
      ['usage', true, 'still/2', 'r-2', null],
    ]);
  });

  it('is refused with one sentence where a number has a comma', async () => {
    expect(await problemOf(FOCUS.replace('0.75,', '"0,75",'))).toBe(
      'Row 2: “0,75” is not an amount with a decimal point.',
    );
  });
});

const GOOD = 'Date,Cost,Model';
it.each([
  ['nothing', '', 'The file is empty.'],
  ['a header alone', rows(GOOD), 'The file has no lines with an amount.'],
  ['another month', rows(GOOD, '2026-10-01,1,a'), 'None of the lines is of 2026-11.'],
  ['a formula', rows(GOOD, '2026-11-01,=1+1,a'), 'Row 2: “=1+1” is not an amount with a decimal point.'],
  [
    'an amount that is too large',
    rows(GOOD, '2026-11-01,1e20,a'),
    'Row 2: “1e20” is not an amount with a decimal point.',
  ],
  ['a day that no month has', rows(GOOD, '2026-11-31,1,a'), 'Row 2: “2026-11-31” is not a date.'],
  [
    'a row without date',
    rows(GOOD, '2026-11-01,1,a', ',3,Sum'),
    'Row 3 has an amount but no date, and it is not the sum so far.',
  ],
  ['an open quote', rows(GOOD, '2026-11-01,1,"a', '2026-11-02,1,b'), 'Row 2 has a quote that does not end.'],
  [
    'two currencies',
    rows(`${GOOD},Currency`, '2026-11-01,1,a,USD', '2026-11-01,1,a,EUR'),
    'Row 3 is in EUR, rows before it in USD. Bring in a file for each currency.',
  ],
  [
    'a spreadsheet',
    Buffer.from([0x50, 0x4b, 3, 4, 0, 0]),
    'This is a spreadsheet or an archive. Export the bill as CSV (UTF-8), then choose that file.',
  ],
  ['a PDF', '%PDF-1.7 …', 'This is a PDF. Download the bill as CSV from the provider’s console.'],
  [
    'bytes',
    Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 7) % 256)),
    'The file is not text. Export the bill as CSV (UTF-8), then choose that file.',
  ],
  ['a cut gzip file', gzipSync(FOCUS.repeat(50)).subarray(0, 200), 'The compressed file is damaged or incomplete.'],
])('refuses %s with one sentence', async (_, content, problem) => {
  expect(await problemOf(content)).toBe(problem);
});

it('refuses a quote that runs through a large file without reading it again and again', async () => {
  const content = `${GOOD}\n2026-11-01,1,"a\n${'2026-11-01,1,a\n'.repeat(400_000)}`;
  expect(await problemOf(content)).toMatch(/^Row 2 has a quote that does not end/);
});
