import { inputContract, MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { LEDGER_TYPES } from '#contract/money/ledger.ts';
import { formatMoney } from '#contract/money/money.ts';
import { formatMultipliers } from '#contract/money/multipliers.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { describeFilter } from '#server/accounts/billing/reports/format-statement.ts';

const NOTHING = '0.00';
const MARGIN = 56;
const COLUMNS = { name: MARGIN, count: 300, amount: 420 };
const AMOUNT_WIDTH = 119;

const TYPE_NAMES = {
  TOP_UP: 'Top-ups',
  ADMIN_CREDIT: 'Credits',
  RESERVE: 'Reserved',
  RELEASE: 'Released',
  SETTLE: 'Charges',
  REFUND: 'Refunds',
  ADJUSTMENT: 'Adjustments',
} as const satisfies Record<(typeof LEDGER_TYPES)[number], string>;

/** The fonts that every PDF reader has know Latin-1 only. */
const toLatin = (text: string): string => text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');

/** Renders the statement of a month as a PDF, A4. */
export async function renderStatementPdf(statement: Statement): Promise<Uint8Array> {
  const { default: Pdf } = await import('pdfkit');
  const document = new Pdf({
    size: 'A4',
    margin: MARGIN,
    info: { Title: `Statement ${statement.month}`, CreationDate: new Date(statement.to) },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('end', resolve);
    document.on('error', reject);
  });
  drawStatement(document, statement);
  document.end();
  await done;
  return Buffer.concat(chunks);
}

type Row = [name: string, count: string, amount: string];

function drawStatement(document: PDFKit.PDFDocument, statement: Statement): void {
  const { organization, month, filter, opening, closing, by_type, spent_usd, head_seq, head_hash } = statement;
  document.font('Helvetica-Bold').fontSize(18).text(toLatin(organization.name));
  document.font('Helvetica').fontSize(11).fillColor('#555');
  document.text(`Statement for ${month} (UTC), in US dollars${statement.is_final ? '' : ' — the month is not over'}`);
  for (const { name, value } of describeFilter(statement)) document.text(toLatin(`Only ${name}: ${value}`));
  document.moveDown(1.5);
  const funds = (title: string, { available_usd, reserved_usd, balance_usd }: NonNullable<Statement['opening']>) =>
    drawTable(document, title, [
      ['Available', '', available_usd],
      ['Reserved', '', reserved_usd],
      ['Balance', '', balance_usd],
    ]);
  if (opening) funds('Opening', opening);
  drawTable(document, 'Entries', [
    ...by_type
      .filter(({ count }) => count > 0 || !filter)
      .map(({ type, count, amount_usd }): Row => [TYPE_NAMES[type], String(count), amount_usd]),
    ['Spent (charges less refunds)', '', spent_usd],
  ]);
  if (statement.costs) {
    const { cost_usd, corrected_usd, outside_orders_usd, margin_usd, known_count, unknown_count } = statement.costs;
    drawTable(document, 'Provider costs', [
      ['Cost', String(known_count), cost_usd ?? 'unknown'],
      ...(corrected_usd === NOTHING ? [] : [['Part of it from corrections', '', corrected_usd] satisfies Row]),
      ...(outside_orders_usd === NOTHING ? [] : [['Outside of orders', '', outside_orders_usd] satisfies Row]),
      ['Margin, of work with a known cost', '', margin_usd ?? 'unknown'],
      ...(unknown_count === 0
        ? []
        : [['Charges without a known cost', String(unknown_count), 'unknown'] satisfies Row]),
    ]);
  }
  if (closing) funds('Closing', closing);
  for (const { by, rows } of statement.breakdowns) {
    drawTable(
      document,
      `Spent by ${toLatin(by.replace('tag:', ''))}`,
      rows.map(({ name, count, amount_usd }): Row => [toLatin(name), String(count), amount_usd]),
    );
  }
  for (const book of statement.prices) drawPrices(document, book);
  document.moveDown(1).fontSize(8).fillColor('#555').font('Helvetica');
  document.text(
    head_seq == null ? 'The ledger has no entries yet.' : `Last entry ${head_seq}, hash ${head_hash}`,
    MARGIN,
  );
}

/** One row per price; what changes it, such as a size, below its name. */
function drawPrices(document: PDFKit.PDFDocument, { since, data }: Statement['prices'][number]): void {
  const start = since === null ? '' : ` since ${since.slice(0, 16).replace('T', ' ')} UTC`;
  drawTitle(document, `Prices${start}`);
  for (const { task, model, unit, unit_price_usd, minimum_usd, note, multipliers } of data) {
    const name = [TASKS[task].name, ...(model === null ? [] : [MODEL_NAMES[model]])].join(' · ');
    const hasMinimum = Number(minimum_usd) > 0 && minimum_usd !== unit_price_usd;
    const terms = [
      ...formatMultipliers(multipliers, inputContract(task, model)),
      ...(hasMinimum ? [`At least ${formatMoney(minimum_usd)}`] : []),
      ...(note === null ? [] : [note]),
    ].join('. ');
    document.fontSize(8);
    const termsHeight = terms === '' ? 0 : document.heightOfString(toLatin(terms), { width: PRICE_WIDTH });
    document.fontSize(10);
    breakPage(document, ROW_HEIGHT + termsHeight);
    const { y } = document;
    document.text(toLatin(name), MARGIN, y, { width: PRICE_WIDTH, height: ROW_HEIGHT, ellipsis: true });
    const price = `${formatMoney(unit_price_usd)} per ${unit === 'generation' ? 'video' : unit === 'operation' ? 'run' : unit}`;
    document.text(price, COLUMNS.amount - 20, y, { width: AMOUNT_WIDTH + 20, align: 'right' });
    if (terms !== '')
      document.fontSize(8).fillColor('#555').text(toLatin(terms), MARGIN, document.y, { width: PRICE_WIDTH });
    document.moveDown(0.25).fontSize(10).fillColor('#000');
  }
  document.moveDown(1);
}

const PRICE_WIDTH = 340;
const ROW_HEIGHT = 16;
const TITLE_OPTIONS = { height: ROW_HEIGHT, ellipsis: true };

/** Before a row, whose cells have to be on one page. */
function breakPage(document: PDFKit.PDFDocument, height: number): void {
  if (document.y + height > document.page.height - MARGIN) document.addPage();
}

function drawTitle(document: PDFKit.PDFDocument, title: string): void {
  // With the first row on the same page.
  breakPage(document, 3 * ROW_HEIGHT);
  document.font('Helvetica-Bold').fontSize(12).fillColor('#000').text(title, MARGIN, document.y, TITLE_OPTIONS);
  document.moveDown(0.4).font('Helvetica').fontSize(10);
}

function drawTable(document: PDFKit.PDFDocument, title: string, rows: readonly Row[]): void {
  drawTitle(document, title);
  for (const [name, count, amount] of rows) {
    breakPage(document, ROW_HEIGHT);
    const { y } = document;
    document.text(name, COLUMNS.name, y, { width: COLUMNS.count - COLUMNS.name, height: ROW_HEIGHT, ellipsis: true });
    document.text(count, COLUMNS.count, y, { width: 80, align: 'right' });
    // The fonts have no minus sign.
    document.text(formatMoney(amount).replace('−', '-'), COLUMNS.amount, y, { width: AMOUNT_WIDTH, align: 'right' });
    document.moveDown(0.25);
  }
  document.moveDown(1);
}
