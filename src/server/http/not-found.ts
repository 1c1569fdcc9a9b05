import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#contract/endpoints.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Handlers } from './handler.ts';
import { isEndpointName } from './mount-endpoints.ts';

interface ServedPath {
  pattern: RegExp;
  methods: string[];
}

/** The methods of each path that is served; HEAD goes with GET. */
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

/** Answers and returns true, or returns false. */
export type FallbackHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Answers what no route takes.
 * @param otherwise looks at what is not the API's: a page of the dashboard, perhaps
 */
export function handleNotFound(app: FastifyInstance, handlers: Handlers, otherwise: FallbackHandler | null): void {
  const paths = listServedPaths(handlers);
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = paths.find(({ pattern }) => pattern.test(path))?.methods;
    if (methods) {
      reply.header('allow', methods.join(', '));
      throw new ApiError('method_not_allowed', `${request.method} is not possible here.`);
    }
    if (otherwise && !isApiPath(path) && otherwise(request, reply)) return reply;
    throw new ApiError('not_found', 'There is nothing at this address.');
  });
}

const isApiPath = (path: string): boolean => /^\/(?:v1|media|healthz|readyz|openapi\.json)(?:\/|$)/.test(path);
