import { and, desc, eq, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { MediaSource, OriginMark } from '#contract/resources/media.ts';
import { type NamedMedia, NO_SOURCE } from '#server/studio/assets/media-name.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { assets, generations, uploads } from '#server/platform/db/schema/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS, selectPrompt } from '#server/platform/db/select-prompt.ts';

export interface MediaRow extends NamedMedia {
  id: string;
  organization_id: string;
  mime_type: string;
  lost_marks: OriginMark[] | null;
  source: MediaSource | null;
  storage_key: string;
  size_bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  favourite: boolean;
  trashed_at: Date | null;
  created_by: string;
  generation: {
    id: string;
    task: TaskId;
    model: AnyModelId | null;
    status: GenerationStatus;
    prompt: string | null;
    workflow_run_id: string | null;
    tags: Readonly<Record<string, string>>;
  } | null;
}

type MediaReader = Pick<Db | Tx, 'select'>;

/** Assets that the library lists. Its partial indexes have the same condition. */
export const LISTED_ASSETS = and(isNull(assets.removed_at), not(assets.held));
export const LISTED_UPLOADS = isNull(uploads.removed_at);

/** What a query of media reads: the library, or the trash. */
interface MediaPlace {
  in_trash?: boolean | undefined;
}

const assetsIn = ({ in_trash }: MediaPlace) => (in_trash ? isNotNull(assets.trashed_at) : LISTED_ASSETS);
const uploadsIn = ({ in_trash }: MediaPlace) => (in_trash ? isNotNull(uploads.trashed_at) : LISTED_UPLOADS);

const mediaRowColumns = (table: typeof assets | typeof uploads) => ({
  id: table.id,
  organization_id: table.organization_id,
  type: table.type,
  mime_type: table.mime_type,
  storage_key: table.storage_key,
  size_bytes: table.size_bytes,
  sha256: table.sha256,
  width: table.width,
  height: table.height,
  duration_seconds: table.duration_seconds,
  favourite: table.favourite,
  trashed_at: table.trashed_at,
  created_at: table.created_at,
});

export function selectAssets(
  db: MediaReader,
  where: SQL | undefined,
  { limit, prompt, in_trash }: { limit: number; prompt: number } & MediaPlace,
) {
  const query: Promise<MediaRow[]> = db
    .select({
      ...mediaRowColumns(assets),
      filename: assets.filename,
      source_name: assets.source_name,
      source_id: assets.source_id,
      source_number: assets.source_number,
      edits: assets.edits,
      lost_marks: assets.lost_marks,
      source: sql<null>`null`,
      created_by: generations.created_by,
      generation: {
        id: generations.id,
        task: generations.task,
        model: generations.model,
        status: generations.status,
        prompt: selectPrompt(prompt),
        workflow_run_id: generations.workflow_run_id,
        tags: generations.tags,
      },
    })
    .from(assets)
    .innerJoin(generations, eq(generations.id, assets.generation_id))
    .where(and(assetsIn({ in_trash }), where))
    .orderBy(desc(assets.created_at), desc(assets.id))
    .limit(limit);
  return query;
}

export async function selectUploads(
  db: MediaReader,
  where: SQL | undefined,
  limit: number,
  place: MediaPlace = {},
): Promise<MediaRow[]> {
  const rows = await db
    .select({
      ...mediaRowColumns(uploads),
      filename: uploads.filename,
      source: uploads.source,
      created_by: uploads.created_by,
    })
    .from(uploads)
    .where(and(uploadsIn(place), where))
    .orderBy(desc(uploads.created_at), desc(uploads.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, ...NO_SOURCE, generation: null, lost_marks: null }));
}

/** The existing media of an organization by id. Unknown media and those of other organizations are missing alike. */
export async function findMediaRows(
  db: Pick<Db | Tx, 'select'>,
  organizationId: string,
  ids: readonly string[],
  prompt = PROMPT_EXCERPT_CHARACTERS,
): Promise<Map<string, MediaRow>> {
  const assetIds = ids.filter((id) => id.startsWith('ast_'));
  const uploadIds = ids.filter((id) => id.startsWith('upl_'));
  const rows = [
    ...(assetIds.length === 0
      ? []
      : await selectAssets(db, and(eq(assets.organization_id, organizationId), inArray(assets.id, assetIds)), {
          limit: assetIds.length,
          prompt,
        })),
    ...(uploadIds.length === 0
      ? []
      : await selectUploads(
          db,
          and(eq(uploads.organization_id, organizationId), inArray(uploads.id, uploadIds)),
          uploadIds.length,
        )),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}
