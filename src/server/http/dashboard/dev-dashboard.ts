import type { FastifyInstance } from 'fastify';
import type { FallbackHandler } from '#server/http/not-found.ts';

/** Serves the dashboard from source with hot reload and without a Content-Security-Policy, for development. */
export async function serveDevDashboard(app: FastifyInstance, root: string): Promise<FallbackHandler> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    appType: 'spa',
    // The default loader writes the configuration to a file, which would restart a process in watch mode.
    configLoader: 'runner',
    server: { middlewareMode: true, ws: { server: app.server }, proxy: {} },
  });
  app.addHook('onClose', () => vite.close());
  return (request, reply) => {
    reply.hijack();
    vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end());
    return true;
  };
}
