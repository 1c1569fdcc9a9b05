import type { FastifyInstance } from 'fastify';
import { buildOpenApiDocument } from '#contract/openapi.ts';
import type { Config } from '#server/platform/core/config.ts';
import type { Handlers } from '#server/http/handler.ts';
import { createEntityTag, matchesEntityTag } from '#server/http/entity-tag.ts';
import { isEndpointName } from '#server/http/mount-endpoints.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';

/** Serves `/openapi.json`, which describes the endpoints of this process. Spec: Versioning */
export function openApiRoute(
  app: FastifyInstance,
  { config, rate_limit }: { config: Pick<Config, 'public_url'>; rate_limit: RateLimit },
  handlers: Handlers,
): void {
  let text: string | undefined;
  app.get('/openapi.json', async (request, reply) => {
    await rate_limit.countAddress(request.ip);
    text ??= JSON.stringify(buildOpenApiDocument(Object.keys(handlers).filter(isEndpointName), config.public_url));
    const tag = createEntityTag(text);
    reply.headers({ etag: tag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8');
    return matchesEntityTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(text);
  });
}
