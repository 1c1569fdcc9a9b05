import type { FastifyInstance } from 'fastify';
import type { SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

/** `sample-001.webp`, `sample-001-2.webp` for the third picture of a carousel, `sample-002-clip.webp` for its motion. */
const FILE_NAME = /^(sample-\d{3})(?:-(\d|clip))?\.webp$/;
const DAY_SECONDS = 86_400;

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
