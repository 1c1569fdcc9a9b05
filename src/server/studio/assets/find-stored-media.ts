import { type SQL, and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { assets, generations, uploads } from '#server/platform/db/schema/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';
import type { Deps } from '#server/platform/deps.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { type NamedMedia, NO_SOURCE } from './media-name.ts';

export const MEDIA_GONE_MESSAGE = 'This file was deleted or does not exist. Choose another file or upload it again.';

/** `own: false`: an external URL. `medium: null`: a URL of this service without a medium of the organization. */
type LocalMediaLookup = { own: false } | { own: true; medium: StoredMedia | null };

/**
 * The id decides, so an expired link still works; a deleted medium looks like one of another organization.
 * Decision: References to own media
 */
export async function findLocalMedia(
  deps: Deps,
  organizationId: string,
  text: string,
  { evenRemoved = false } = {},
): Promise<LocalMediaLookup> {
  if (!isLocalMediaUrl(deps.config, text)) return { own: false };
  const reference = parseLocalMediaUrl(deps, text);
  const medium = reference && (await findStoredMedia(deps.db, reference.id, { evenRemoved }));
  return { own: true, medium: medium?.organization_id === organizationId ? medium : null };
}

/** A URL below the media path of this service is never fetched over the network. */
export function isLocalMediaUrl({ publicUrl }: Pick<Deps['config'], 'publicUrl'>, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.origin === publicUrl && url.pathname.startsWith(MEDIA_PATH);
}

/** Finds many media of an organization at once, for orders that are validated together. By id. */
export async function findManyStoredMedia(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<StoredMedia, 'type' | 'duration_seconds'>>> {
  const find = async (table: typeof assets | typeof uploads, prefix: string) => {
    const named = ids.filter((id) => id.startsWith(prefix));
    if (named.length === 0) return [];
    const { id, type, duration_seconds } = table;
    return db
      .select({ id, type, duration_seconds })
      .from(table)
      .where(and(inArray(id, named), eq(table.organization_id, organizationId), isNull(table.removed_at)));
  };
  const found = [...(await find(assets, 'ast_')), ...(await find(uploads, 'upl_'))];
  return new Map(found.map((medium) => [medium.id, medium]));
}

/** Matches media whose file is kept: listed, held for a review or in the trash. */
export const isStored = (table: typeof assets | typeof uploads): SQL | undefined =>
  or(isNull(table.removed_at), isNotNull(table.trashed_at));

export interface StoredMedia extends NamedMedia {
  id: string;
  organization_id: string;
  mime_type: string;
  storage_key: string;
  size_bytes: number;
  sha256: string;
  duration_seconds: number | null;
  /** It has a manifest of content credentials beside its file. */
  hasSidecar: boolean;
}

/**
 * The asset or upload with an id, or null; the caller checks access.
 * @param evenRemoved also finds media that were removed while a generation still uses them
 * @param in_trash also finds media in the trash
 */
export async function findStoredMedia(
  db: Db | Tx,
  id: string,
  { evenRemoved = false, in_trash = false } = {},
): Promise<StoredMedia | null> {
  const isUpload = id.startsWith('upl_');
  const table = isUpload ? uploads : assets;
  const isPresent = evenRemoved ? undefined : in_trash ? isStored(table) : isNull(table.removed_at);
  if (isUpload) {
    const [row] = await db
      .select()
      .from(uploads)
      .where(and(eq(uploads.id, id), isPresent));
    return row ? { ...row, ...NO_SOURCE, generation: null, hasSidecar: false } : null;
  }
  const [row] = await db
    .select({
      asset: assets,
      prompt: selectPrompt(PROMPT_EXCERPT_CHARACTERS),
      hasSidecar: sql<boolean>`${assetCredentials.sidecar} is not null`,
    })
    .from(assets)
    .innerJoin(generations, eq(generations.id, assets.generation_id))
    .leftJoin(assetCredentials, eq(assetCredentials.asset_id, assets.id))
    .where(and(eq(assets.id, id), isPresent));
  if (!row) return null;
  const { asset, prompt, hasSidecar } = row;
  return { ...asset, generation: { task: asset.task, prompt }, hasSidecar };
}
