import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/core/config.ts';

/** Nothing that the API answers is a page. */
const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Headers of every answer; a route may set its own before. Reliability: headers */
export function addSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'public_url'>): void {
  const headers: Record<string, string> = {
    'content-security-policy': API_CONTENT_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.public_url.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id });
  });
}
