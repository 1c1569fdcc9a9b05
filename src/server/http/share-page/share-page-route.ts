import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SHARE_PATH } from '#contract/limits.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { fileExtension } from '#server/platform/core/file-names.ts';
import {
  countView,
  findOpenShare,
  findSharedFile,
  listSharedMedia,
  listVariants,
  type OpenShare,
  sealItem,
} from '#server/studio/library/shares/open-share.ts';
import type { MediaRow } from '#server/studio/library/media-rows.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { parseRange } from '#server/http/range.ts';
import {
  AnswerProblem,
  findClient,
  readOwnAnswers,
  type ShareClient,
} from '#server/studio/library/shares/answer-share.ts';
import { LOGO_MIME_TYPE } from '#server/studio/library/shares/logo.ts';
import { isSameOrigin } from '#server/http/authenticate.ts';
import { readShareCookie, serializeShareCookie } from '#server/http/session-cookie.ts';
import { createAnswerForm } from './answer-form.ts';
import { readForm } from './read-form.ts';
import {
  renderSharePage,
  SHARE_BUSY_PAGE,
  SHARE_FOREIGN_PAGE,
  SHARE_MISSING_PAGE,
  type SharedItem,
} from './render-share.ts';
import { sharePolicy } from './share-style.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { networkPrefix } from '#server/http/rate-limit.ts';

const ITEMS_PER_PAGE = 60;
const HEADERS = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' };
const GET_OR_HEAD = ['GET', 'HEAD'];
/** In place of the link of a file, which is longer. */
const LOGO = 'logo';

/** Serves `/s/<token>`, a page without script for anyone who has the link, and its files. Decision: Share pages */
export function sharePageRoutes(app: FastifyInstance, deps: Deps): void {
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
        const { cookie } = await answer(page.share, request, form);
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

const sendPage = (reply: FastifyReply, html: string, asks = false): FastifyReply =>
  reply
    .headers({ ...HEADERS, 'content-security-policy': sharePolicy(asks) })
    .headers(asks ? { 'referrer-policy': 'same-origin' } : {})
    .type('text/html; charset=utf-8')
    .send(html);

interface OpenPage {
  share: OpenShare;
  /** Up to one row more than the page shows. */
  rows: readonly MediaRow[];
  path: string;
  number: number;
  client: ShareClient | null;
}

const asks = ({ share }: OpenPage): boolean => share.row.asks_for !== null;

/** @returns null for a link that opens nothing */
async function openPage(
  deps: Deps,
  request: FastifyRequest<{ Params: { token: string } }>,
  number: number,
): Promise<OpenPage | null> {
  const { token } = request.params;
  const share = await findOpenShare(deps, token);
  const offset = (number - 1) * ITEMS_PER_PAGE;
  const rows = share && (await listSharedMedia(deps.db, share, { limit: ITEMS_PER_PAGE + 1, offset }));
  if (!share || !rows) return null;
  const client = findClient(deps, share, readShareCookie(request.headers) ?? '', request.ip);
  return { share, rows, path: `${SHARE_PATH}${token}`, number, client };
}

interface FailedForm extends Pick<AnswerProblem, 'field' | 'message'> {
  form: URLSearchParams;
}

async function renderPage(deps: Deps, page: OpenPage, failed?: FailedForm): Promise<string> {
  const { share, rows, path, number, client } = page;
  const { row: shared, organizationName, logoKey } = share;
  const media = rows.slice(0, ITEMS_PER_PAGE);
  const variants = await listVariants(deps.db, media);
  const answers = client && shared.asks_for ? await readOwnAnswers(deps, share, client) : null;
  const failedId = failed && deps.secrets.decrypt('share-item', shared.id, failed.form.get('item') ?? '');
  const problem =
    failed && (failed.field === 'name' || failed.field === 'code')
      ? { field: failed.field, message: failed.message, name: failed.form.get('name') ?? '' }
      : null;
  const present = (row: MediaRow): SharedItem => {
    const sealed = sealItem(deps, share, row.id);
    const itemPath = `${path}/${sealed}`;
    const names = variants.get(row.storage_key) ?? new Set();
    const answer = answers?.get(row.id);
    const typed = row.id === failedId ? failed?.form.get('comment') : undefined;
    return {
      type: row.type,
      width: row.width,
      height: row.height,
      prompt: shared.shows_prompts ? (row.generation?.prompt ?? null) : null,
      thumbnails: [320, 960]
        .filter((width) => names.has(`thumbnail-${width}`))
        .map((width) => ({ path: `${itemPath}?as=thumbnail-${width}`, width })),
      previewPath: names.has('preview') ? `${itemPath}?as=preview` : null,
      originalPath: shared.allows_downloads ? itemPath : null,
      asked: answers && {
        sealed,
        verdict: answer?.verdict ?? null,
        comment: typed ?? answer?.comment ?? '',
        problem: row.id === failedId && failed?.field === 'comment' ? failed.message : null,
      },
    };
  };
  return renderSharePage({
    title: shared.title,
    organizationName,
    logoPath: logoKey === null ? null : `${path}/${LOGO}`,
    ask: shared.asks_for && {
      request: shared.asks_for,
      path,
      page: number,
      hasCode: shared.code_hash !== null,
      clientName: client?.name ?? null,
      problem,
    },
    notice: failed?.field === null ? failed.message : null,
    origin: deps.config.publicUrl,
    items: media.map(present),
    isSingle: shared.media_ids?.length === 1,
    previousPath: number > 1 ? `${path}?page=${number - 1}` : null,
    nextPath: rows.length > ITEMS_PER_PAGE ? `${path}?page=${number + 1}` : null,
  });
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
  const variant = typeof as === 'string' || as === null ? as : '';
  const file = share && (await findSharedFile(deps, share, request.params.item, variant));
  if (!share || !file) return sendPage(reply.code(404), SHARE_MISSING_PAGE);
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
  });
  return reply.send(bytes ?? undefined);
}

async function sendLogo(deps: Deps, reply: FastifyReply, storage_key: string): Promise<FastifyReply> {
  const bytes = await openFile(deps, storage_key, null, false);
  if (bytes === 'missing') return sendPage(reply.code(404), SHARE_MISSING_PAGE);
  const type = { 'content-type': LOGO_MIME_TYPE, 'content-security-policy': "sandbox; default-src 'none'" };
  return reply.headers({ ...HEADERS, ...type }).send(bytes ?? undefined);
}

async function openFile(
  { storage }: Deps,
  storage_key: string,
  range: { start: number; end: number } | null,
  onlyHead: boolean,
) {
  if (onlyHead) return (await storage.stat(storage_key)) ? null : 'missing';
  try {
    return await storage.read(storage_key, range ?? {});
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
