import type { FastifyInstance } from 'fastify';
import { VERSION } from '#server/platform/core/version.ts';
import type { Deps } from '#server/platform/deps.ts';
import { pingDatabase } from '#server/platform/db/ping-database.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';

const TIMEOUT_MS = 3_000;
/** The storage check writes a file, so its result is reused. */
const RESULT_TTL_MS = 1_000;

type CheckResults = readonly (readonly [name: string, ok: boolean])[];

/** Serves `/healthz` (the process is alive, in which version) and `/readyz` (its dependencies respond and it is not shutting down). */
export function healthRoutes(
  app: FastifyInstance,
  deps: Deps & { rate_limit: RateLimit },
  isStopping: () => boolean,
): void {
  const checks = {
    database: () => pingDatabase(deps),
    storage: () => deps.storage.check(),
    queue: () => deps.queue.check(),
  };
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION }),
  );
  let last: { results: Promise<CheckResults>; at_ms: number } | undefined;
  const check = (): Promise<CheckResults> => {
    const now_ms = deps.clock.now().getTime();
    if (last && now_ms - last.at_ms < RESULT_TTL_MS) return last.results;
    const results = Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, deps.log)] as const),
    );
    last = { results, at_ms: now_ms };
    return results;
  };
  app.get('/readyz', async (request, reply) => {
    await deps.rate_limit.countProbe(request.ip);
    const results = await check();
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

async function runCheck(name: string, check: () => Promise<void>, log: Pick<Deps['log'], 'warn'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not respond in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
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
