import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { ping } from '../../db/ping.ts';

const TIMEOUT_MS = 3_000;

/** `/healthz`: the process is alive. `/readyz`: what it needs answers, and it is not about to stop. */
export function healthRoutes(
  app: FastifyInstance,
  deps: Pick<Deps, 'config' | 'db' | 'storage' | 'queue' | 'log'>,
  isStopping: () => boolean,
): void {
  const checks = {
    database: () => ping(deps),
    storage: () => deps.storage.check(),
    queue: () => deps.queue.check(),
  };
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await answers(name, check, deps.log)] as const),
    );
    const ready = !isStopping() && results.every(([, ok]) => ok);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ready' : 'unavailable',
        checks: Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'unavailable'])),
      });
  });
}

async function answers(name: string, check: () => Promise<void>, log: Pick<Deps['log'], 'warn'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not answer in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch (error) {
    log.warn({ err: error, check: name }, 'not ready');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
