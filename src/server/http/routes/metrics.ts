import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { MetricsSettings } from '#server/platform/core/metrics-settings.ts';
import type { Metrics } from '#server/operations/metrics/create-metrics.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';

const METRICS_PATH = '/metrics';

/** Serves the metrics of this process to whoever sends the operator's token. Decision: Metrics */
export function metricsRoute(
  app: FastifyInstance,
  { rate_limit }: { rate_limit: RateLimit },
  { token }: Pick<MetricsSettings, 'token'>,
  metrics: Metrics,
): void {
  if (token === null) return;
  const expected = digest(`Bearer ${token}`);
  app.get(METRICS_PATH, async (request, reply) => {
    await rate_limit.countProbe(request.ip);
    // Digests have one length, so that the comparison takes the same time for every token.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      throw new ApiError('authentication_error', 'Send METRICS_TOKEN as a bearer token.');
    const { content_type, text } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(content_type).send(text);
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
