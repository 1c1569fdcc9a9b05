import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { runInContext, type Span, startSpan } from '#server/platform/core/process/work-context.ts';

/** Asked every few seconds by machines. */
export const QUIET_ROUTES: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

const spans = new WeakMap<FastifyRequest, Span>();

/** Gives each line of the log that a request causes its id, and traces it. Register it before all other hooks. */
export function addRequestContext(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route } = request.routeOptions;
    const { method, headers } = request;
    const { traceparent } = headers;
    const span = QUIET_ROUTES.has(route)
      ? undefined
      : startSpan(`${method} ${route ?? 'none'}`, {
          kind: 'server',
          attributes: {
            'http.request.method': method,
            'http.route': route ?? 'none',
            'emulsion.request_id': request.id,
          },
          traceparent: typeof traceparent === 'string' ? traceparent : undefined,
        });
    if (span) {
      spans.set(request, span);
      reply.header('x-trace-id', span.trace_id);
    }
    runInContext({ request_id: request.id, span }, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    endSpan(request, reply);
    done();
  });
}

function endSpan(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const attributes = { 'http.response.status_code': statusCode };
  spans.get(request)?.end({ attributes, hasFailed: statusCode >= 500 });
}
