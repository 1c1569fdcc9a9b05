import type { FastifyInstance } from 'fastify';
import type { Deps } from '#server/platform/deps.ts';
import { ARCHIVE_PATH, openArchive } from '#server/studio/library/archive/archive.ts';
import { packArchive, predictArchiveBytes } from '#server/studio/library/archive/pack-archive.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

/** Serves `/media/archives/<id>?expires&sig`: a ZIP that is packed while it is sent, for anyone who has the link. */
export function archiveRoutes(app: FastifyInstance, deps: Deps): void {
  app.route<{ Params: { id: string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: `${ARCHIVE_PATH}:id`,
    async handler(request, reply) {
      const { expires, sig } = request.query;
      const is_link = typeof expires === 'string' && typeof sig === 'string';
      const starts = request.method === 'GET';
      const archive = is_link ? await openArchive(deps, { id: request.params.id, expires, sig }, starts) : null;
      const [first] = archive?.files ?? [];
      if (!archive || !first) throw archiveExpiredError();
      // Fails before any byte is sent if the store is unavailable.
      await deps.storage.stat(first.storage_key);
      reply.headers({
        'content-type': 'application/zip',
        'content-length': String(predictArchiveBytes(archive.files)),
        'content-disposition': `attachment; filename="${archive.filename}"`,
        'cache-control': 'private, no-store',
      });
      if (!starts) return reply.send();
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      return reply.send(packArchive(deps.storage, archive.files, disconnected.signal));
    },
  });
}

const archiveExpiredError = () =>
  new ApiError('not_found', 'This download link has expired. Go back to the library and start the download again.');
