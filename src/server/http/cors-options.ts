import { COMPAT_ADAPTERS } from './compat/compat-adapters.ts';
import { COMPAT_HEADERS } from './compat/read-metadata.ts';
import { MCP_HEADERS } from './mcp/mcp-headers.ts';
import { RESUMABLE_CORS } from './routes/uploads.ts';

/** What pages of these origins may send and read. */
export const createCorsOptions = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-None-Match',
    ...MCP_HEADERS,
    ...COMPAT_HEADERS.allowed,
    ...COMPAT_ADAPTERS.flatMap(({ cors }) => cors.allowed),
    ...RESUMABLE_CORS.allowed,
  ],
  exposedHeaders: [
    'ETag',
    'Idempotent-Replayed',
    'Retry-After',
    'X-Request-Id',
    ...COMPAT_HEADERS.exposed,
    ...COMPAT_ADAPTERS.flatMap(({ cors }) => cors.exposed),
    ...RESUMABLE_CORS.exposed,
  ],
  maxAge: 600,
});
