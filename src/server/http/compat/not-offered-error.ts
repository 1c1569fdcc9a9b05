import type { FastifyRequest } from 'fastify';
import { ApiError } from '#server/platform/core/api-error.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import type { CompatAdapter } from './compat-adapter.ts';

/** For a path of another API that this service does not have, so that nobody takes the API for the one that lacks it. */
export function notOfferedError(
  { name, prefix }: Pick<CompatAdapter, 'name' | 'prefix'>,
  { method, originalUrl }: Pick<FastifyRequest, 'method' | 'originalUrl'>,
): ApiError {
  const [path = ''] = originalUrl.split('?');
  const below = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return new ApiError('not_found', `Emulsion does not offer ${method} ${cutName(below || '/')} of ${name}’s API.`);
}
