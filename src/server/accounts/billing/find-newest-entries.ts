import { type SQL, and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { ledgerEntries, ledgerSearchTexts } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { findWordMatches } from '#server/platform/db/word-matches.ts';
import { isSelectiveFilter, type LedgerFilter, ledgerFilterCondition, seqRangeCondition } from './ledger-filter.ts';
import { type SeqSource, type SourceQuery, seqSources, sourceOfKeys } from './ledger-sources.ts';
import { type NamedEntry, selectLedgerEntries } from './read-entries.ts';

/** Entries that one request looks at where no index has the whole filter. */
const WALKED_ENTRIES = 1_000;
/** Prompts and reasons with a word that are read at once. More of them are found by walking. */
const MAX_MATCHES = 3_000;
/** Keys whose newest entries are read at once where their names have the words. */
const MAX_NAMED_KEYS = 50;

export interface EntryQuery extends SourceQuery {
  /** Beside the filter, such as that an entry begins a line. */
  condition?: SQL | undefined;
}

export interface NewestEntries {
  rows: NamedEntry[];
  /** There may be more below this `seq`: the request looked at enough entries. Null: the rows are complete. */
  walked_to: bigint | null;
}

const { seq } = ledgerEntries;

/** Reads the newest entries of a filter, at most `count`. */
export async function findNewestEntries(db: Db, query: EntryQuery, count: number): Promise<NewestEntries> {
  const { organization_id, filter, range, types } = query;
  const matching = (of: LedgerFilter) =>
    and(
      seqRangeCondition(organization_id, range),
      types && inArray(ledgerEntries.type, [...types]),
      ledgerFilterCondition(of),
      query.condition,
    );
  const all = matching(filter);
  const of_organization = eq(ledgerEntries.organization_id, organization_id);
  /** Limits before it joins, so that names and prompts are read for the page only. */
  const newest = (where: SQL | undefined, order: SQL = desc(seq)) =>
    selectLedgerEntries(db)
      .where(
        and(
          of_organization,
          inSeqs(sql`array(${db.select({ seq }).from(ledgerEntries).where(where).orderBy(order).limit(count)})`),
        ),
      )
      .orderBy(sql`${seq} + 0 desc`);
  // `+ 0` keeps the planner from walking the ledger in index order instead of reading the few entries that match.
  if (isSelectiveFilter(filter)) return { rows: await newest(all, sql`${seq} + 0 desc`), walked_to: null };
  const { main, others } = seqSources(query);
  const isWhole = !filter.tags?.size && filter.amount_micro_usd === undefined && !filter.words && !query.condition;
  if (isWhole) return { rows: await newest(and(of_organization, inSeqs(sql`array(${main(count)})`))), walked_to: null };

  let best: NewestEntries = { rows: [], walked_to: range.end };
  for (const source of [...others, main]) {
    const walked = await walk(db, source);
    const rows = await newest(and(inSeqs(toArray(walked)), all));
    const lowest = walked.reduce((low, at) => (at < low ? at : low), range.end);
    if (rows.length >= count || walked.length < WALKED_ENTRIES) return { rows, walked_to: null };
    if (lowest < (best.walked_to ?? 0n)) best = { rows, walked_to: lowest };
  }
  const matches = filter.words === undefined ? null : await findWordEntries(db, organization_id, filter.words);
  if (!matches || (filter.named_key_ids?.length ?? 0) > MAX_NAMED_KEYS) return best;
  const named = filter.named_key_ids?.length ? await walk(db, sourceOfKeys(query, filter.named_key_ids)) : [];
  const isWholeWalk = named.length < WALKED_ENTRIES;
  const lowest = isWholeWalk ? range.first : named.reduce((low, at) => (at < low ? at : low), range.end);
  // The words are those of the matches, so they are not compared again.
  const others_match = and(
    matching({ ...filter, words: undefined }),
    seqRangeCondition(organization_id, { ...range, first: lowest }),
  );
  const rows = await newest(and(others_match, or(matches, inSeqs(toArray(named)))), sql`${seq} + 0 desc`);
  return { rows, walked_to: isWholeWalk ? null : lowest };
}

const inSeqs = (seqs: SQL): SQL => sql`${seq} = any(${seqs})`;
const toArray = (seqs: readonly bigint[]): SQL => sql`${sql.param(seqs.map(String))}::bigint[]`;

async function walk(db: Db, source: SeqSource): Promise<bigint[]> {
  const rows = await db.select({ seq: sql<string>`walked.seq::text` }).from(sql`(${source(WALKED_ENTRIES)}) as walked`);
  return rows.map((row) => BigInt(row.seq));
}

/** Returns which entries have the words by index; null if these are too many. */
export async function findWordEntries(db: Db, organization_id: string, words: string): Promise<SQL | null | undefined> {
  const texts = ledgerSearchTexts;
  const of_prompt: string[] = [];
  for await (const part of findWordMatches(db, { organization_id, words, sizes: [MAX_MATCHES] })) {
    of_prompt.push(...part);
    if (of_prompt.length >= MAX_MATCHES) return null;
  }
  const of_text = await db
    .select({ seq: texts.seq, id: texts.generation_id })
    .from(texts)
    .where(and(eq(texts.organization_id, organization_id), sql`${texts.words} @@ ${words}::tsquery`))
    .limit(MAX_MATCHES + 1);
  if (of_text.length > MAX_MATCHES) return null;
  const ids = [...of_prompt, ...of_text.flatMap(({ id }) => (id === null ? [] : [id]))];
  const seqs = of_text.flatMap((row) => (row.id === null ? [row.seq] : []));
  return or(sql`${ledgerEntries.generation_id} = any(${sql.param(ids)}::text[])`, inSeqs(toArray(seqs)));
}
