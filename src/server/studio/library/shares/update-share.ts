import type { Deps } from '#server/platform/deps.ts';
import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import { MAX_SHARE_MEDIA } from '#contract/limits.ts';
import type { Share, ShareVersion } from '#contract/resources/share.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import { findChangeable } from '#server/accounts/people/own-work.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { daysFrom } from './create-share.ts';
import { sharesOf } from './list-shares.ts';
import { presentShares, type ShareRow } from './present-shares.ts';
import { hashShareCode } from './share-code.ts';

const describe = (share: ShareRow) => ({
  title: share.title,
  expires_at: share.expires_at?.toISOString() ?? null,
  allow_downloads: share.allows_downloads,
  show_prompts: share.shows_prompts,
  show_organization: share.shows_organization,
  asks_for: share.asks_for,
  has_code: share.code_hash !== null,
  versions: share.versions,
});

/** @throws {ApiError} 404 `not_found` for a file that the caller may not share; 400 `invalid_request` */
async function addVersion(
  deps: Deps,
  caller: Caller,
  { media_ids, versions }: ShareRow,
  added: ShareVersion,
): Promise<Partial<Pick<ShareRow, 'media_ids' | 'versions'>>> {
  if (media_ids?.includes(added.media_id)) return {};
  if (!media_ids?.includes(added.replaces))
    throw new ApiError('invalid_request', 'This page does not show the file that is replaced.');
  if (versions.some(({ replaces }) => replaces === added.replaces))
    throw new ApiError('invalid_request', 'A newer version has replaced this file. Replace that one.');
  if (media_ids.length >= MAX_SHARE_MEDIA)
    throw new ApiError('invalid_request', `A page can show up to ${MAX_SHARE_MEDIA} files.`);
  const visible = await findChangeable(deps, caller, [added.media_id]);
  if ((await findMediaRows(deps.db, caller.organization_id, [...visible], 0)).size === 0)
    throw new ApiError('not_found', 'The file does not exist or was deleted.');
  return {
    media_ids: media_ids.toSpliced(media_ids.indexOf(added.replaces) + 1, 0, added.media_id),
    versions: [...versions, added],
  };
}

/**
 * Changes an open share; visitors find the change at once.
 * @throws {ApiError} 404 `not_found`, also for a share of others; 400 `invalid_request` for one that has ended
 */
export async function updateShare(
  deps: Deps,
  caller: Caller,
  id: string,
  body: BodyOf<'update_share'>,
): Promise<Share> {
  const now = deps.clock.now();
  const codeHash = body.code ? await hashShareCode(id, body.code) : body.code;
  const row = await deps.db.transaction(async (tx) => {
    const [share] = await tx
      .select()
      .from(shares)
      .where(and(eq(shares.id, id), sharesOf(caller, ['settings.manage'])))
      .for('update');
    if (!share) throw new ApiError('not_found', 'This share page does not exist.');
    assertMayChange(caller, share);
    if (share.revoked_at || (share.expires_at && share.expires_at <= now))
      throw new ApiError('invalid_request', 'This share page has ended. Create a new one.');
    const added = body.add_version ? await addVersion({ ...deps, db: tx }, caller, share, body.add_version) : {};
    const asksFor = body.asks_for === undefined ? share.asks_for : body.asks_for;
    const [changed] = await tx
      .update(shares)
      .set({
        ...added,
        title: body.title === undefined ? share.title : body.title || null,
        expires_at: body.expires_in_days === undefined ? share.expires_at : daysFrom(now, body.expires_in_days),
        shows_prompts: body.show_prompts ?? share.shows_prompts,
        allows_downloads: body.allow_downloads ?? share.allows_downloads,
        shows_organization: body.show_organization ?? share.shows_organization,
        asks_for: asksFor,
        code_hash: asksFor === null ? null : codeHash === undefined ? share.code_hash : codeHash,
      })
      .where(eq(shares.id, id))
      .returning();
    if (!changed) throw new Error('The update of a share returned no row.');
    const [before, after] = [describe(share), describe(changed)];
    if (JSON.stringify(before) !== JSON.stringify(after) || share.code_hash !== changed.code_hash) {
      const target = { type: 'share', id, name: changed.title } as const;
      await recordAuditEvent(tx, caller, { action: 'share.updated', target, before, after }, now);
    }
    return changed;
  });
  const [share] = await presentShares(deps, caller, [row]);
  if (!share) throw new Error('The share was not presented.');
  return share;
}
