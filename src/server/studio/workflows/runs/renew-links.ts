import type { Db } from '#server/platform/db/db.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { assets, uploads } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createMediaLink, parseLocalMediaUrl } from '#server/studio/assets/media-links.ts';

/**
 * Stored links are as old as the run and expire. Renews links to own media only, because a link grants access to
 * anyone who has it; `expires_at` beside a link changes with it.
 */
export async function renewLinks<T>(deps: Deps, organization_id: string, values: readonly T[]): Promise<T[]> {
  const named = new Set<string>();
  for (const value of values) {
    mapStrings(value, (text) => {
      const local_media = parseLocalMediaUrl(deps, text);
      if (local_media) named.add(local_media.id);
      return text;
    });
  }
  const ids = await findOwnIds(deps.db, organization_id, [...named]);
  const renew = (text: string): string => {
    const local_media = parseLocalMediaUrl(deps, text);
    if (!local_media || !ids.has(local_media.id)) return text;
    const copy = new URL(text).searchParams.get('as');
    return `${createMediaLink(deps, local_media.id).url}${copy === null ? '' : `&as=${encodeURIComponent(copy)}`}`;
  };
  // The mapping changes texts only, so the type stays the same.
  return values.map((value) => mapStrings(value, renew, (url) => linkExpiry(deps, ids, url)) as T);
}

function linkExpiry(deps: Deps, ids: ReadonlySet<string>, url: string): string | null {
  const local_media = parseLocalMediaUrl(deps, url);
  return local_media && ids.has(local_media.id) ? createMediaLink(deps, local_media.id).expires_at : null;
}

async function findOwnIds(db: Db, organization_id: string, ids: readonly string[]): Promise<Set<string>> {
  const own_ids = new Set<string>();
  if (ids.length === 0) return own_ids;
  for (const table of [assets, uploads]) {
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.organization_id, organization_id), inArray(table.id, [...ids])));
    for (const { id } of rows) own_ids.add(id);
  }
  return own_ids;
}

/** Copies a value and replaces its texts. @param expiry returns the expiry of the link beside an `expires_at` */
function mapStrings(
  value: unknown,
  replace: (text: string) => string,
  expiry?: (url: string) => string | null,
): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, expiry));
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mapStrings(part, replace, expiry)]),
  );
  if (!expiry || !('url' in value) || !('expires_at' in value) || typeof value.url !== 'string') return changed;
  const expires_at = expiry(value.url);
  return expires_at === null ? changed : { ...changed, expires_at };
}
