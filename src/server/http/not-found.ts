import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#contract/api/endpoints.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Handlers } from './handler.ts';
import { isEndpointName } from './mount-endpoints.ts';

interface ServedPath {
  pattern: RegExp;
  methods: string[];
}

function listServedPaths(handlers: Handlers): ServedPath[] {
  const paths = new Map<string, string[]>();
  for (const name of Object.keys(handlers)) {
    if (!isEndpointName(name)) continue;
    const { path, method } = endpoints[name];
    paths.set(path, [...(paths.get(path) ?? []), method, ...(method === 'GET' ? ['HEAD'] : [])]);
  }
  return [...paths].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }));
}

export type FallbackHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Responds to requests without a route.
 * @param otherwise handles paths outside the API, such as pages of the dashboard
 */
export function handleNotFound(app: FastifyInstance, handlers: Handlers, otherwise: FallbackHandler | null): void {
  const paths = listServedPaths(handlers);
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = paths.find(({ pattern }) => pattern.test(path))?.methods;
    if (methods) {
      reply.header('allow', methods.join(', '));
      throw new ApiError('method_not_allowed', `${request.method} is not allowed here.`);
    }
    if (otherwise && !isApiPath(path) && otherwise(request, reply)) return reply;
    throw new ApiError('not_found', 'There is no endpoint at this path.');
  });
}

const isApiPath = (path: string): boolean =>
  /^\/(?:v1|compat|mcp|media|healthz|readyz|metrics|openapi\.json)(?:\/|$)/.test(path);
