import { type SQL, and, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { accounts, ledgerEntries, ledgerSearchTexts, ledgerTags } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generationSearchTexts } from '#server/platform/db/schema/library-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { SpendingScope } from '#server/accounts/billing/reports/spending-scope.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';

/** A filter whose person, tags and search were resolved by `scopeSpending` and `resolveLedgerSearch`. */
export type LedgerFilter = Omit<QueryOf<'list_ledger'>, 'limit' | 'cursor' | 'person_id' | 'tags' | 'q'> &
  Partial<Pick<SpendingScope, 'key_ids' | 'tags' | 'seesCosts'>> & {
    /** Size of the amount, whatever its sign. */
    amount_micro_usd?: bigint | undefined;
    /** Words of the prompt, the description or a refund's reason: see `toSearchQuery`. */
    words?: string | undefined;
    /** Keys whose name, or whose person's name, has the words: their work matches too. */
    namedKeyIds?: readonly string[] | undefined;
  };
/** `seq` from `first` (inclusive) to `end` (exclusive). */
export interface SeqRange {
  first: bigint;
  end: bigint;
}

const { organization_id: ofOrganization, seq, created_at, generation_id, amount_micro_usd } = ledgerEntries;

/** Converts a filter's times and number to one range of `seq`; this is possible because times never decrease. */
export async function resolveSeqRange(
  { db }: { db: Pick<Db, 'select'> },
  organizationId: string,
  { created_after, created_before, seq: only }: Pick<LedgerFilter, 'created_after' | 'created_before' | 'seq'>,
): Promise<SeqRange> {
  const [account] = await db
    .select({
      end: sql<string>`${accounts.last_seq} + 1`,
      first: firstSeqFrom(organizationId, created_after),
      before: firstSeqFrom(organizationId, created_before),
    })
    .from(accounts)
    .where(eq(accounts.organization_id, organizationId));
  const end = BigInt(account?.end ?? 1);
  const first = created_after === undefined ? 1n : BigInt(account?.first ?? end);
  const range = { first, end: created_before === undefined ? end : BigInt(account?.before ?? end) };
  if (only === undefined) return range;
  const at = BigInt(only);
  return range.first <= at && at < range.end ? { first: at, end: at + 1n } : { first: at, end: at };
}

const firstSeqFrom = (organizationId: string, time: string | undefined): SQL<string | null> =>
  time === undefined
    ? sql`null`
    : sql`(select ${seq} from ${ledgerEntries} where ${and(eq(ofOrganization, organizationId), gte(created_at, parseQueryTime(time)))}
        order by ${created_at}, ${seq} limit 1)`;

export const seqRangeCondition = (organizationId: string, { first, end }: SeqRange): SQL | undefined =>
  and(eq(ofOrganization, organizationId), gte(seq, first), lt(seq, end));

export const ledgerFilterCondition = (filter: LedgerFilter): SQL | undefined =>
  and(
    filter.type && eq(ledgerEntries.type, filter.type),
    filter.generation_id ? eq(generation_id, filter.generation_id) : undefined,
    filter.workflow_run_id ? eq(ledgerEntries.workflow_run_id, filter.workflow_run_id) : undefined,
    filter.task && eq(ledgerEntries.task, filter.task),
    filter.model && eq(ledgerEntries.model, filter.model),
    filter.key_id ? eq(ledgerEntries.key_id, filter.key_id) : undefined,
    filter.key_ids ? inArray(ledgerEntries.key_id, [...filter.key_ids]) : undefined,
    filter.amount_micro_usd === undefined ? undefined : inArray(amount_micro_usd, bothSigns(filter.amount_micro_usd)),
    filter.words === undefined ? undefined : or(hasWords(filter.words), ofKeys(filter.namedKeyIds)),
    ...[...(filter.tags ?? [])].map(hasTag),
  );

const ofKeys = (ids: readonly string[] = []): SQL | undefined =>
  ids.length > 0 ? inArray(ledgerEntries.key_id, [...ids]) : undefined;

export const bothSigns = (size: bigint): [bigint, bigint] => [size, -size];

/**
 * An entry without a generation, such as a credit, has no tags. A subquery with a value looks them up entry by entry;
 * for `exists` the planner reads all of them.
 */
function hasTag([name, value]: [string, string | null]): SQL {
  const { organization_id, type } = ledgerEntries;
  return value === null
    ? sql`(select not (${generations.tags} ? ${name}) from ${generations} where ${generations.id} = ${generation_id} offset 0)`
    : sql`(select true from ${ledgerTags} as tag where tag.organization_id = ${organization_id} and tag.name = ${name}
        and tag.value = ${value} and tag.type = ${type} and tag.seq = ${seq} limit 1)`;
}

/** All entries of a generation match together. `offset 0` looks words up entry by entry instead of for all of them. */
function hasWords(words: string): SQL {
  const { words: ofPrompt, generation_id: of_generation } = generationSearchTexts;
  const texts = ledgerSearchTexts;
  return sql`(coalesce((select ${ofPrompt} @@ ${words}::tsquery from ${generationSearchTexts} where ${of_generation} = ${generation_id} offset 0), false)
    or coalesce((select bool_or(${texts.words} @@ ${words}::tsquery) from ${texts} where ${texts.generation_id} = ${generation_id} offset 0), false)
    or coalesce((select ${texts.words} @@ ${words}::tsquery from ${texts} where ${texts.organization_id} = ${ofOrganization} and ${texts.seq} = ${seq} offset 0), false))`;
}
