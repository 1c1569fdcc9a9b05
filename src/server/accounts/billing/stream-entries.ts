import { setImmediate } from 'node:timers/promises';
import { type SQL, and, asc, sql } from 'drizzle-orm';
import { ledgerEntries } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { findWordEntries } from './find-newest-entries.ts';
import {
  type LedgerFilter,
  type SeqRange,
  isSelectiveFilter,
  ledgerFilterCondition,
  seqRangeCondition,
} from './ledger-filter.ts';
import { seqSources } from './ledger-sources.ts';
import { type NamedEntry, selectLedgerEntries, seqWindows } from './read-entries.ts';

/** Entries per query, as in `seqWindows`. */
const PAGE_ENTRIES = 1_000;
/** The first rows come sooner. */
const FIRST_ENTRIES = 100;

const { seq } = ledgerEntries;

/**
 * Reads all entries of a filter within a range, oldest first, in batches. Each batch costs by its matches where an index
 * has a part of the filter, so that the first rows of a rare one come at once.
 */
export async function* readLedgerEntries(
  { db }: { db: Db },
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): AsyncGenerator<NamedEntry[]> {
  const read = (part: SeqRange, of: LedgerFilter, more?: SQL) =>
    selectLedgerEntries(db)
      .where(and(seqRangeCondition(organization_id, part), ledgerFilterCondition(of), more))
      .orderBy(asc(seq));
  if (isSelectiveFilter(filter)) {
    const rows = await read(range, filter);
    if (rows.length > 0) yield rows;
    return;
  }
  const isByWord = filter.words !== undefined && !filter.named_key_ids?.length;
  const matches = isByWord ? await findWordEntries(db, organization_id, filter.words ?? '') : null;
  if (matches)
    return yield* inPages(range, (part) => read(part, { ...filter, words: undefined }, matches).limit(PAGE_ENTRIES));
  for await (const { part, seqs } of hasSource(filter)
    ? walkSources(db, organization_id, filter, range)
    : walkWindows(range)) {
    const rows = await read(part, filter, seqs && sql`${seq} = any(${sql.param(seqs)}::bigint[])`);
    if (rows.length > 0) yield rows;
  }
}

async function* inPages(
  range: SeqRange,
  read: (part: SeqRange) => Promise<NamedEntry[]>,
): AsyncGenerator<NamedEntry[]> {
  for (let { first } = range; ;) {
    const rows = await read({ first, end: range.end });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ENTRIES) return;
    first = last.entry.seq + 1n;
    await setImmediate();
  }
}

interface Walked {
  part: SeqRange;
  /** Among these; undefined: all of the part. */
  seqs?: string[];
}

async function* walkWindows(range: SeqRange): AsyncGenerator<Walked> {
  for await (const part of seqWindows(range)) yield { part };
}

const hasSource = (filter: LedgerFilter): boolean =>
  [filter.type, filter.task, filter.model, filter.key_id, filter.key_ids, filter.amount_micro_usd].some(
    (value) => value != null,
  ) || [...(filter.tags ?? [])].some(([, value]) => value !== null);

/** Follows whichever index has the fewest entries ahead. */
async function* walkSources(
  db: Db,
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): AsyncGenerator<Walked> {
  for (let { first } = range, count = FIRST_ENTRIES; first < range.end; await setImmediate()) {
    const types = filter.type && [filter.type];
    const query = { organization_id, filter, range: { first, end: range.end }, types, order: 'asc' } as const;
    const { main, others } = seqSources(query);
    let best: { seqs: string[]; end: bigint } | undefined;
    for (const source of [main, ...others]) {
      const rows = await db.select({ seq: sql<string>`walked.seq::text` }).from(sql`(${source(count)}) as walked`);
      const seqs = rows.map((row) => row.seq);
      const end = seqs.length < count ? range.end : BigInt(seqs.at(-1) ?? 0) + 1n;
      if (!best || end > best.end) best = { seqs, end };
    }
    if (!best) return;
    yield { part: { first, end: best.end }, seqs: best.seqs };
    [first, count] = [best.end, PAGE_ENTRIES];
  }
}
