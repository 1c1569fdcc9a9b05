import { and, asc, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { formatNano } from '#contract/money/money.ts';
import { readChainHead } from '#server/accounts/audit/hash-chain.ts';
import {
  closingCorrections,
  closingEntries,
  closingFindings,
  providerBillLines,
  providerBills,
} from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { correctionLine, readClosingEntries, readPages } from './settling/closing-chain.ts';
import type { ClosingEntryRow } from './settling/closing-entries.ts';

type BillRow = typeof providerBills.$inferSelect;

/** What an audit pack has of closings, at one moment. */
interface PackedClosings {
  head: { seq: bigint; hash: string };
  bills: readonly BillRow[];
}

/** Reads the head of the chain and the bills of some months. */
export async function readPackedClosings(
  db: Pick<Db, 'select'>,
  organizationId: string,
  months: readonly string[],
): Promise<PackedClosings> {
  const { seq, hash } = await readChainHead(db, 'closing', organizationId);
  const bills = await db
    .select()
    .from(providerBills)
    .where(and(eq(providerBills.organization_id, organizationId), inArray(providerBills.month, [...months])))
    .orderBy(asc(providerBills.id));
  return { head: { seq, hash }, bills };
}

interface PackScope {
  organization_id: string;
  months: readonly string[];
  closings: PackedClosings;
  /** Gets each correction of these months. */
  onCorrection: (row: typeof closingCorrections.$inferSelect) => void;
}

type PackedFile = [name: string, content: AsyncIterable<string | Uint8Array>];

const billFile = ({ id, filename }: BillRow): string =>
  `bills/${id}${filename.toLowerCase().endsWith('.gz') ? '.csv.gz' : '.csv'}`;

/**
 * The files of an audit pack about closings: `verify.mjs` recomputes them, and finds originals that storage has lost.
 * Decision: Closing
 */
export async function packClosings(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  { organization_id, months, closings: { head, bills }, onCorrection }: PackScope,
): Promise<PackedFile[]> {
  async function* original({ storage_key }: BillRow) {
    for await (const chunk of await storage.read(storage_key)) yield chunk as Uint8Array;
  }
  const originals: PackedFile[] = [];
  for (const bill of bills) if (await storage.stat(bill.storage_key)) originals.push([billFile(bill), original(bill)]);
  return [
    ['closing.jsonl', closingLines(db, organization_id, head.seq)],
    ['corrections.jsonl', correctionLines(db, organization_id, months, head.seq, onCorrection)],
    ['bills.jsonl', linesOf(bills, billLine)],
    ['bill-lines.jsonl', billLines(db, bills)],
    ['findings.jsonl', findingLines(db, organization_id, months)],
    ...originals,
  ];
}

async function* linesOf<Row>(rows: readonly Row[], line: (row: Row) => string): AsyncGenerator<string> {
  if (rows.length > 0) yield rows.map(line).join('');
}

const isAfter = (columns: readonly PgColumn[], values: readonly (string | number)[] | undefined): SQL | undefined =>
  values &&
  sql`(${sql.join([...columns], sql`, `)}) > (${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;

/** With everything that its hash covers, in this order. */
const closingLine = (entry: ClosingEntryRow): string =>
  `${JSON.stringify({
    organization_id: entry.organization_id,
    seq: String(entry.seq),
    id: entry.id,
    type: entry.type,
    month: entry.month,
    provider_id: entry.provider_id,
    body: entry.body,
    created_by: entry.created_by,
    created_at: entry.created_at.toISOString(),
    hash: entry.hash,
  })}\n`;

/** The whole chain, which has few entries. */
async function* closingLines(db: Db, organizationId: string, last: bigint): AsyncGenerator<string> {
  for await (const rows of readClosingEntries(db, organizationId, last)) yield rows.map(closingLine).join('');
}

async function* correctionLines(
  db: Db,
  organizationId: string,
  months: readonly string[],
  last: bigint,
  onCorrection: PackScope['onCorrection'],
): AsyncGenerator<string> {
  const { organization_id, month, entry_id, finding_id } = closingCorrections;
  const isKnown = sql`exists (select from ${closingEntries} where ${closingEntries.id} = ${entry_id}
    and ${closingEntries.seq} <= ${last})`;
  const pages = readPages<typeof closingCorrections.$inferSelect>((row, limit) =>
    db
      .select()
      .from(closingCorrections)
      .where(
        and(
          eq(organization_id, organizationId),
          inArray(month, [...months]),
          isKnown,
          isAfter([entry_id, finding_id], row && [row.entry_id, row.finding_id]),
        ),
      )
      .orderBy(asc(entry_id), asc(finding_id))
      .limit(limit),
  );
  for await (const rows of pages) {
    rows.forEach(onCorrection);
    yield rows.map(correctionLine).join('');
  }
}

const billLine = (bill: BillRow): string =>
  `${JSON.stringify({
    id: bill.id,
    provider_id: bill.provider_id,
    month: bill.month,
    file: billFile(bill),
    filename: bill.filename,
    sha256: bill.sha256,
    currency: bill.currency,
    usd_rate: bill.usd_rate,
    line_count: bill.line_count,
    amount: formatNano(bill.amount_nano),
    amount_usd: formatNano(bill.usd_nano),
    created_at: bill.created_at.toISOString(),
  })}\n`;

async function* billLines(db: Db, bills: readonly BillRow[]): AsyncGenerator<string> {
  for (const { id, organization_id } of bills) {
    const { organization_id: organization, bill_id, row } = providerBillLines;
    const pages = readPages<typeof providerBillLines.$inferSelect>((last, limit) =>
      db
        .select()
        .from(providerBillLines)
        .where(and(eq(organization, organization_id), eq(bill_id, id), gt(row, last?.row ?? 0)))
        .orderBy(asc(row))
        .limit(limit),
    );
    for await (const rows of pages)
      yield rows
        .map(
          ({ organization_id: _organization, charged_at, quantity_nano, amount_nano, usd_nano, ...line }) =>
            `${JSON.stringify({
              ...line,
              charged_at: charged_at.toISOString(),
              quantity: quantity_nano === null ? null : formatNano(quantity_nano),
              amount: formatNano(amount_nano),
              amount_usd: formatNano(usd_nano),
            })}\n`,
        )
        .join('');
  }
}

async function* findingLines(db: Db, organizationId: string, months: readonly string[]): AsyncGenerator<string> {
  const { organization_id, month, provider_id, id } = closingFindings;
  const pages = readPages<typeof closingFindings.$inferSelect>((row, limit) =>
    db
      .select()
      .from(closingFindings)
      .where(
        and(
          eq(organization_id, organizationId),
          inArray(month, [...months]),
          isAfter([month, provider_id, id], row && [row.month, row.provider_id, row.id]),
        ),
      )
      .orderBy(asc(month), asc(provider_id), asc(id))
      .limit(limit),
  );
  for await (const rows of pages) yield rows.map(findingLine).join('');
}

const findingLine = (row: typeof closingFindings.$inferSelect): string =>
  `${JSON.stringify({
    month: row.month,
    provider_id: row.provider_id,
    id: row.id,
    subject: row.subject,
    kind: row.kind,
    detail: row.detail,
    generation_id: row.generation_id,
    request_id: row.request_id,
    line_count: row.line_count,
    job_count: row.job_count,
    bill_usd: row.bill_nano === null ? null : formatNano(row.bill_nano),
    cost_usd: row.cost_nano === null ? null : formatNano(row.cost_nano),
    difference_usd: formatNano(row.difference_nano),
  })}\n`;
