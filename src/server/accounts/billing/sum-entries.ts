import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { LedgerType } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { LedgerSums } from '#contract/resources/ledger.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ledgerEntries, ledgerTags } from '#server/platform/db/billing-schema.ts';
import type { BlockSizes } from './ledger-blocks.ts';
import { seqWindows } from './read-entries.ts';
import { sumBlocks } from './sum-blocks.ts';
import { addToSums, type SumsByType } from './sums-by-type.ts';
import {
  type LedgerFilter,
  type SeqRange,
  isSelectiveFilter,
  ledgerFilterCondition,
  resolveSeqRange,
  seqRangeCondition,
} from './ledger-filter.ts';

/** Types of entries that belong to a generation. */
const GENERATION_ENTRY_TYPES: readonly LedgerType[] = ['RESERVE', 'RELEASE', 'SETTLE', 'REFUND'];
const WINDOW_ENTRIES = 20_000n;
/** Of these an index has those with the tag. */
const TAGGED_WINDOW_ENTRIES = 100_000n;

export async function sumEntriesByType(
  reader: { db: Pick<Deps['db'], 'select'> },
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
  sizes?: BlockSizes,
): Promise<SumsByType> {
  const { sums, rest } = await sumBlocks(reader, organization_id, filter, range, sizes);
  const is_tagged = [...(filter.tags ?? [])].some(([, value]) => value !== null);
  const size = is_tagged ? TAGGED_WINDOW_ENTRIES : WINDOW_ENTRIES;
  for (const part of rest) {
    for await (const window of isSelectiveFilter(filter) ? [part] : seqWindows(part, size)) {
      for (const { type, amount, count } of await sumWindow(reader, organization_id, filter, window))
        addToSums(sums, type, BigInt(amount), count);
    }
  }
  return sums;
}

/** Entries with the values of tags are found by the index of tags. */
function sumWindow(
  { db }: { db: Pick<Deps['db'], 'select'> },
  organization_id: string,
  filter: LedgerFilter,
  window: SeqRange,
) {
  const { type, seq, amount_micro_usd } = ledgerEntries;
  const tags = [...(filter.tags ?? [])];
  const absent = new Map(tags.filter(([, value]) => value === null));
  let sums = db
    .select({
      type,
      amount: sql<string>`sum(${amount_micro_usd})::text`,
      count: sql<number>`count(*)::int`,
    })
    .from(ledgerEntries)
    .where(and(seqRangeCondition(organization_id, window), ledgerFilterCondition({ ...filter, tags: absent })))
    .groupBy(type)
    .$dynamic();
  for (const [index, [name, value]] of tags.entries()) {
    if (value === null) continue;
    const tag = alias(ledgerTags, `tag_${index}`);
    sums = sums.innerJoin(
      tag,
      and(
        eq(tag.organization_id, organization_id),
        eq(tag.name, name),
        eq(tag.value, value),
        inArray(tag.type, filter.type ? [filter.type] : [...GENERATION_ENTRY_TYPES]),
        eq(tag.type, type),
        eq(tag.seq, seq),
        gte(tag.seq, window.first),
        lt(tag.seq, window.end),
      ),
    );
  }
  return sums;
}

/** SETTLE less REFUND. */
export const netSpending = (sums: SumsByType): bigint =>
  -(sums.get('SETTLE')?.amount_micro_usd ?? 0n) - (sums.get('REFUND')?.amount_micro_usd ?? 0n);

const presentSumsByType = (sums: SumsByType): LedgerSums['by_type'] =>
  [...sums].map(([type, { amount_micro_usd, count }]) => ({ type, amount_usd: formatUsd(amount_micro_usd), count }));

export async function sumLedger(deps: Deps, organization_id: string, filter: LedgerFilter): Promise<LedgerSums> {
  const sums = await sumEntriesByType(
    deps,
    organization_id,
    filter,
    await resolveSeqRange(deps, organization_id, filter),
  );
  const rows = [...sums.values()];
  return {
    object: 'ledger_sums',
    count: rows.reduce((total, { count }) => total + count, 0),
    amount_usd: formatUsd(rows.reduce((total, { amount_micro_usd }) => total + amount_micro_usd, 0n)),
    spent_usd: formatUsd(netSpending(sums)),
    by_type: presentSumsByType(sums),
  };
}
