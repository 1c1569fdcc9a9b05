import type { FastifyRequest } from 'fastify';
import type { ShareVersion } from '#contract/resources/share.ts';
import { SHARE_PATH } from '#contract/limits.ts';
import { readShareCookie } from '#server/http/session-cookie.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { MediaRow } from '#server/studio/library/media-rows.ts';
import {
  type AnswerProblem,
  findClient,
  readOwnAnswers,
  type ShareClient,
} from '#server/studio/library/shares/answer-share.ts';
import {
  findOpenShare,
  listCredentials,
  listSharedMedia,
  listVariants,
  type OpenShare,
  sealItem,
} from '#server/studio/library/shares/open-share.ts';
import { renderSharePage, type SharedItem } from './render-share.ts';

const ITEMS_PER_PAGE = 60;
/** In place of the link of a file, which is longer. */
export const LOGO = 'logo';

/** A part of a share page, with who looks at it. */
export interface OpenPage {
  share: OpenShare;
  /** Up to one row more than the page shows. */
  rows: readonly MediaRow[];
  path: string;
  number: number;
  client: ShareClient | null;
}

export const asks = ({ share }: OpenPage): boolean => share.row.asks_for !== null;

/** @returns null for a link that opens nothing */
export async function openPage(
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

/** Its number among the versions of one file, from 1. */
function findVersion(versions: readonly ShareVersion[], mediaId: string): SharedItem['version'] {
  const isNewest = versions.every(({ replaces }) => replaces !== mediaId);
  let number = 1;
  let current = mediaId;
  for (;;) {
    const older = versions.find((each) => each.media_id === current);
    if (older === undefined) break;
    current = older.replaces;
    number += 1;
  }
  return number === 1 && isNewest ? null : { number, isNewest };
}

interface FailedForm extends Pick<AnswerProblem, 'field' | 'message'> {
  form: URLSearchParams;
}

export async function renderPage(deps: Deps, page: OpenPage, failed?: FailedForm): Promise<string> {
  const { share, rows, path, number, client } = page;
  const { row: shared, organizationName, logoKey } = share;
  const media = rows.slice(0, ITEMS_PER_PAGE);
  const variants = await listVariants(deps.db, media);
  const credentials = await listCredentials(deps.db, media);
  const answers = client && shared.asks_for ? await readOwnAnswers(deps, share, client) : null;
  const failedId = failed && deps.secrets.decrypt('share-item', shared.id, failed.form.get('item') ?? '');
  const replaced = new Set(shared.versions.map(({ replaces }) => replaces));
  const problem =
    failed && (failed.field === 'name' || failed.field === 'code')
      ? { field: failed.field, message: failed.message, name: failed.form.get('name') ?? '' }
      : null;
  const present = (row: MediaRow): SharedItem => {
    const sealed = sealItem(deps, share, row.id);
    const itemPath = `${path}/${sealed}`;
    const names = variants.get(row.storage_key) ?? new Set();
    const answer = answers?.get(row.id);
    const ai = credentials.get(row.id);
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
      credentials: ai === undefined ? null : { ai, path: `${itemPath}/credentials` },
      version: findVersion(shared.versions, row.id),
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
      asking: media.flatMap(({ id }, at) => (replaced.has(id) ? [] : [{ at, isAnswered: answers?.has(id) ?? false }])),
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
