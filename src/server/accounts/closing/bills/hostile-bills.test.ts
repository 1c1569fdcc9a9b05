import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillOptions, previewBill } from './read-bill.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-bills-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const nextFile = () => join(folder, String((files += 1)));
async function preview(content: string | Buffer, options: Partial<BillOptions> = {}) {
  const file = nextFile();
  await writeFile(file, content);
  return previewBill(file, { month: '2026-11', ...options }, null);
}

const rows = (...lines: string[]) => lines.join('\n');
const HEADER = 'Date,Cost,Model,Currency';
const LINE = '2026-11-01,1.00,a,USD';
const utf16 = (text: string, mark: string) => Buffer.from(mark + text, 'utf16le');

describe('files as consoles write them are read', () => {
  it.each([
    ['newlines of old spreadsheets', rows(HEADER, LINE, LINE).replaceAll('\n', '\r'), '2.00'],
    ['UTF-16', utf16(rows(HEADER, LINE), '\ufeff'), '1.00'],
    ['UTF-16 with the other order of bytes', utf16(rows(HEADER, LINE), '\ufeff').swap16(), '1.00'],
    ['UTF-16 without its mark', utf16(rows(HEADER, LINE), ''), '1.00'],
    ['Latin-1', Buffer.from(rows(HEADER, '2026-11-01,1.00,Größe é,USD'), 'latin1'), '1.00'],
    ['thousands with commas', rows(HEADER, '2026-11-01,"1,234.56",a,USD'), '1234.56'],
    ['thousands with points', rows('Date;Cost;Model', '2026-11-01;1.234,56;a'), '1234.56'],
    ['thousands with spaces', rows('Date;Cost;Model', '2026-11-01;1 234,56;a'), '1234.56'],
    ['thousands with apostrophes', rows(HEADER, '2026-11-01,1’234.56,a,USD'), '1234.56'],
    ['negative amounts', rows(HEADER, LINE, '2026-11-02,-3.50,a,USD'), '-2.50'],
    ['negative amounts in brackets', rows(HEADER, '2026-11-01,(12.50),a,USD'), '-12.50'],
    ['negative amounts with the sign behind', rows(HEADER, '2026-11-01,12.50-,a,USD'), '-12.50'],
    ['empty rows and columns', rows(`${HEADER},,`, '', `${LINE},,`, ',,,,,', ''), '1.00'],
    ['a line that names the delimiter', rows('sep=;', 'Date;Cost', '2026-11-01;1,00'), '1.00'],
    ['gzip', gzipSync(rows(HEADER, LINE)), '1.00'],
    ['gzip in parts', Buffer.concat([gzipSync(`${HEADER}\n`), gzipSync(LINE)]), '1.00'],
  ])('%s', async (_, content, amount) => {
    expect(await preview(content)).toMatchObject({ problem: null, amount });
  });

  it('euros behind the amount, with a rate', async () => {
    const content = rows('Datum;Betrag;Modell', '03.11.2026;1.234,56 €;a', '04.11.2026;-0,56 €;b');
    expect(await preview(content, { usd_rate: '1.1' })).toMatchObject({
      problem: null,
      currency: 'EUR',
      amount: '1234.00',
      amount_usd: '1357.40',
    });
  });

  it.each(['1.0', '1.1', '1.2', '1.3'])('FOCUS %s, plain and compressed', async (version) => {
    const columns: Record<string, string> = {
      BilledCost: '0.75',
      BillingAccountId: 'a',
      BillingCurrency: 'USD',
      BillingPeriodStart: '2026-11-01T00:00:00Z',
      BillingPeriodEnd: '2026-12-01T00:00:00Z',
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeDescription: '"flux, 30 megapixels"',
      ChargePeriodStart: '2026-11-14T00:00:00Z',
      ChargePeriodEnd: '2026-11-15T00:00:00Z',
      EffectiveCost: '0.75',
      ListCost: '0.75',
      PricingQuantity: '30',
      PricingUnit: 'megapixels',
      ...(version === '1.3'
        ? { HostProviderName: 'fal', ServiceProviderName: 'fal' }
        : { ProviderName: 'fal', PublisherName: 'fal' }),
      ServiceName: 'flux',
      ...(version === '1.0' ? {} : { ServiceSubcategory: 'Generative AI' }),
      ...(version >= '1.2' ? { InvoiceId: 'INV-1', Tags: '"{""team"":""a""}"' } : {}),
      x_RequestId: 'r-1',
    };
    const text = `${Object.keys(columns).join(',')}\r\n${Object.values(columns).join(',')}\r\n`;
    for (const content of [text, gzipSync(text)]) {
      const bill = await preview(content);
      expect(bill).toMatchObject({ problem: null, format: 'focus', amount: '0.75' });
      expect(bill.lines[0]).toMatchObject({ request_id: 'r-1', quantity: '30', unit: 'megapixels', service: 'flux' });
    }
  });
});

describe('other files change nothing and say why', () => {
  it.each([
    ['nothing', Buffer.alloc(0), 'The file is empty.'],
    ['a mark alone', '\ufeff', 'The file is empty.'],
    ['blank lines', '\n\n \n', 'The file is empty.'],
    ['a header alone', HEADER, 'The file has no lines with an amount.'],
    ['the header again', rows(HEADER, LINE, HEADER, LINE), 'Row 3 is the header again. Add each file by itself.'],
    [
      'a column twice',
      rows('Date,Cost,Model,Cost', '2026-11-01,1,a,2'),
      'The file has two columns “Cost”. Rename one, so that it is clear which counts.',
    ],
    [
      'an amount with a comma but no quotes',
      rows(HEADER, '2026-11-01,1,234.56,a,USD'),
      'Row 2 has 5 values for 4 columns. An amount with a comma needs quotes.',
    ],
    [
      'a formula',
      rows(HEADER, '2026-11-01,=SUM(B2:B9),a,USD'),
      'Row 2: “=SUM(B2:B9)” is not an amount with a decimal point.',
    ],
    ['a percentage', rows(HEADER, '2026-11-01,12 %,a,USD'), 'Row 2: “12 %” is not an amount with a decimal point.'],
    [
      'both kinds of thousands',
      rows('Date;Cost', '2026-11-01;1,234.56', '2026-11-01;2,234.56', '2026-11-02;1.234,56'),
      'Row 4: “1.234,56” is not an amount with a decimal point.',
    ],
    [
      'two currencies',
      rows(HEADER, LINE, '2026-11-02,1.00,b,EUR'),
      'Row 3 is in EUR, rows before it in USD. Bring in a file for each currency.',
    ],
    [
      'a currency beside another one',
      rows(HEADER, '2026-11-01,€1.00,a,USD'),
      'Row 2: the amount is in EUR, the currency is USD.',
    ],
    ['an open quote', rows(HEADER, '2026-11-01,1.00,"a,USD', LINE), 'Row 2 has a quote that does not end.'],
    [
      'a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff]),
      /is not text|damaged/,
    ],
    [
      'half a gzip file',
      gzipSync(rows(HEADER, ...Array.from({ length: 999 }, () => LINE))).subarray(0, 60),
      'The compressed file is damaged or incomplete.',
    ],
    [
      'bytes behind a gzip file',
      Buffer.concat([gzipSync(rows(HEADER, LINE)), Buffer.from('more bytes')]),
      'The compressed file is damaged or incomplete.',
    ],
    ['a page', '<!doctype html><html><body>Sign in</body></html>', 'Choose the column with the date.'],
    ['JSON', '[{"cost": 1}]', 'Choose the column with the date.'],
  ])('%s', async (_, content, problem) => {
    const bill = await preview(content);
    if (typeof problem === 'string') expect(bill.problem).toBe(problem);
    else expect(bill.problem).toMatch(problem);
  });

  it('a sum that differs from the invoice', async () => {
    const { problem } = await preview(rows(HEADER, LINE), { total: '1.01' });
    expect(problem).toBe('The lines add up to 1.00 USD, the invoice says 1.01 USD.');
  });
});
