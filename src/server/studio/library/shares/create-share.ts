import type { Deps } from '#server/platform/deps.ts';
import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { Share } from '#contract/resources/share.ts';
import { MAX_OPEN_SHARES } from '#contract/limits.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import { findChangeable, scopeWork } from '#server/accounts/people/own-work.ts';
import { findCollection } from '#server/studio/library/collections/find-collection.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { presentShares } from './present-shares.ts';
import { hashShareCode } from './share-code.ts';

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;

export const daysFrom = (now: Date, days: number | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * DAY_MS);

export const hashShareToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a public page. The token in its link is the only way to it.
 * @throws {ApiError} 404 `not_found` for what the caller can't see; 400 `invalid_request` while sharing is switched off
 */
export async function createShare(deps: Deps, caller: Caller, body: BodyOf<'create_share'>): Promise<Share> {
  const { organization_id, key_id } = caller;
  const now = deps.clock.now();
  const id = createId('shr', now);
  const code = body.asks_for === null ? null : body.code;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row = await deps.db.transaction(async (tx) => {
    await assertSharingAllowed(tx, organization_id, now);
    const target = await findTarget({ ...deps, db: tx }, caller, body);
    const [created] = await tx
      .insert(shares)
      .values({
        id,
        organization_id,
        media_ids: sharedIds(body),
        collection_id: body.collection_id ?? null,
        token_sha256: hashShareToken(token),
        token_encrypted: deps.secrets.encrypt('share-token', id, token),
        title: body.title || null,
        shows_prompts: body.show_prompts,
        allows_downloads: body.allow_downloads,
        shows_organization: body.show_organization,
        asks_for: body.asks_for,
        code_hash: code === null ? null : await hashShareCode(id, code),
        expires_at: daysFrom(now, body.expires_in_days),
        created_by: key_id,
        created_at: now,
      })
      .returning();
    if (!created) throw new Error('The insert of a share returned no row.');
    await recordAuditEvent(
      tx,
      caller,
      {
        action: 'share.created',
        target: { type: 'share', id, name: target },
        after: {
          media_ids: created.media_ids,
          collection_id: created.collection_id,
          expires_at: created.expires_at?.toISOString() ?? null,
          allow_downloads: created.allows_downloads,
          show_prompts: created.shows_prompts,
          show_organization: created.shows_organization,
          asks_for: created.asks_for,
          has_code: created.code_hash !== null,
        },
      },
      now,
    );
    return created;
  });
  const [share] = await presentShares(deps, caller, [row]);
  if (!share) throw new Error('The share was not presented.');
  return share;
}

async function assertSharingAllowed(tx: Tx, organizationId: string, now: Date): Promise<void> {
  // Serializes creation, so that the limit holds.
  const [organization] = await tx
    .select({ sharing_enabled: organizations.sharing_enabled })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update');
  if (!organization?.sharing_enabled) {
    throw new ApiError('invalid_request', 'Share pages are switched off for this organization.');
  }
  const isOpen = and(
    eq(shares.organization_id, organizationId),
    isNull(shares.revoked_at),
    or(isNull(shares.expires_at), gt(shares.expires_at, now)),
  );
  if ((await tx.$count(shares, isOpen)) >= MAX_OPEN_SHARES) {
    throw new ApiError(
      'invalid_request',
      `An organization can have up to ${MAX_OPEN_SHARES} open share pages. Revoke one first.`,
    );
  }
}

const sharedIds = ({ media_id, media_ids }: BodyOf<'create_share'>): string[] | null =>
  media_id === undefined ? (media_ids ? [...new Set(media_ids)] : null) : [media_id];

/** @returns its name in the audit log; null: it has none */
async function findTarget(deps: Deps, caller: Caller, body: BodyOf<'create_share'>): Promise<string | null> {
  const ids = sharedIds(body);
  if (ids === null) {
    const collection = await findCollection(deps.db, scopeWork(caller, undefined), body.collection_id ?? '');
    assertMayChange(caller, collection);
    return collection.name;
  }
  const visible = await findChangeable(deps, caller, ids);
  const rows = await findMediaRows(deps.db, caller.organization_id, [...visible]);
  const [first] = ids.map((id) => rows.get(id));
  if (!first || rows.size < ids.length)
    throw new ApiError('not_found', 'A file does not exist or was deleted. Nothing was shared.');
  const name = mediaName(first);
  return ids.length === 1 ? name : `${ids.length} files`;
}
