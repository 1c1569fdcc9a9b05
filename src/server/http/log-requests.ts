import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** One line per answer. No header and no query string: those hold keys and signatures. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply));
}

export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    method: request.method,
    path: request.url.split('?')[0]?.slice(0, 200),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    key_id: request.caller?.key_id,
  };
  if (request.routeOptions.url === '/healthz' || request.routeOptions.url === '/readyz')
    request.log.debug(line, 'answered');
  else request.log.info(line, 'answered');
}
