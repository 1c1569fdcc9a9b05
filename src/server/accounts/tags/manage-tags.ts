import { FILE_TAGS } from '#contract/file-tags.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import { type Tag, tagName } from '#contract/resources/tag.ts';
import { MAX_TAGS } from '#contract/limits.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { tags } from '#server/platform/db/schema/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

export type TagRow = typeof tags.$inferSelect;

const presentTag = ({ name, label, required, values, updated_at }: TagRow): Tag => ({
  object: 'tag',
  name,
  label,
  required,
  values,
  updated_at: updated_at.toISOString(),
});

export const readTags = (db: Db | Tx, organizationId: string): Promise<TagRow[]> =>
  db.select().from(tags).where(eq(tags.organization_id, organizationId)).orderBy(asc(tags.created_at), asc(tags.name));

export const listTags = async (db: Db, organizationId: string): Promise<Tag[]> =>
  (await readTags(db, organizationId)).map(presentTag);

const describeTag = ({ label, required, values }: TagRow) => ({ label, required, values });

/** Defines a tag or changes it. @throws {ApiError} 400 for a sixth one; 422 for an invalid name or repeated values */
export async function setTag(
  { db, clock }: Deps,
  caller: Caller,
  name: string,
  { label, required, values }: BodyOf<'set_tag'>,
): Promise<Tag> {
  const { organization_id } = caller;
  if (!tagName().safeParse(name).success) {
    throw invalid('name', 'Use lower-case letters, digits and underscores, at most 32 characters.');
  }
  if (name === FILE_TAGS) throw invalid('name', 'Use another name: this one has the tags of files.');
  if (values && new Set(values).size < values.length) throw invalid('values', 'A value is listed twice.');
  const now = clock.now();
  return db.transaction(async (tx) => {
    // Serializes changes, so that there are never more than five.
    await tx.select().from(organizations).where(eq(organizations.id, organization_id)).for('no key update');
    const existing = await readTags(tx, organization_id);
    const before = existing.find((tag) => tag.name === name);
    if (!before && existing.length >= MAX_TAGS) {
      throw new ApiError('invalid_request', `At most ${MAX_TAGS} tags can be defined. Remove one first.`);
    }
    const change = { label, required, values, updated_at: now, updated_by: caller.key_id };
    const [row] = await tx
      .insert(tags)
      .values({ organization_id, name, created_at: now, ...change })
      .onConflictDoUpdate({ target: [tags.organization_id, tags.name], set: change })
      .returning();
    if (!row) throw new Error('The insert of a tag returned no row.');
    const target = { type: 'tag', id: name, name: label };
    const event = {
      action: 'tag.set' as const,
      target,
      before: before && describeTag(before),
      after: describeTag(row),
    };
    await recordAuditEvent(tx, caller, event, now);
    return presentTag(row);
  });
}

/** @throws {ApiError} 404 */
export async function deleteTag({ db, clock }: Deps, caller: Caller, name: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(tags)
      .where(and(eq(tags.organization_id, caller.organization_id), eq(tags.name, name)))
      .returning();
    if (!removed) throw new ApiError('not_found', 'Tag not found.');
    const target = { type: 'tag', id: name, name: removed.label };
    await recordAuditEvent(tx, caller, { action: 'tag.deleted', target, before: describeTag(removed) }, clock.now());
  });
}

const invalid = (path: string, message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }] });
