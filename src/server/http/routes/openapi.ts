import type { FastifyInstance } from 'fastify';
import { openApi } from '#contract/openapi.ts';
import type { Config } from '../../config.ts';
import type { Handlers } from '../bind.ts';
import { entityTag, isCurrent } from '../entity-tag.ts';
import { isEndpointName } from '../mount.ts';
import type { RateLimit } from '../rate-limit.ts';

/** `/openapi.json`: the description of what is served. Spec: Versioning */
export function openApiRoute(
  app: FastifyInstance,
  { config, rate_limit }: { config: Pick<Config, 'public_url'>; rate_limit: RateLimit },
  handlers: Handlers,
): void {
  let text: string | undefined;
  app.get('/openapi.json', async (request, reply) => {
    await rate_limit.countAddress(request.ip);
    text ??= JSON.stringify(openApi(Object.keys(handlers).filter(isEndpointName), config.public_url));
    const tag = entityTag(text);
    reply.headers({ etag: tag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8');
    return isCurrent(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(text);
  });
}
