import type { AiLabel } from '#contract/resources/credentials.ts';
import type { MediaKind } from '#contract/task.ts';
import { escapeHtml } from './escape-html.ts';
import { renderAiLabel } from '#server/http/credentials-page/render-report.ts';
import { renderDocument, VERIFY_LINK } from './render-document.ts';
import { type AskedItem, renderAnswerForm, renderEntry, renderOldAnswer, type ShareAsk } from './render-answers.ts';
import { SHARE_STYLE } from './share-style.ts';

/** A file on a share page, with paths that end with the share. */
export interface SharedItem {
  type: MediaKind;
  width: number | null;
  height: number | null;
  prompt: string | null;
  /** By width; empty while there are none. */
  thumbnails: { path: string; width: number }[];
  previewPath: string | null;
  /** null: the share has no downloads. */
  originalPath: string | null;
  /** null: the file is known to have none. */
  credentials: { ai: AiLabel | null; path: string } | null;
  /** null: nothing replaces it, and it replaces nothing. */
  version: { number: number; isNewest: boolean } | null;
  /** null: the page asks for nothing, or does not know who answers. */
  asked: AskedItem | null;
}

export interface SharePage {
  title: string | null;
  organizationName: string | null;
  logoPath: string | null;
  /** null: it asks for nothing. */
  ask: ShareAsk | null;
  /** Why something was not saved. */
  notice: string | null;
  /** Origin of the service, for links of previews in messages. */
  origin: string;
  items: readonly SharedItem[];
  isSingle: boolean;
  /** Paths of the neighboring parts of a long collection. */
  previousPath: string | null;
  nextPath: string | null;
}

const KINDS = { image: 'Image', video: 'Video', audio: 'Audio' } as const satisfies Record<MediaKind, string>;

export function renderSharePage(page: SharePage): string {
  const { items, isSingle, organizationName, logoPath, ask, notice } = page;
  const title = page.title ?? (isSingle ? 'Shared file' : 'Shared files');
  const logo = logoPath === null ? '' : `<img class="logo" src="${escapeHtml(logoPath)}" alt="">`;
  const sender = organizationName === null ? '' : `<p class="by">${logo}Shared by ${escapeHtml(organizationName)}</p>`;
  const list =
    items.length === 0
      ? '<p>There is nothing here yet.</p>'
      : `<ul${isSingle ? ' class="one"' : ''}>${items.map((item, at) => renderItem(page, item, at)).join('')}</ul>`;
  const turns = [
    page.previousPath === null ? '' : `<a href="${escapeHtml(page.previousPath)}">Newer</a>`,
    page.nextPath === null ? '' : `<a href="${escapeHtml(page.nextPath)}">Older</a>`,
  ].join('');
  const parts = [
    `<header>${sender}<h1>${escapeHtml(title)}</h1></header>`,
    notice === null ? '' : `<p class="notice" role="alert">${escapeHtml(notice)}</p>`,
    ask === null ? '' : renderEntry(ask),
    list,
    turns ? `<nav aria-label="Pages">${turns}</nav>` : '',
    VERIFY_LINK,
  ];
  // Without a referrer, browsers would send no origin with a form either.
  const referrer = ask === null ? 'no-referrer' : 'same-origin';
  const head = renderPreviewTags(page, title);
  return renderDocument({ title, style: SHARE_STYLE, head, body: `<main>${parts.join('')}</main>`, referrer });
}

/** For links in messages. */
function renderPreviewTags({ items, origin, organizationName }: SharePage, title: string): string {
  const picture = items.find(({ thumbnails }) => thumbnails.length > 0)?.thumbnails.at(-1);
  const tags = {
    'og:type': 'website',
    'og:title': title,
    ...(organizationName === null ? {} : { 'og:site_name': organizationName }),
    ...(picture === undefined ? {} : { 'og:image': `${origin}${picture.path}`, 'twitter:card': 'summary_large_image' }),
  };
  return Object.entries(tags)
    .map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`)
    .join('');
}

function renderItem({ ask, isSingle }: SharePage, item: SharedItem, at: number): string {
  const name = isSingle ? KINDS[item.type] : `${KINDS[item.type]} ${at + 1}`;
  const download =
    item.originalPath === null
      ? ''
      : `<a href="${escapeHtml(item.originalPath)}?download=1" download aria-label="Download ${escapeHtml(name)}">Download</a>`;
  const prompt = item.prompt === null ? '' : `<p dir="auto">${escapeHtml(item.prompt)}</p>`;
  const credentials = item.credentials === null ? '' : renderCredentialsLink(item.credentials, name);
  const caption =
    prompt || credentials || download ? `<figcaption>${prompt}${credentials}${download}</figcaption>` : '';
  const { asked, version } = item;
  const isOld = version !== null && !version.isNewest;
  const form = !ask || !asked ? '' : isOld ? renderOldAnswer(asked) : renderAnswerForm(ask, asked, { at, name });
  const label =
    version === null
      ? ''
      : `<p class="version${isOld ? ' old' : ''}">Version ${version.number}${isOld ? '' : ' · newest'}</p>`;
  return `<li>${label}<figure>${renderMedium(item, name, isSingle)}${caption}</figure>${form}</li>`;
}

const renderCredentialsLink = ({ ai, path }: { ai: AiLabel | null; path: string }, name: string): string =>
  `<a href="${escapeHtml(path)}">${ai === null ? 'Content credentials' : renderAiLabel(ai)}<span class="hidden"> ${ai === null ? '' : ', content credentials '}of ${escapeHtml(name)}</span></a>`;

function renderMedium(item: SharedItem, name: string, isSingle: boolean): string {
  const { type, thumbnails, previewPath, originalPath } = item;
  const size = item.width && item.height ? ` width="${item.width}" height="${item.height}"` : '';
  if (type === 'audio') {
    return originalPath === null
      ? '<p class="empty">This sound can’t be played here.</p>'
      : `<audio controls preload="none" src="${escapeHtml(originalPath)}" aria-label="${escapeHtml(name)}"></audio>`;
  }
  const picture = thumbnails.at(-1)?.path ?? (type === 'image' ? originalPath : null);
  if (type === 'video') {
    const source = originalPath ?? previewPath;
    if (source === null) return NO_PREVIEW;
    const poster = picture === null ? '' : ` poster="${escapeHtml(picture)}"`;
    const looped = originalPath === null ? ' muted loop' : '';
    return `<video controls playsinline preload="none"${looped}${poster}${size} src="${escapeHtml(source)}" aria-label="${escapeHtml(name)}"></video>`;
  }
  if (picture === null) return NO_PREVIEW;
  const set = thumbnails.map(({ path, width }) => `${path} ${width}w`).join(', ');
  const sizes = isSingle ? '(min-width: 80rem) 78rem, 100vw' : '(min-width: 40rem) 20rem, 100vw';
  const sources = set ? ` srcset="${escapeHtml(set)}" sizes="${sizes}"` : '';
  const image = `<img src="${escapeHtml(picture)}"${sources}${size} alt="${escapeHtml(item.prompt ?? name)}" loading="${isSingle ? 'eager' : 'lazy'}">`;
  return originalPath === null ? image : `<a href="${escapeHtml(originalPath)}">${image}</a>`;
}

const NO_PREVIEW = '<p class="empty">The preview is not ready yet.</p>';

const renderMessage = (title: string, text: string): string =>
  renderDocument({
    title,
    style: SHARE_STYLE,
    body: `<main class="center"><h1>${title}</h1><p>${text}</p></main>`,
  });

/** The same for every link that opens nothing, whatever the reason. */
export const SHARE_MISSING_PAGE = renderMessage(
  'This link opens nothing',
  'It is not complete, has expired, or was ended by the person who shared it.',
);

export const SHARE_BUSY_PAGE = renderMessage('Too many requests', 'Wait a minute, then load the page again.');

export const SHARE_FOREIGN_PAGE = renderMessage(
  'Nothing was saved',
  'This form was not sent by the page itself. Open the link again and answer there.',
);

export const SHARE_UNCHECKED_PAGE = renderMessage(
  'This file can’t be checked right now',
  'Wait a moment, then load the page again.',
);
