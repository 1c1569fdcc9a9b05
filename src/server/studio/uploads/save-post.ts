import type { Db } from '#server/platform/db/db.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { OUTPUT_DATA, type SearchItem } from '#contract/resources/output-data.ts';
import type { MediaSource } from '#contract/resources/media.ts';
import type { SavedPost } from '#contract/resources/reference.ts';
import { findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import { type ExternalFiles, rejectUrl } from '#server/studio/generations/create/read-external-file.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { throwUnavailable } from '#server/platform/storage/storage.ts';
import { hashFile } from './hash-file.ts';
import { probeUpload } from './probe-upload.ts';
import { displayFileName } from './receive-file.ts';
import { storeUpload } from './store-upload.ts';
import { assertUploadSpace } from './upload-folder.ts';

type SavePostDeps = Deps & { externalFiles: ExternalFiles; samplePosters: SamplePosters };

const MAX_PICTURES = 10;
const MAX_CAPTION_CHARACTERS = 300;
const MAX_NAME_CHARACTERS = 60;
const MAX_URL_CHARACTERS = 2_000;
const SAMPLE_ID = /^sample-\d{3}$/;

/** A picture of a post: drawn here for samples, or a link. */
type Picture = { kind: 'sample'; at: number } | { kind: 'link'; url: string };

/**
 * Stores the pictures of a post that a search has found as uploads that name their source. A picture that was saved before
 * is not stored twice. Decision: Saved posts
 * @throws {ApiError} 404 `generation_not_found` or `not_found`; 400 or 422 if no picture can be read; 401, 429, 503
 */
export async function savePost(
  deps: SavePostDeps,
  caller: Caller,
  generationId: string,
  postId: string,
  signal: AbortSignal,
): Promise<SavedPost> {
  const { generation } = await findGeneration(deps, caller.organization_id, generationId);
  const found = OUTPUT_DATA.search.safeParse(generation.output_data);
  const post = found.success ? found.data.videos.find(({ id }) => id === postId) : undefined;
  if (!post) throw new ApiError('not_found', 'This search has no such post.');
  const pictures = listPictures(post);
  if (pictures.length === 0) throw new ApiError('invalid_request', 'This post has no picture that can be saved.');
  const mediaIds: string[] = [];
  let failure: unknown;
  for (const picture of pictures) {
    try {
      mediaIds.push(await savePicture(deps, caller, { post, picture }, signal));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
      failure ??= error;
    }
  }
  if (mediaIds.length === 0) throw failure;
  return {
    object: 'saved_post',
    media_ids: [...new Set(mediaIds)],
    missing_count: pictures.length - mediaIds.length,
  };
}

function listPictures({ id, url, thumbnail_url, image_urls, media_type }: SearchItem): Picture[] {
  const links = [thumbnail_url, ...(media_type === 'carousel' ? (image_urls ?? []) : [])];
  if (SAMPLE_ID.test(id) && URL.canParse(url) && new URL(url).hostname === 'example.com') {
    const count = media_type === 'carousel' ? Math.max(1, image_urls?.length ?? 0) : 1;
    return Array.from({ length: Math.min(MAX_PICTURES, count) }, (_, at) => ({ kind: 'sample', at }));
  }
  const known = [...new Set(links.flatMap((link) => (link ? [link] : [])))];
  return known.slice(0, MAX_PICTURES).map((link) => ({ kind: 'link', url: link }));
}

async function savePicture(
  deps: SavePostDeps,
  caller: Caller,
  { post, picture }: { post: SearchItem; picture: Picture },
  signal: AbortSignal,
): Promise<string> {
  const { externalFiles, config } = deps;
  const owner = caller.key_id;
  const store = (file: string, media: MediaFileInfo) => storePicture(deps, caller, post, { file, media });
  if (picture.kind === 'sample') {
    const bytes = await deps.samplePosters.still(post.id, picture.at);
    if (!bytes) throw new ApiError('invalid_request', 'This post has no picture that can be saved.');
    return withTempDir(config.mediaDir, async (folder) => {
      const file = join(folder, 'picture');
      await writeFile(file, bytes).catch(throwUnavailable);
      return store(file, await probeUpload(deps, file, { owner, signal }));
    });
  }
  const local = await findLocalMedia(deps, caller.organization_id, picture.url);
  if (local.own) return local.medium?.id ?? rejectUrl(400, 'The picture of this post was deleted.');
  await externalFiles.admit(owner, picture.url);
  return externalFiles.read(picture.url, { owner, signal }, store);
}

async function storePicture(
  deps: SavePostDeps,
  caller: Caller,
  post: SearchItem,
  { file, media }: { file: string; media: MediaFileInfo },
): Promise<string> {
  await assertUploadSpace(deps, deps.config.mediaDir, media.size_bytes);
  const source = describeSource(post);
  const sha256 = await hashFile(file).catch(throwUnavailable);
  const saved = await findSaved(deps.db, caller, sha256, source);
  if (saved) return saved;
  const [firstLine = ''] = (source.caption ?? '').split('\n');
  const name = [...firstLine].slice(0, MAX_NAME_CHARACTERS).join('').replaceAll(/[/\\]/g, ' ').trim();
  const filename = displayFileName(`${name || 'Post'}.${media.extension}`);
  return (await storeUpload(deps, caller, { file, filename, sha256, media, source })).id;
}

/** The upload of the caller with these bytes from this post. */
async function findSaved(
  db: Db,
  { organization_id, key_id }: Caller,
  sha256: string,
  source: MediaSource,
): Promise<string | null> {
  const [row] = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(
      and(
        eq(uploads.organization_id, organization_id),
        eq(uploads.sha256, sha256),
        eq(uploads.created_by, key_id),
        isNull(uploads.removed_at),
        sql`${uploads.source} = ${JSON.stringify(source)}::jsonb`,
      ),
    )
    .limit(1);
  return row?.id ?? null;
}

function describeSource({ url, creator, caption }: SearchItem): MediaSource {
  const isHttps = URL.canParse(url) && new URL(url).protocol === 'https:';
  return {
    url: isHttps && url.length <= MAX_URL_CHARACTERS ? url : null,
    author: shorten(creator.display_name ?? creator.username, 100),
    caption: shorten(caption, MAX_CAPTION_CHARACTERS),
  };
}

/** PostgreSQL stores no NUL. */
function shorten(text: string | null | undefined, characters: number): string | null {
  const plain = (text ?? '').toWellFormed().replaceAll('\0', '');
  return [...plain].slice(0, characters).join('').trim() || null;
}
