import { sql, type SQL } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { providerBillLines } from '#server/platform/db/schema/closing-schema.ts';
import type { BillLine } from './bill-lines.ts';
import { toUsd } from './parse-amount.ts';

const BATCH_LINES = 5_000;

interface LineOwner {
  organization_id: string;
  bill_id: string;
  rateNano: bigint;
}

/** Stores lines in batches. */
export async function insertLines(tx: Tx, owner: LineOwner, lines: AsyncIterable<BillLine>): Promise<void> {
  let batch: BillLine[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < BATCH_LINES) continue;
    await insertBatch(tx, owner, batch);
    batch = [];
  }
  if (batch.length > 0) await insertBatch(tx, owner, batch);
}

/** One parameter for each column, whatever the number of lines. */
async function insertBatch(tx: Tx, { organization_id, bill_id, rateNano }: LineOwner, lines: readonly BillLine[]) {
  const array = (read: (line: BillLine) => string | null, type: string): SQL =>
    sql`${sql.param(lines.map(read))}::text[]::${sql.raw(type)}[]`;
  const text = (value: bigint | null): string | null => (value === null ? null : String(value));
  await tx.execute(sql`insert into ${providerBillLines} (organization_id, bill_id, "row", charged_at, category,
      is_correction, service, description, request_id, quantity_nano, unit, amount_nano, usd_nano)
    select ${organization_id}, ${bill_id}, line.* from unnest(
      ${array(({ row }) => String(row), 'integer')},
      ${array(({ charged_at }) => charged_at.toISOString(), 'timestamptz')},
      ${array(({ category }) => category, 'text')},
      ${array(({ is_correction }) => String(is_correction), 'boolean')},
      ${array(({ service }) => service, 'text')},
      ${array(({ description }) => description, 'text')},
      ${array(({ request_id }) => request_id, 'text')},
      ${array(({ quantity_nano }) => text(quantity_nano), 'bigint')},
      ${array(({ unit }) => unit, 'text')},
      ${array(({ amount_nano }) => text(amount_nano), 'bigint')},
      ${array(({ amount_nano }) => text(toUsd(amount_nano, rateNano)), 'bigint')}
    ) as line`);
}
