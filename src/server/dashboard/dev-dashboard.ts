import type { FastifyInstance } from 'fastify';
import type { FallbackHandler } from '#server/http/not-found.ts';

/** The dashboard from its sources, replaced in the browser as they change. For development: without a content policy. */
export async function serveDevDashboard(app: FastifyInstance, root: string): Promise<FallbackHandler> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    appType: 'spa',
    // The other loader writes the configuration to a file, which restarts a process that watches what it loads.
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
