import { type SQL, and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { LedgerType } from '#contract/money/ledger.ts';
import { accounts, ledgerEntries, ledgerSearchTexts, ledgerTags } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { isAnyOf, readFewHits } from '#server/platform/db/find-by-words.ts';
import { generationSearchTexts, hasWords } from '#server/platform/db/schema/library-schema.ts';
import { type LedgerFilter, type SeqRange, ledgerFilterCondition, seqRangeCondition } from './ledger-filter.ts';
import { type NamedEntry, selectLedgerEntries } from './read-entries.ts';

export interface EntryQuery {
  organization_id: string;
  filter: LedgerFilter;
  range: SeqRange;
  /** Undefined for all. */
  types?: readonly LedgerType[] | undefined;
  /** Beside the filter, such as that an entry begins a line. */
  condition?: SQL | undefined;
}

const { seq, generation_id, key_id, organization_id: ofOrganization } = ledgerEntries;

/** Reads the first entries of a filter by `seq`, at most `count`; with `desc` the last ones, newest first. */
export async function findEntries(
  db: Db,
  { organization_id, filter, range, types, condition }: EntryQuery,
  { count, order }: { count: number; order: 'asc' | 'desc' },
): Promise<NamedEntry[]> {
  const { tags, words, ...rest } = filter;
  const absent = new Map([...(tags ?? [])].filter(([, value]) => value === null));
  const matching = and(
    seqRangeCondition(organization_id, range),
    types && inArray(ledgerEntries.type, [...types]),
    ledgerFilterCondition({ ...rest, tags: absent }),
    ...[...(tags ?? [])].map(([name, value]) => (value === null ? undefined : hasTagValue(name, value))),
    condition,
  );
  const inOrder = order === 'asc' ? asc(seq) : desc(seq);
  const read = (ways: readonly (SQL | undefined)[]): Promise<NamedEntry[]> => {
    const first = ways.map(
      (way) => sql`(${db.select({ seq }).from(ledgerEntries).where(and(matching, way)).orderBy(inOrder).limit(count)})`,
    );
    // Names and prompts are read for these entries only.
    return selectLedgerEntries(db)
      .where(and(eq(ofOrganization, organization_id), sql`${seq} = any(array(${sql.join(first, sql` union `)}))`))
      .orderBy(inOrder)
      .limit(count);
  };
  if (words === undefined) return read([undefined]);
  const others = otherWordConditions(organization_id, words, filter.namedKeyIds);
  const few = await readFewHits(db, 'generation', words);
  if (few) return read([isAnyOf(generation_id, few), ...others]);
  const near = await nearCondition(db, organization_id, range, order);
  const entries = await read([
    and(near, hasWords('generation', generation_id, words)),
    ...others.map((way) => and(near, way)),
  ]);
  return entries.length >= count ? entries : read([hasWordsByIndex(words), ...others]);
}

/** Of a word that many have, the first page is mostly found among so many entries. */
const NEAR_ENTRIES = 20_000n;

async function nearCondition(
  db: Db,
  organizationId: string,
  { first, end }: SeqRange,
  order: 'asc' | 'desc',
): Promise<SQL | undefined> {
  if (order === 'asc') return lt(seq, first + NEAR_ENTRIES);
  const [account] = await db
    .select({ last_seq: accounts.last_seq })
    .from(accounts)
    .where(eq(accounts.organization_id, organizationId));
  const last = account?.last_seq ?? 0n;
  return gte(seq, (last < end ? last : end) - NEAR_ENTRIES);
}

/** An array is read before the entries, by the index of words. */
const hasWordsByIndex = (words: string): SQL =>
  sql`${generation_id} = any(array(select generation_id from ${generationSearchTexts} where words @@ ${words}::tsquery))`;

const hasTagValue = (name: string, value: string): SQL =>
  sql`exists (select from ${ledgerTags} as tag where tag.organization_id = ${ofOrganization} and tag.name = ${name}
    and tag.value = ${value} and tag.type = ${ledgerEntries.type} and tag.seq = ${seq})`;

/** Where words are found beside prompts, each with an index of its own. All entries of a generation match together. */
function otherWordConditions(organizationId: string, words: string, namedKeyIds: readonly string[] = []): SQL[] {
  const texts = sql`${ledgerSearchTexts} as texts where texts.organization_id = ${organizationId}
    and texts.words @@ ${words}::tsquery`;
  return [
    sql`${generation_id} in (select texts.generation_id from ${texts} and texts.generation_id is not null)`,
    sql`${seq} in (select texts.seq from ${texts})`,
    ...(namedKeyIds.length === 0 ? [] : [inArray(key_id, [...namedKeyIds])]),
  ];
}
