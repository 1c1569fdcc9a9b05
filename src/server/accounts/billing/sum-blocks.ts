import { type SQL, and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { ledgerBlockSums } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { BLOCK_SIZES, type BlockSizes } from './ledger-blocks.ts';
import type { LedgerFilter, SeqRange } from './ledger-filter.ts';
import { addToSums, type SumsByType } from './sums-by-type.ts';

type Reader = { db: Pick<Db, 'select'> };

/** Sums of blocks, and the ranges beside them whose entries are still to be summed. */
export interface SummedBlocks {
  sums: SumsByType;
  rest: SeqRange[];
}

/** Sums the full blocks of a range by type, for filters that blocks can answer. */
export async function sumBlocks(
  reader: Reader,
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
  sizes: BlockSizes = BLOCK_SIZES,
): Promise<SummedBlocks> {
  const tag = tagOf(filter);
  if (tag === null) return { sums: new Map(), rest: [range] };
  let rest = [range];
  const sums: SumsByType = new Map();
  for (const size of [sizes.large, sizes.small]) {
    if (tag.has_large_only && size === sizes.small) continue;
    const full = await countBlocks(reader, organization_id, size);
    const parts = rest.map((part) => splitRange(part, BigInt(size), BigInt(full)));
    for (const { first, end } of parts.flatMap(({ blocks }) => blocks)) {
      const where = and(
        eq(ledgerBlockSums.organization_id, organization_id),
        eq(ledgerBlockSums.size, size),
        gte(ledgerBlockSums.block, Number(first)),
        lt(ledgerBlockSums.block, Number(end)),
      );
      for (const { name, sign } of tag.terms)
        await addSums(reader, sums, and(where, eq(ledgerBlockSums.tag, name), workCondition(filter, sign)), sign);
    }
    rest = parts.flatMap((part) => part.rest);
  }
  return { sums, rest };
}

interface TagTerms {
  terms: { name: string; sign: 1 | -1 }[];
  has_large_only: boolean;
}

/** Which sums a filter adds and subtracts; null: blocks do not have it. */
function tagOf({
  tags,
  generation_id,
  workflow_run_id,
  amount_micro_usd,
  words,
  seq,
  ...filter
}: LedgerFilter): TagTerms | null {
  if ([generation_id, workflow_run_id, amount_micro_usd, words, seq].some((value) => value !== undefined)) return null;
  const [tag, ...more] = tags ?? [];
  if (!tag) return { terms: [{ name: '', sign: 1 }], has_large_only: false };
  const { task, model, key_id, key_ids } = filter;
  if (more.length > 0 || [task, model, key_id, key_ids].some((value) => value != null)) return null;
  const [name, value] = tag;
  if (value !== null) return { terms: [{ name: `${name}=${value}`, sign: 1 }], has_large_only: true };
  return {
    terms: [
      { name: '', sign: 1 },
      { name, sign: -1 },
    ],
    has_large_only: false,
  };
}

/** @param sign -1 where entries with a tag are subtracted from all entries of generations */
function workCondition(filter: LedgerFilter, sign: 1 | -1): SQL | undefined {
  const { type, key_id, task, model } = ledgerBlockSums;
  return and(
    filter.type && eq(type, filter.type),
    sign === 1 && filter.tags?.size === 1 && [...filter.tags.values()][0] === null ? sql`${key_id} <> ''` : undefined,
    filter.task && eq(task, filter.task),
    filter.model && eq(model, filter.model),
    filter.key_id ? eq(key_id, filter.key_id) : undefined,
    filter.key_ids ? inArray(key_id, [...filter.key_ids]) : undefined,
  );
}

async function addSums({ db }: Reader, sums: SumsByType, where: SQL | undefined, sign: 1 | -1): Promise<void> {
  const { type, amount_micro_usd, count } = ledgerBlockSums;
  const rows = await db
    .select({
      type,
      amount: sql<string>`sum(${amount_micro_usd})::text`,
      count: sql<number>`sum(${count})::int`,
    })
    .from(ledgerBlockSums)
    .where(where)
    .groupBy(type);
  for (const row of rows) addToSums(sums, row.type, BigInt(sign) * BigInt(row.amount), sign * row.count);
}

async function countBlocks({ db }: Reader, organization_id: string, size: number): Promise<number> {
  const { block, tag } = ledgerBlockSums;
  const [row] = await db
    .select({ last: sql<number | null>`max(${block})` })
    .from(ledgerBlockSums)
    .where(and(eq(ledgerBlockSums.organization_id, organization_id), eq(tag, ''), eq(ledgerBlockSums.size, size)));
  return (row?.last ?? -1) + 1;
}

/** Splits a range into full blocks, as numbers, and the entries before and after these. */
function splitRange({ first, end }: SeqRange, size: bigint, full: bigint): { blocks: SeqRange[]; rest: SeqRange[] } {
  const first_block = (first - 1n + size - 1n) / size;
  const last_block = (end - 1n) / size;
  const end_block = last_block < full ? last_block : full;
  if (first_block >= end_block) return { blocks: [], rest: [{ first, end }] };
  const rest = [
    { first, end: first_block * size + 1n },
    { first: end_block * size + 1n, end },
  ].filter((part) => part.first < part.end);
  return { blocks: [{ first: first_block, end: end_block }], rest };
}
