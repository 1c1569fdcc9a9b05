import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import fastifyCompress, { type FastifyCompressOptions } from '@fastify/compress';
import { fastifyCookie } from '@fastify/cookie';
import fastifyCors from '@fastify/cors';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  LogController,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { SHARE_PATH } from '#contract/limits.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createCorsOptions } from './cors-options.ts';
import { sendError } from './errors.ts';
import { handleNotFound, type FallbackHandler } from './not-found.ts';
import { type LogRefusal, createRefusalLog } from './log-refusals.ts';
import { rewriteProxyUrl } from './compat/fal/proxy-target.ts';
import { COMPAT_ADAPTERS } from './compat/compat-adapters.ts';
import { mountCompatAdapter } from './compat/mount-compat-adapter.ts';
import { mcpRoute } from './mcp/mcp-route.ts';
import { mountEndpoints } from './mount-endpoints.ts';
import { createRateLimit } from './rate-limit.ts';
import { addRequestContext, QUIET_ROUTES } from './request-context.ts';
import { closeUnusedConnections, refuseBadHeaders, refuseConnection } from './refuse-connections.ts';
import { billingRoutes } from './routes/billing.ts';
import { addedModelRoutes } from './routes/added-models.ts';
import { catalogRoutes } from './routes/catalog.ts';
import { credentialRoutes } from './routes/credentials.ts';
import { generationRoutes } from './routes/generations.ts';
import { libraryRoutes } from './routes/library.ts';
import { archiveRoutes, mediaRoutes, samplePosterRoutes, sidecarRoutes } from './routes/media.ts';
import { healthRoutes, metricsRoute, openApiRoute, operationRoutes } from './routes/operations.ts';
import { peopleRoutes } from './routes/people.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { resumableRoutes, uploadRoutes } from './routes/uploads.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workflowRoutes } from './routes/workflows.ts';
import { createTurns } from '#server/platform/core/turns.ts';
import { createWaitSlots } from './wait-slots.ts';
import { UNREAD_LIMITS, limitUnreadResponses } from './unread-responses.ts';
import { createPainting } from '#server/models/preview/painting.ts';
import { createSamplePosters, type SamplePosters } from '#server/models/preview/social/sample-posters.ts';
import { createOpenUploads, type OpenUploads } from '#server/studio/uploads/open-uploads.ts';
import { type CredentialChecks, createCredentialChecks } from '#server/studio/credentials/credential-checks.ts';
import type { Handlers } from './handler.ts';
import { verifyPageRoutes } from './credentials-page/verify-page-route.ts';
import { sharePageRoutes } from './share-page/share-page-route.ts';
import { createSignInGuard, type SignInGuard } from './sign-in-guard.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import { completedRequests } from '#server/platform/core/process/telemetry.ts';
import type { Metrics } from '#server/operations/metrics/create-metrics.ts';

/** API responses are never rendered as pages. */
const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

function addSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const headers: Record<string, string> = {
    'content-security-policy': API_CONTENT_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.publicUrl.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}

interface Shared {
  guard: SignInGuard;
  openUploads: OpenUploads;
  samplePosters: SamplePosters;
  credentialChecks: CredentialChecks;
}

const createHandlers = (deps: Deps, { guard, openUploads, samplePosters, credentialChecks }: Shared): Handlers => ({
  ...catalogRoutes(deps),
  ...addedModelRoutes(deps),
  ...generationRoutes(deps),
  ...uploadRoutes({ ...deps, openUploads }, samplePosters),
  ...libraryRoutes(deps),
  ...credentialRoutes({ ...deps, credentialChecks }),
  ...workflowRoutes(deps),
  ...billingRoutes(deps),
  ...signInRoutes({ ...deps, guard }),
  ...peopleRoutes({ ...deps, guard }),
  ...webhookRoutes(deps),
  ...operationRoutes(deps),
});

export interface AppOptions {
  dashboard?: (app: FastifyInstance) => Promise<FallbackHandler | null>;
  /** Whether the process is shutting down and should receive no new work. */
  isStopping?: () => boolean;
  metrics?: Metrics | null;
}

/** Answers with files as base64 that are sent at the same time. */
const BASE64_ANSWERS = { perKey: 4, total: 32 };

const HEADERS_TIMEOUT_MS = 15_000;
/** Large enough for any path, so that our own error is sent instead of the router's. */
const MAX_PARAM_LENGTH = 16_384;

/** Compresses JSON only: media are compressed already, and the dashboard has compressed copies. */
const COMPRESSION_OPTIONS = {
  // Requests are refused instead: the library’s hook takes the bytes that endpoints read themselves.
  globalDecompression: false,
  threshold: 1024,
  customTypes: /^application\/json/,
  encodings: ['br', 'gzip'],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
} satisfies FastifyCompressOptions;

export async function createApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const { config } = deps;
  const logRefusal = createRefusalLog(deps);
  const app = createFastify(deps, logRefusal);
  addRequestContext(app);
  addSecurityHeaders(app, config);
  limitUnreadResponses(app, UNREAD_LIMITS);
  logRequests(app);
  refuseBadHeaders(app, logRefusal);
  closeUnusedConnections(app);
  if (config.allowedOrigins.length > 0) await app.register(fastifyCors, createCorsOptions(config.allowedOrigins));
  await app.register(fastifyCompress, COMPRESSION_OPTIONS);
  // Loads what `session-cookie.ts` reads and writes cookies with; nothing is parsed unless a request needs it.
  await app.register(fastifyCookie, { hook: false });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const isStopping = options.isStopping ?? (() => false);
  // The next request of this client then goes to a process that is not shutting down.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close');
    done();
  });
  const counting = { ...deps, rate_limit: createRateLimit(deps) };
  healthRoutes(app, counting, isStopping);
  if (options.metrics && config.metrics) metricsRoute(app, counting, config.metrics, options.metrics);
  const openUploads = createOpenUploads(deps);
  const samplePosters = createSamplePosters(createPainting(deps.media, 1));
  const credentialChecks = createCredentialChecks(deps);
  const shared = { guard: createSignInGuard(deps), openUploads, samplePosters, credentialChecks };
  const handlers = config.role === 'worker' ? {} : createHandlers(deps, shared);
  if (config.role !== 'worker') {
    mountEndpoints(app, counting, handlers);
    resumableRoutes(app, { ...counting, openUploads });
    mediaRoutes(app, deps);
    samplePosterRoutes(app, samplePosters);
    archiveRoutes(app, deps);
    sidecarRoutes(app, deps);
    sharePageRoutes(app, { ...deps, credentialChecks });
    verifyPageRoutes(app, { ...counting, credentialChecks });
    openApiRoute(app, counting, handlers);
    const slots = { wait_slots: createWaitSlots(), base64_turns: createTurns(BASE64_ANSWERS) };
    mcpRoute(app, counting, slots);
    for (const adapter of COMPAT_ADAPTERS) await mountCompatAdapter(app, { ...counting, openUploads }, slots, adapter);
  }
  const dashboard = config.role === 'worker' ? null : await options.dashboard?.(app);
  handleNotFound(app, handlers, dashboard ?? null);
  return app;
}

function createFastify({ config, log }: Deps, logRefusal: LogRefusal): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // The context of the request adds its id to each line, also to those of code that does not know the request.
    childLoggerFactory: (logger) => logger,
    trustProxy: (_address, hop) => hop < config.trustProxy,
    // Uploads are the slowest requests and enforce their own timeout.
    requestTimeout: (config.uploadTimeoutSeconds + 60) * 1000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // Requests that arrive during shutdown are served, then their connection is closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: (request) => escapeUndecodablePath(rewriteProxyUrl(request)),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, logRefusal),
    frameworkErrors(error, request, reply) {
      // Fastify runs no hooks for these errors.
      reply.raw.once('finish', () => logRequest(request, reply));
      void sendError(error, request, reply);
    },
  });
  // Endpoints read bodies after authentication.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return app;
}

/** Escapes a path that can't be decoded, so that it is handled like any other malformed id instead of by the router. */
function escapeUndecodablePath(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Headers and query strings contain keys and signatures, so they are not logged. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
}

/** The path of a share page contains its secret. */
function redactPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path.startsWith(SHARE_PATH) ? `${SHARE_PATH}…` : path.slice(0, 200);
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  completedRequests.publish({
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    duration_ms: reply.elapsedTime,
  });
  const line = {
    method: request.method,
    path: redactPath(request.url),
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime),
    key_id: request.caller?.key_id,
    request_id: request.id,
  };
  if (QUIET_ROUTES.has(request.routeOptions.url)) request.log.debug(line, 'request completed');
  else request.log.info(line, 'request completed');
}
