import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { batches } from '#server/platform/db/schema/batch-schema.ts';
import { collections } from '#server/platform/db/schema/collection-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { assets, generations, uploads } from '#server/platform/db/schema/schema.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { assertMayChange, changesOwnOnly } from '#server/accounts/keys/assert-may-act.ts';

type WorkCaller = Pick<Caller, 'organization_id' | 'person' | 'sees_own_work_only'>;

/**
 * Returns what a list shows a caller: their own work if they see no other, whatever the filter says.
 * @param personId the filter of the request
 */
export function scopeWork(caller: WorkCaller, personId: string | undefined): WorkScope {
  const { organization_id, person, sees_own_work_only } = caller;
  if (!sees_own_work_only) return { organization_id, person_id: personId ?? null };
  // Nobody has an empty id: the work of others looks as if it did not exist.
  return { organization_id, person_id: personId === undefined || personId === person?.id ? (person?.id ?? '') : '' };
}

/** Matches outputs of generations that a person created; undefined for everyone. */
export const outputOf = ({ person_id }: Pick<WorkScope, 'person_id'>): SQL | undefined =>
  person_id === null
    ? undefined
    : sql`exists (select from ${generations} as made where made.id = ${assets.generation_id}
        and made.created_by = any(array(select id from api_keys where api_keys.person_id = ${person_id})))`;

type Params = Readonly<Record<string, string>>;

/**
 * Rejects a request that names work of others, for a caller who sees only their own, exactly like one that names
 * unknown work. Decision: Own work
 * @param params path parameters, by name
 * @throws {ApiError} 404
 */
export async function assertVisible(db: Db, caller: Caller, params: Params): Promise<void> {
  if (!caller.sees_own_work_only) return;
  const scope = scopeWork(caller, undefined);
  const { generation_id, workflow_run_id, batch_id, media_id, upload_id } = params;
  if (generation_id !== undefined) {
    const isOwn = and(eq(generations.id, generation_id), madeBy(generations.created_by, scope));
    if ((await db.$count(generations, isOwn)) === 0)
      throw new ApiError('generation_not_found', 'Generation not found.');
  }
  if (workflow_run_id !== undefined) {
    const isOwn = and(eq(workflowRuns.id, workflow_run_id), madeBy(workflowRuns.created_by, scope));
    if ((await db.$count(workflowRuns, isOwn)) === 0)
      throw new ApiError('workflow_run_not_found', 'Workflow run not found.');
  }
  if (batch_id !== undefined) {
    const isOwn = and(eq(batches.id, batch_id), madeBy(batches.created_by, scope));
    if ((await db.$count(batches, isOwn)) === 0) throw new ApiError('not_found', 'Batch not found.');
  }
  if (media_id !== undefined && !(await findVisible({ db }, caller, [media_id])).has(media_id)) {
    throw new ApiError('not_found', 'This file does not exist or was deleted.');
  }
  if (upload_id !== undefined && !(await findVisible({ db }, caller, [upload_id])).has(upload_id)) {
    throw new ApiError('not_found', 'Upload not found.');
  }
}

const CREATED = {
  generation_id: generations,
  workflow_run_id: workflowRuns,
  batch_id: batches,
  upload_id: uploads,
  collection_id: collections,
} as const;

/**
 * Rejects a change of what others created, for a key that changes only what it created itself.
 * @param params path parameters, by name
 * @throws {ApiError} 401. Decision: Limits of a credential
 */
export async function assertChangeable(db: Db, caller: Caller, params: Params): Promise<void> {
  if (!changesOwnOnly(caller)) return;
  for (const [name, table] of Object.entries(CREATED)) {
    const id = params[name];
    if (id === undefined) continue;
    const isNamed = and(eq(table.id, id), eq(table.organization_id, caller.organization_id));
    for (const row of await db.select({ created_by: table.created_by }).from(table).where(isNamed))
      assertMayChange(caller, row);
  }
  const { media_id } = params;
  if (media_id !== undefined) await assertMediaChangeable(db, caller, [media_id]);
}

async function assertMediaChangeable(
  db: Pick<Db | Tx, 'select'>,
  caller: Caller,
  mediaIds: readonly string[],
): Promise<void> {
  if (!changesOwnOnly(caller)) return;
  const { organization_id } = caller;
  const creators = await Promise.all([
    db
      .select({ created_by: generations.created_by })
      .from(assets)
      .innerJoin(generations, eq(generations.id, assets.generation_id))
      .where(and(inArray(assets.id, [...mediaIds]), eq(assets.organization_id, organization_id))),
    db
      .select({ created_by: uploads.created_by })
      .from(uploads)
      .where(and(inArray(uploads.id, [...mediaIds]), eq(uploads.organization_id, organization_id))),
  ]);
  for (const row of creators.flat()) assertMayChange(caller, row);
}

/** Like `findVisible`, for a change of these media. @throws {ApiError} 401. Decision: Limits of a credential */
export async function findChangeable(
  { db }: { db: Pick<Db | Tx, 'select'> },
  caller: Caller,
  mediaIds: readonly string[],
): Promise<ReadonlySet<string>> {
  await assertMediaChangeable(db, caller, mediaIds);
  return findVisible({ db }, caller, mediaIds);
}

/** Returns which media of a list a caller may see; whether they exist is another question. */
export const findVisible = async (
  deps: { db: Pick<Db | Tx, 'select'> },
  caller: Caller,
  mediaIds: readonly string[],
): Promise<ReadonlySet<string>> =>
  caller.sees_own_work_only ? findMadeBy(deps, scopeWork(caller, undefined), mediaIds) : new Set(mediaIds);

/** Returns which media of a list a person made; all of them in the scope of everyone. */
export async function findMadeBy(
  { db }: { db: Pick<Db | Tx, 'select'> },
  scope: WorkScope,
  mediaIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (scope.person_id === null) return new Set(mediaIds);
  const named = (prefix: string) => mediaIds.filter((id) => id.startsWith(prefix));
  const [own_assets, own_uploads] = await Promise.all([
    db
      .select({ id: assets.id })
      .from(assets)
      .where(and(inArray(assets.id, named('ast_')), outputOf(scope))),
    db
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(inArray(uploads.id, named('upl_')), madeBy(uploads.created_by, scope))),
  ]);
  return new Set([...own_assets, ...own_uploads].map(({ id }) => id));
}
