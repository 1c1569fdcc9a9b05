import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { PROGRAMS } from '#contract/money/ledger.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';

/** Values by tag; null: none. */
export type TagFilter = ReadonlyMap<string, string | null>;

/** Which charges a request covers. */
export interface SpendingScope {
  organization_id: string;
  /** Keys of one person, or of programs; null: all keys. */
  key_ids: readonly string[] | null;
  tags: TagFilter;
  /** What providers cost, with `costs.read`. */
  seesCosts?: boolean;
}

const INVALID_TAGS = 'Send the values by tag as JSON, such as {"client":"acme"}.';

/** Parses the values by tag of a request. @throws {ApiError} 422 */
export function parseTags(text: string | undefined): TagFilter {
  if (text === undefined) return new Map();
  const parsed = parseObject(text);
  const entries = parsed ? Object.entries(parsed) : [];
  if (parsed && entries.every(([, value]) => value === null || typeof value === 'string')) {
    return new Map(entries as [string, string | null][]);
  }
  throw new ApiError('invalid_request', INVALID_TAGS, {
    status: 422,
    details: [{ path: 'tags', message: INVALID_TAGS }],
  });
}

function parseObject(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * Returns which charges a caller sees: those that they ask for, and without permission to read all billing only their
 * own. Decision: Own work
 * @throws {ApiError} 422 for tags that are no JSON
 */
export async function scopeSpending(
  { db }: { db: Db | Tx },
  { organization_id, key_id, person, permissions }: Caller,
  query: { person_id?: string | undefined; tags?: string | undefined } = {},
): Promise<SpendingScope> {
  const tags = parseTags(query.tags);
  const seesCosts = permissions.has('costs.read');
  const seesAll = permissions.has('billing.read');
  if (seesAll && query.person_id === undefined) return { organization_id, key_ids: null, tags, seesCosts };
  const ownId = person?.id ?? PROGRAMS;
  const personId = query.person_id ?? ownId;
  // Charges of others look as if they did not exist.
  if (!seesAll && personId !== ownId) return { organization_id, key_ids: [], tags, seesCosts };
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.organization_id, organization_id), ownedBy(personId, seesAll ? undefined : key_id)));
  return { organization_id, key_ids: rows.map(({ id }) => id), tags, seesCosts };
}

/** @param only the key of a program that sees no other */
const ownedBy = (person_id: string, only: string | undefined): SQL | undefined =>
  person_id === PROGRAMS
    ? and(isNull(apiKeys.person_id), only === undefined ? undefined : eq(apiKeys.id, only))
    : or(eq(apiKeys.person_id, person_id), only === undefined ? undefined : eq(apiKeys.id, only));

/** Matches values of a jsonb column with tags. */
export const hasTags = (column: SQL, tags: TagFilter): SQL | undefined =>
  and(
    ...[...tags].map(([name, value]) =>
      value === null ? sql`not coalesce(${column} ? ${name}, false)` : sql`${column} ->> ${name} = ${value}`,
    ),
  );
