import type { Deps } from '#server/platform/deps.ts';
import { type SQL, and, arrayContains, desc, eq, gt, isNotNull, isNull, lt, lte, or } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { Permission } from '#contract/permissions.ts';
import type { List } from '#contract/primitives.ts';
import type { Share } from '#contract/resources/share.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { madeBy } from '#server/platform/db/work-scope.ts';
import { assertMayChange } from '#server/accounts/keys/assert-may-act.ts';
import { presentShares } from './present-shares.ts';

/** Matches the shares of an organization that a caller sees: their own, or all with one of these permissions. */
export function sharesOf(caller: Caller, everybody: readonly Permission[]): SQL | undefined {
  const { organization_id, person, key_id, permissions } = caller;
  const isOwn = or(
    eq(shares.created_by, key_id),
    person ? madeBy(shares.created_by, { person_id: person.id }) : undefined,
  );
  return and(
    eq(shares.organization_id, organization_id),
    everybody.some((permission) => permissions.has(permission)) ? undefined : isOwn,
  );
}

/** A page of shares, newest first. @throws {ApiError} 400 `invalid_request` for an invalid cursor */
export async function listShares(
  deps: Deps,
  caller: Caller,
  { limit, cursor, state, media_id, collection_id }: QueryOf<'list_shares'>,
): Promise<List<Share>> {
  const { organization_id } = caller;
  const scope = { organization_id, list: 'shares' } as const;
  const before = parsePageCursor(deps.secrets, scope, cursor);
  const now = deps.clock.now();
  const isOpen = and(isNull(shares.revoked_at), or(isNull(shares.expires_at), gt(shares.expires_at, now)));
  const isEnded = or(isNotNull(shares.revoked_at), lte(shares.expires_at, now));
  const rows = await deps.db
    .select()
    .from(shares)
    .where(
      and(
        sharesOf(caller, ['settings.manage', 'audit.read']),
        state && (state === 'open' ? isOpen : isEnded),
        media_id === undefined ? undefined : arrayContains(shares.media_ids, [media_id]),
        collection_id === undefined ? undefined : eq(shares.collection_id, collection_id),
        before === undefined ? undefined : lt(shares.id, before),
      ),
    )
    .orderBy(desc(shares.id))
    .limit(limit + 1);
  return presentPage(deps.secrets, scope, {
    rows,
    limit,
    position: ({ id }) => id,
    present: (page) => presentShares(deps, caller, page),
  });
}

/** Ends a share. One that has ended stays as it is. @throws {ApiError} 404 `not_found`, also for a share of others */
export async function revokeShare({ db, clock }: Deps, caller: Caller, id: string): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const [share] = await tx
      .select()
      .from(shares)
      .where(and(eq(shares.id, id), sharesOf(caller, ['settings.manage'])))
      .for('update');
    if (!share) throw new ApiError('not_found', 'This share page does not exist.');
    assertMayChange(caller, share);
    if (share.revoked_at) return;
    await tx.update(shares).set({ revoked_at: now }).where(eq(shares.id, id));
    const { media_ids, collection_id, title } = share;
    const target = { type: 'share', id, name: title };
    await recordAuditEvent(tx, caller, { action: 'share.revoked', target, before: { media_ids, collection_id } }, now);
  });
}
