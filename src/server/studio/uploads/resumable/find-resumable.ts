import { join } from 'node:path';
import { and, eq, gt } from 'drizzle-orm';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import { resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { changesOwnOnly } from '#server/accounts/keys/assert-may-act.ts';

export type ResumableUploadRow = typeof resumableUploads.$inferSelect;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Holds one file per unfinished upload, named by its id. */
export const resumableFolder = ({ mediaDir }: Pick<Config, 'mediaDir'>): string => join(mediaDir, 'tmp', 'resumable');

/** Null if unknown, expired, of another organization, or of another key where the caller acts only on their own. */
export async function findResumableUpload(
  { db, clock }: Deps,
  caller: Caller,
  id: string,
): Promise<ResumableUploadRow | null> {
  if (!ID.test(id)) return null;
  const [row] = await db
    .select()
    .from(resumableUploads)
    .where(
      and(
        eq(resumableUploads.id, id),
        eq(resumableUploads.organization_id, caller.organization_id),
        gt(resumableUploads.expires_at, clock.now()),
        caller.kind === 'publishing' || caller.sees_own_work_only || changesOwnOnly(caller)
          ? eq(resumableUploads.created_by, caller.key_id)
          : undefined,
      ),
    );
  return row ?? null;
}
