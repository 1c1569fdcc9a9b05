import { type SQL, and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { LedgerType } from '#contract/money/ledger.ts';
import { ledgerEntries, ledgerSearchTexts, ledgerTags } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { wordCondition } from '#server/platform/db/find-by-words.ts';
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
  const ways = words === undefined ? [undefined] : await wordConditions(db, organization_id, words, filter.namedKeyIds);
  const first = ways.map(
    (way) => sql`(${db.select({ seq }).from(ledgerEntries).where(and(matching, way)).orderBy(inOrder).limit(count)})`,
  );
  // Names and prompts are read for these entries only.
  return selectLedgerEntries(db)
    .where(and(eq(ofOrganization, organization_id), sql`${seq} = any(array(${sql.join(first, sql` union `)}))`))
    .orderBy(inOrder)
    .limit(count);
}

const hasTagValue = (name: string, value: string): SQL =>
  sql`exists (select from ${ledgerTags} as tag where tag.organization_id = ${ofOrganization} and tag.name = ${name}
    and tag.value = ${value} and tag.type = ${ledgerEntries.type} and tag.seq = ${seq})`;

/** Where words are found, each with an index of its own. All entries of a generation match together. */
async function wordConditions(
  db: Db,
  organizationId: string,
  words: string,
  namedKeyIds: readonly string[] = [],
): Promise<SQL[]> {
  const texts = sql`${ledgerSearchTexts} as texts where texts.organization_id = ${organizationId}
    and texts.words @@ ${words}::tsquery`;
  return [
    await wordCondition(db, 'generation', generation_id, words),
    sql`${generation_id} in (select texts.generation_id from ${texts} and texts.generation_id is not null)`,
    sql`${seq} in (select texts.seq from ${texts})`,
    ...(namedKeyIds.length === 0 ? [] : [inArray(key_id, [...namedKeyIds])]),
  ];
}
