import { and, eq, inArray } from 'drizzle-orm';
import { assets, uploads } from '#server/db/schema.ts';
import type { Deps } from '#server/deps.ts';
import { createMediaLink, parseLocalMediaUrl } from '#server/assets/media-links.ts';

type LinkDeps = Pick<Deps, 'config' | 'clock' | 'secrets'> & { db: Pick<Deps['db'], 'select'> };

/**
 * Returns outputs of runs with renewed links to media, since stored links are as old as the run and expire. Renews
 * links to the organization's own media only, because a link grants access to anyone who has it. `expires_at` beside
 * a link changes with it.
 */
export async function renewLinks<T>(deps: LinkDeps, organization_id: string, values: readonly T[]): Promise<T[]> {
  const named = new Set<string>();
  for (const value of values) {
    mapStrings(value, (text) => {
      const own = parseLocalMediaUrl(deps, text);
      if (own) named.add(own.id);
      return text;
    });
  }
  const ids = await findOwnIds(deps, organization_id, [...named]);
  const renew = (text: string): string => {
    const own = parseLocalMediaUrl(deps, text);
    if (!own || !ids.has(own.id)) return text;
    const copy = new URL(text).searchParams.get('as');
    return `${createMediaLink(deps, own.id).url}${copy === null ? '' : `&as=${encodeURIComponent(copy)}`}`;
  };
  // The mapping changes texts only, so the type stays the same.
  return values.map((value) => mapStrings(value, renew, (url) => linkExpiry(deps, ids, url)) as T);
}

function linkExpiry(deps: LinkDeps, ids: ReadonlySet<string>, url: string): string | null {
  const own = parseLocalMediaUrl(deps, url);
  return own && ids.has(own.id) ? createMediaLink(deps, own.id).expires_at : null;
}

async function findOwnIds({ db }: LinkDeps, organization_id: string, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  if (ids.length === 0) return found;
  for (const table of [assets, uploads]) {
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.organization_id, organization_id), inArray(table.id, [...ids])));
    for (const { id } of rows) found.add(id);
  }
  return found;
}

/**
 * Copies a value and replaces its texts.
 * @param expiry returns the expiry of the link beside an `expires_at`
 */
function mapStrings(value: unknown, text: (given: string) => string, expiry?: (url: string) => string | null): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, text, expiry));
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapStrings(part, text, expiry)]));
  if (!expiry || !('url' in value) || !('expires_at' in value) || typeof value.url !== 'string') return changed;
  const expires_at = expiry(value.url);
  return expires_at === null ? changed : { ...changed, expires_at };
}
