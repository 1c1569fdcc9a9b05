import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Deps } from '../../deps.ts';
import { isValidMediaLink } from '../../media-links.ts';
import { StorageError } from '../../storage/storage.ts';
import { findMedium, type Medium } from '../../uploads/find-media.ts';
import { ApiError } from '../api-error.ts';
import { disposition } from '../disposition.ts';
import { rangeOf } from '../range.ts';

type MediaDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'storage'>;

/** `/media/<id>?expires&sig`: a medium, to whoever holds its link. Reliability: media links */
export function mediaRoutes(app: FastifyInstance, deps: MediaDeps): void {
  app.get<{ Params: { id: string }; Querystring: Record<string, unknown> }>(
    `${MEDIA_PATH}:id`,
    async (request, reply) => {
      const medium = await linked(deps, request.params.id, request.query);
      if (!medium) throw gone();
      const left_seconds = Math.floor(Number(request.query['expires']) - deps.clock.now().getTime() / 1000);
      describe(reply, medium, { download: request.query['download'] === '1', left_seconds });
      return sendBytes(deps, request, reply, medium);
    },
  );
}

const gone = (cause?: unknown) =>
  new ApiError('not_found', 'This link is not valid, or it has expired. Open the medium again to get a new one.', {
    cause,
  });

async function linked(deps: MediaDeps, id: string, query: Record<string, unknown>): Promise<Medium | null> {
  const { expires, sig } = query;
  if (typeof expires !== 'string' || typeof sig !== 'string') return null;
  return isValidMediaLink(deps, { id, expires, sig }) ? findMedium(deps.db, id) : null;
}

const DAY_SECONDS = 86_400;

function describe(
  reply: FastifyReply,
  medium: Medium,
  { download, left_seconds }: { download: boolean; left_seconds: number },
): void {
  reply.headers({
    'content-type': medium.mime_type,
    'content-disposition': disposition(medium, download),
    'accept-ranges': 'bytes',
    etag: `"${medium.sha256.slice(0, 32)}"`,
    'last-modified': medium.created_at.toUTCString(),
    'cache-control': `private, max-age=${Math.min(DAY_SECONDS, left_seconds)}, immutable`,
    'content-security-policy': "sandbox; default-src 'none'",
    // Whoever holds the link may show the medium: other origins of ours, and other tools.
    'cross-origin-resource-policy': 'cross-origin',
  });
}

async function sendBytes(
  { storage }: MediaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { storage_key, size_bytes }: Medium,
): Promise<FastifyReply> {
  const etag = String(reply.getHeader('etag'));
  if (isUnchanged(request, etag)) return reply.code(304).send();
  const range = rangeOf(request.headers, { size_bytes, etag, last_modified: String(reply.getHeader('last-modified')) });
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size_bytes}`);
    for (const name of ['content-type', 'content-disposition', 'cache-control']) reply.removeHeader(name);
    return reply.code(416).send();
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size_bytes}`);
  reply.header('content-length', range ? range.end - range.start + 1 : size_bytes);
  if (request.method === 'HEAD') return reply.send();
  try {
    return reply.send(await storage.read(storage_key, range ?? {}));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') throw gone(error);
    throw error;
  }
}

function isUnchanged({ headers }: FastifyRequest, etag: string): boolean {
  const given = headers['if-none-match'];
  return given !== undefined && given.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
