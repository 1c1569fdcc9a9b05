import type { Deps } from '#server/platform/deps.ts';
import { and, eq, isNull } from 'drizzle-orm';
import { MAX_COLLECTIONS } from '#contract/limits.ts';
import type { BodyOf } from '#contract/api/endpoints.ts';
import type { Collection } from '#contract/resources/collection.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import { shares } from '#server/platform/db/schema/share-schema.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import { findCollection } from './find-collection.ts';
import { readCollection } from './list-collections.ts';

/** @throws {ApiError} 400 `invalid_request` when the organization has as many as it may */
export async function createCollection(
  deps: Deps,
  caller: Caller,
  { name, description }: BodyOf<'create_collection'>,
): Promise<Collection> {
  const { organization_id, key_id } = caller;
  const now = deps.clock.now();
  const id = createId('col', now);
  await deps.db.transaction(async (tx) => {
    // Serializes creation, so that the limit holds.
    await tx.select().from(organizations).where(eq(organizations.id, organization_id)).for('no key update');
    if ((await tx.$count(collections, eq(collections.organization_id, organization_id))) >= MAX_COLLECTIONS) {
      throw new ApiError(
        'invalid_request',
        `An organization can have up to ${MAX_COLLECTIONS} collections. Delete one first.`,
      );
    }
    const row = { id, organization_id, name, description, created_by: key_id, created_at: now, updated_at: now };
    await tx.insert(collections).values(row);
  });
  return readCollection(deps, scopeWork(caller, undefined), id);
}

/** @throws {ApiError} 404 `not_found`; 400 `invalid_request` for a cover that is not in the collection */
export async function updateCollection(
  deps: Deps,
  caller: Caller,
  id: string,
  { name, description, cover_media_id }: BodyOf<'update_collection'>,
): Promise<Collection> {
  const scope = scopeWork(caller, undefined);
  await deps.db.transaction(async (tx) => {
    await findCollection(tx, scope, id, 'for update');
    if (cover_media_id != null) {
      const isItem = and(eq(collectionItems.collection_id, id), eq(collectionItems.media_id, cover_media_id));
      if ((await tx.$count(collectionItems, isItem)) === 0) {
        const message = 'The cover has to be a file of this collection.';
        throw new ApiError('invalid_request', message, { details: [{ path: 'cover_media_id', message }] });
      }
    }
    const change = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(cover_media_id !== undefined && { cover_media_id }),
    };
    await tx
      .update(collections)
      .set({ ...change, updated_at: deps.clock.now() })
      .where(eq(collections.id, id));
  });
  return readCollection(deps, scope, id);
}

/** Deletes a collection and ends its public pages. Its media stay in the library. @throws {ApiError} 404 `not_found` */
export async function deleteCollection({ db, clock }: Deps, caller: Caller, id: string): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { name } = await findCollection(tx, scopeWork(caller, undefined), id, 'for update');
    const mediaCount = await tx.$count(collectionItems, eq(collectionItems.collection_id, id));
    const ended = await tx
      .update(shares)
      .set({ revoked_at: now })
      .where(and(eq(shares.collection_id, id), isNull(shares.revoked_at)))
      .returning({ id: shares.id });
    await tx.delete(collections).where(eq(collections.id, id));
    const target = { type: 'collection', id, name };
    const before = { media_count: mediaCount, ...(ended.length > 0 && { shares: ended.map((share) => share.id) }) };
    await recordAuditEvent(tx, caller, { action: 'collection.deleted', target, before }, now);
  });
}
