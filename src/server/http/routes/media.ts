import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findDerivative } from '#server/studio/assets/derivatives/read-derivatives.ts';
import {
  createSidecarLink,
  SIDECAR_EXTENSION,
  verifyMediaLink,
  verifySidecarLink,
} from '#server/studio/assets/media-links.ts';
import { readSidecar, SIDECAR_MIME_TYPE } from '#server/studio/assets/sidecars.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { manifestLink } from '#server/http/manifest-link.ts';
import { findStoredMedia, type StoredMedia } from '#server/studio/assets/find-stored-media.ts';
import { findReceivedFile } from '#server/studio/assets/received-files.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { ARCHIVE_PATH, openArchive } from '#server/studio/library/archive/archive.ts';
import { packArchive, predictArchiveBytes } from '#server/studio/library/archive/pack-archive.ts';
import { contentDisposition } from '#server/http/content-disposition.ts';
import { type RequestRange, parseRange } from '#server/http/range.ts';

/** Serves `/media/<id>?expires&sig`: media or a derivative, for anyone who has the link. */
export function mediaRoutes(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: { id: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: `${MEDIA_PATH}:id`,
    async handler(request, reply) {
      const medium = await findLinkedMedia(deps, request.params.id, request.query);
      if (!medium) throw linkExpiredError();
      const validators = cacheValidators(medium);
      if (isUnchanged(request, validators.etag)) return reply.code(304).headers(validators).send();
      const leftSeconds = secondsUntil(deps, request.query['expires']);
      const link = sidecarLink(deps, medium, request.query);
      const download = request.query['download'] === '1';
      const storeRedirect =
        request.method === 'GET' ? await createStoreRedirect(deps, medium, { download, leftSeconds }) : null;
      if (storeRedirect) return redirectToStore(reply.headers(link), storeRedirect);
      const range = parseRange(request.headers, { size_bytes: medium.size_bytes, ...validators });
      if (range === 'unsatisfiable')
        return reply.code(416).header('content-range', `bytes */${medium.size_bytes}`).send();
      // Opens the file before setting headers: a missing file must look like an invalid link.
      const bytes = await openMedia(deps, medium, range, request.method === 'HEAD');
      setMediaHeaders(reply, medium, { download, leftSeconds, range });
      return reply.headers({ ...validators, ...link }).send(bytes ?? undefined);
    },
  });
}

const secondsUntil = ({ clock }: Deps, expires: unknown): number =>
  Math.floor(Number(expires) - clock.now().getTime() / 1000);

/** The link to the manifest beside a file lasts as long as its own. */
function sidecarLink(deps: Deps, { id, hasSidecar }: LinkedFile, query: Record<string, unknown>) {
  if (!hasSidecar) return {};
  const options = { in_trash: query['trash'] === '1', expiresSeconds: Number(query['expires']) };
  return manifestLink(createSidecarLink(deps, id, options).url);
}

const linkExpiredError = (cause?: unknown) =>
  new ApiError('not_found', 'This link is not valid, or it has expired. Open the file again to get a new link.', {
    cause,
  });

async function findLinkedMedia(deps: Deps, id: string, query: Record<string, unknown>): Promise<LinkedFile | null> {
  const { expires, sig, as, trash } = query;
  const inTrash = trash === '1';
  if (typeof expires !== 'string' || typeof sig !== 'string') return null;
  if (!verifyMediaLink(deps, { id, expires, sig, in_trash: inTrash })) return null;
  if (id.startsWith('fil_')) return asLinkedFile(await findReceivedFile(deps.db, id));
  const medium = await findStoredMedia(deps.db, id, { in_trash: inTrash });
  if (!medium || as === undefined) return medium;
  return typeof as === 'string' ? findDerivative(deps.db, medium, as) : null;
}

type StoredFile = Pick<
  StoredMedia,
  'id' | 'filename' | 'mime_type' | 'storage_key' | 'size_bytes' | 'sha256' | 'created_at' | 'hasSidecar'
>;
type LinkedFile = StoredMedia | (StoredFile & { generation: null });

/** Nothing is known of its content, so browsers get no type to show it by. */
const asLinkedFile = (file: Omit<StoredFile, 'mime_type' | 'hasSidecar'> | null): LinkedFile | null =>
  file && { ...file, mime_type: 'application/octet-stream', hasSidecar: false, generation: null };

const DAY_SECONDS = 86_400;

const cacheValidators = ({ sha256, created_at }: LinkedFile) => ({
  etag: `"${sha256.slice(0, 32)}"`,
  'last-modified': created_at.toUTCString(),
});

function isUnchanged({ headers }: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return (
    ifNoneMatch !== undefined && ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  );
}

async function openMedia(
  { storage }: Deps,
  { storage_key }: LinkedFile,
  range: RequestRange | null,
  headersOnly: boolean,
): Promise<Readable | null> {
  if (headersOnly) {
    if (await storage.stat(storage_key)) return null;
    throw linkExpiredError();
  }
  try {
    return await storage.read(storage_key, range ?? {});
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') throw linkExpiredError(error);
    throw error;
  }
}

function setMediaHeaders(
  reply: FastifyReply,
  medium: LinkedFile,
  { download, leftSeconds, range }: { download: boolean; leftSeconds: number; range: RequestRange | null },
): void {
  const { size_bytes } = medium;
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size_bytes}`);
  reply.headers({
    'content-type': medium.mime_type,
    'content-length': range ? range.end - range.start + 1 : size_bytes,
    'content-disposition': contentDisposition(medium, download),
    'accept-ranges': 'bytes',
    ...linkedFileHeaders(leftSeconds),
  });
}

const linkedFileHeaders = (leftSeconds: number) => ({
  'cache-control': `private, max-age=${Math.min(DAY_SECONDS, leftSeconds)}, immutable`,
  'content-security-policy': "sandbox; default-src 'none'",
  // Anyone who has the link may embed the media, such as other origins and tools.
  'cross-origin-resource-policy': 'cross-origin',
});

const MIN_REDIRECT_BYTES = 262_144;
const LINK_STEP_MS = 15 * 60_000;
/** Long enough to watch a video to its end. */
const LINK_TTL_MS = 6 * 3_600_000;

interface StoreRedirect {
  url: string;
  keptSeconds: number;
}

/**
 * Returns a presigned link to the store, or null if the service sends the file itself. Small files are sent directly,
 * because a redirect would double the requests of a page of thumbnails.
 */
async function createStoreRedirect(
  { storage, clock }: Deps,
  medium: LinkedFile,
  { download, leftSeconds }: { download: boolean; leftSeconds: number },
): Promise<StoreRedirect | null> {
  if (!storage.link || medium.size_bytes < MIN_REDIRECT_BYTES || leftSeconds < 1) return null;
  const nowMs = clock.now().getTime();
  // The link stays the same for a while, so that browsers can cache it.
  const signedMs = Math.floor(nowMs / LINK_STEP_MS) * LINK_STEP_MS;
  const expiresMs = Math.min(signedMs + LINK_TTL_MS, nowMs + leftSeconds * 1000);
  const url = await storage.link(medium.storage_key, {
    mime_type: medium.mime_type,
    disposition: contentDisposition(medium, download),
    signed_at: new Date(signedMs),
    expires_at: new Date(expiresMs),
  });
  return { url, keptSeconds: Math.floor(Math.min(LINK_STEP_MS, expiresMs - nowMs) / 1000) };
}

function redirectToStore(reply: FastifyReply, { url, keptSeconds }: StoreRedirect): FastifyReply {
  return reply
    .headers({
      'cache-control': `private, max-age=${keptSeconds}`,
      'cross-origin-resource-policy': 'cross-origin',
    })
    .redirect(url, 302);
}

/** Serves `/media/<id>.c2pa?expires&sig`: the manifest beside the file of an asset, for anyone who has the link. */
export function sidecarRoutes(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: { id: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: `${MEDIA_PATH}:id${SIDECAR_EXTENSION}`,
    async handler({ params: { id }, query }, reply) {
      const { expires, sig, trash } = query;
      const inTrash = trash === '1';
      const isLink = typeof expires === 'string' && typeof sig === 'string';
      const isValid = isLink && verifySidecarLink(deps, { id, expires, sig, in_trash: inTrash });
      const manifest = isValid ? await readSidecar(deps.db, id, { in_trash: inTrash }) : null;
      if (!manifest) throw linkExpiredError();
      reply.headers({
        ...linkedFileHeaders(secondsUntil(deps, expires)),
        'content-type': SIDECAR_MIME_TYPE,
        'content-disposition': `attachment; filename="${id}${SIDECAR_EXTENSION}"`,
      });
      return reply.send(manifest);
    },
  });
}

/** Serves `/media/archives/<id>?expires&sig`: a ZIP that is packed while it is sent, for anyone who has the link. */
export function archiveRoutes(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: { id: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: `${ARCHIVE_PATH}:id`,
    async handler(request, reply) {
      const { expires, sig } = request.query;
      const isLink = typeof expires === 'string' && typeof sig === 'string';
      const starts = request.method === 'GET';
      const archive = isLink ? await openArchive(deps, { id: request.params.id, expires, sig }, starts) : null;
      const [first] = archive?.files ?? [];
      if (!archive || !first) throw archiveExpiredError();
      // An error can only be sent before the first byte.
      if (!(await deps.storage.stat(first.storage_key))) throw archiveFileMissingError();
      const bytes = predictArchiveBytes(archive);
      reply.headers({
        'content-type': 'application/zip',
        ...(bytes === null ? {} : { 'content-length': String(bytes) }),
        'content-disposition': `attachment; filename="${archive.filename}"`,
        'cache-control': 'private, no-store',
      });
      if (!starts) return reply.send();
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      return reply.send(packArchive(deps, archive, disconnected.signal));
    },
  });
}

const archiveFileMissingError = () =>
  new ApiError(
    'not_found',
    'A file of this download is missing. Select the files without it, and download them again.',
  );

const archiveExpiredError = () =>
  new ApiError('not_found', 'This download link has expired. Go back to the library and start the download again.');

/** `sample-001.webp`, `sample-001-2.webp` for the third picture of a carousel, `sample-002-clip.webp` for its motion. */
const FILE_NAME = /^(sample-\d{3})(?:-(\d|clip))?\.webp$/;

/** Serves pictures of the sample posts to everybody. Each is drawn at its first request. Decision: Sample posts */
export function samplePosterRoutes(app: FastifyInstance, posters: SamplePosters): void {
  app.get<{ Params: { name: string } }>('/samples/:name', async (request, reply) => {
    const [, id = '', part = '0'] = FILE_NAME.exec(request.params.name) ?? [];
    const picture = part === 'clip' ? await posters.clip(id) : await posters.still(id, Number(part));
    if (!picture) throw new ApiError('not_found', 'There is no such sample.');
    return reply
      .headers({
        'content-type': 'image/webp',
        'cache-control': `public, max-age=${DAY_SECONDS}`,
        'content-security-policy': "sandbox; default-src 'none'",
      })
      .send(picture);
  });
}
