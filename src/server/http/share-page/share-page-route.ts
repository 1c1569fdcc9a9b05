import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHARE_PATH } from '#contract/limits.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { StoredMedia } from '#server/studio/assets/find-stored-media.ts';
import { fileExtension } from '#server/platform/core/file-names.ts';
import { countView, findOpenShare, findSharedFile } from '#server/studio/library/shares/open-share.ts';
import { readSidecar, SIDECAR_MIME_TYPE } from '#server/studio/assets/sidecars.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { manifestLink } from '#server/http/manifest-link.ts';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { credentialsPolicy } from '#server/http/credentials-page/credentials-style.ts';
import { renderItemCredentials } from '#server/http/credentials-page/render-page.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { VerifyDeps } from '#server/studio/credentials/verify-upload.ts';
import { readSharedCredentials } from '#server/studio/library/shares/shared-credentials.ts';
import { parseRange } from '#server/http/range.ts';
import { AnswerProblem } from '#server/studio/library/shares/answer-share.ts';
import { LOGO_MIME_TYPE } from '#server/studio/library/shares/logo.ts';
import { isSameOrigin } from '#server/http/authenticate.ts';
import { serializeShareCookie } from '#server/http/session-cookie.ts';
import { createAnswerForm } from './answer-form.ts';
import { readForm } from './read-form.ts';
import { asks, LOGO, openPage, renderPage } from './open-page.ts';
import { SHARE_BUSY_PAGE, SHARE_FOREIGN_PAGE, SHARE_MISSING_PAGE, SHARE_UNCHECKED_PAGE } from './render-share.ts';
import { sharePolicy } from './share-style.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { networkPrefix } from '#server/http/rate-limit.ts';

/** Until a queue of checks has moved on. */
const RETRY_AFTER_SECONDS = 15;
const HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' };
/** In place of the name of a derivative: the manifest of content credentials beside the original. */
const SIDECAR = 'c2pa';
const GET_OR_HEAD = ['GET', 'HEAD'];

/** Serves `/s/<token>`, a page without script for anyone who has the link, and its files. Decision: Share pages */
export function sharePageRoutes(app: FastifyInstance, deps: VerifyDeps): void {
  const count = createShareLimit(deps);
  const answer = createAnswerForm(deps);
  app.route<{ Params: { token: string }; Querystring: Record<string, unknown> }>({
    method: GET_OR_HEAD,
    url: `${SHARE_PATH}:token`,
    handler: async (request, reply) => {
      if (!(await isAllowed(count, request, reply))) return sendPage(reply, SHARE_BUSY_PAGE);
      const page = await openPage(deps, request, parsePageNumber(request.query['page']));
      if (!page) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
      if (request.method === 'GET' && request.query['page'] === undefined) await countView(deps, page.share);
      return sendPage(reply, await renderPage(deps, page), asks(page));
    },
  });
  app.route<{ Params: { token: string } }>({
    method: 'POST',
    url: `${SHARE_PATH}:token`,
    handler: async (request, reply) => {
      if (!(await isAllowed(count, request, reply))) return sendPage(reply, SHARE_BUSY_PAGE);
      const form = await readForm(request.raw);
      const page = await openPage(deps, request, parsePageNumber(form?.get('page')));
      if (!page) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
      if (form === null || !isSameOrigin(deps.config, request)) return sendPage(reply.code(403), SHARE_FOREIGN_PAGE);
      try {
        const { cookie } = await answer(page, request.ip, form);
        if (cookie !== undefined) reply.header('set-cookie', serializeShareCookie(deps.config, page.path, cookie));
        const at = /^\d{1,2}$/.exec(form.get('at') ?? '');
        return reply.headers(HEADERS).redirect(`${page.path}?page=${page.number}${at ? `#f${at[0]}` : ''}`, 303);
      } catch (error) {
        if (!(error instanceof AnswerProblem)) throw error;
        return sendPage(
          reply.code(422),
          await renderPage(deps, page, { ...error, message: error.message, form }),
          asks(page),
        );
      }
    },
  });
  app.route<{ Params: { token: string; item: string }; Querystring: Record<string, unknown> }>({
    method: GET_OR_HEAD,
    url: `${SHARE_PATH}:token/:item`,
    handler: async (request, reply) => {
      if (!(await isAllowed(count, request, reply))) return sendPage(reply, SHARE_BUSY_PAGE);
      return sendFile(deps, request, reply);
    },
  });
  app.route<{ Params: { token: string; item: string } }>({
    method: 'GET',
    url: `${SHARE_PATH}:token/:item/credentials`,
    handler: async (request, reply) => {
      if (!(await isAllowed(count, request, reply))) return sendPage(reply, SHARE_BUSY_PAGE);
      return sendCredentials(deps, request, reply);
    },
  });
  app.route({
    method: GET_OR_HEAD,
    url: `${SHARE_PATH}*`,
    handler: (_request, reply) => sendPage(reply.code(404), SHARE_MISSING_PAGE),
  });
}

const parsePageNumber = (page: unknown): number =>
  typeof page === 'string' && /^[1-9]\d?$/.test(page) ? Number(page) : 1;

async function isAllowed(
  count: (address: string) => Promise<void>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  try {
    await count(request.ip);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reply.code(429).header('retry-after', String(Math.ceil(error.retry_after_seconds ?? 60)));
    return false;
  }
}

const sendPage = (reply: FastifyReply, html: string, asks = false, policy = sharePolicy(asks)): FastifyReply =>
  reply
    .headers({ ...HEADERS, 'content-security-policy': policy })
    .headers(asks ? { 'referrer-policy': 'same-origin' } : {})
    .type('text/html; charset=utf-8')
    .send(html);

async function sendCredentials(
  deps: VerifyDeps,
  request: FastifyRequest<{ Params: { token: string; item: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { token, item } = request.params;
  const share = await findOpenShare(deps, token);
  try {
    const report = share && (await readSharedCredentials(deps, share, item, disconnectSignal(reply)));
    if (!report) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
    const page = renderItemCredentials(`${SHARE_PATH}${token}`, report);
    return sendPage(reply, page, false, credentialsPolicy(false));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found')
      return sendPage(reply.code(404), SHARE_MISSING_PAGE);
    if (error instanceof ApiError && error.status === 429) return sendPage(reply.code(429), SHARE_BUSY_PAGE);
    if (error instanceof ApiError || error instanceof MediaError)
      return sendPage(reply.code(503).header('retry-after', String(RETRY_AFTER_SECONDS)), SHARE_UNCHECKED_PAGE);
    throw error;
  }
}

/** Sends the bytes itself: a link to the store would outlive the share and name its key. */
async function sendFile(
  deps: Deps,
  request: FastifyRequest<{ Params: { token: string; item: string }; Querystring: Record<string, unknown> }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { as = null, download } = request.query;
  const share = await findOpenShare(deps, request.params.token);
  if (share?.logoKey && request.params.item === LOGO) return sendLogo(deps, reply, share.logoKey);
  const variant = as === SIDECAR || as === null ? null : typeof as === 'string' ? as : '';
  const file = share && (await findSharedFile(deps, share, request.params.item, variant));
  if (!share || !file) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
  if (as === SIDECAR) return sendSidecar(deps, reply, file);
  const { size_bytes, storage_key, mime_type } = file;
  // Without validators: a hash or a date would say more about the file than the page does.
  const range = parseRange(request.headers, { size_bytes, etag: '', 'last-modified': '' });
  if (range === 'unsatisfiable')
    return reply.code(416).headers(HEADERS).header('content-range', `bytes */${size_bytes}`).send();
  const bytes = await openFile(deps, storage_key, range, request.method === 'HEAD');
  if (bytes === 'missing') return sendPage(reply.code(404), SHARE_MISSING_PAGE);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size_bytes}`);
  const kind = download === '1' && variant === null ? 'attachment' : 'inline';
  reply.headers({
    ...HEADERS,
    'content-type': mime_type,
    'content-length': range ? range.end - range.start + 1 : size_bytes,
    'content-disposition': `${kind}; filename="shared${fileExtension(storage_key)}"`,
    'accept-ranges': 'bytes',
    'content-security-policy': "sandbox; default-src 'none'",
    ...(file.hasSidecar
      ? manifestLink(`${SHARE_PATH}${request.params.token}/${request.params.item}?as=${SIDECAR}`)
      : {}),
  });
  return reply.send(bytes ?? undefined);
}

async function sendSidecar(deps: Deps, reply: FastifyReply, { id }: StoredMedia): Promise<FastifyReply> {
  const manifest = await readSidecar(deps.db, id);
  if (!manifest) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
  const headers = {
    'content-type': SIDECAR_MIME_TYPE,
    'content-disposition': 'attachment; filename="shared.c2pa"',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  return reply.headers({ ...HEADERS, ...headers }).send(manifest);
}

async function sendLogo(deps: Deps, reply: FastifyReply, storageKey: string): Promise<FastifyReply> {
  const bytes = await openFile(deps, storageKey, null, false);
  if (bytes === 'missing') return sendPage(reply.code(404), SHARE_MISSING_PAGE);
  const type = { 'content-type': LOGO_MIME_TYPE, 'content-security-policy': "sandbox; default-src 'none'" };
  return reply.headers({ ...HEADERS, ...type }).send(bytes ?? undefined);
}

async function openFile(
  { storage }: Deps,
  storageKey: string,
  range: { start: number; end: number } | null,
  onlyHead: boolean,
) {
  if (onlyHead) return (await storage.stat(storageKey)) ? null : 'missing';
  try {
    return await storage.read(storageKey, range ?? {});
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return 'missing';
    throw error;
  }
}

const WINDOW_SECONDS = 60;
/** Visitors at the limit that are served at the same time. */
const VISITORS = 20;

/** Counts requests for share pages by address and in total, apart from all others. Decision: Share pages */
function createShareLimit(deps: Deps) {
  const { publicRateLimitPerMinute: points } = deps.config;
  const createLimit = (name: string, factor: number) =>
    createRateLimiter(deps, { name, points: points * factor, window_seconds: WINDOW_SECONDS });
  const addresses = createLimit('share', 1);
  const total = createLimit('shares', VISITORS);
  return async (address: string): Promise<void> => {
    // An address over its limit uses up nothing of the others.
    await consumeRateLimit(addresses, networkPrefix(address));
    await consumeRateLimit(total, 'all');
  };
}
