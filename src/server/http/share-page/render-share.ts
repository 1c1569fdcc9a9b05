import type { MediaKind } from '#contract/task.ts';
import { SHARE_STYLE } from './share-style.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.toWellFormed().replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');

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
}

export interface SharePage {
  title: string | null;
  organizationName: string | null;
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
  const { items, isSingle, organizationName } = page;
  const title = page.title ?? (isSingle ? 'Shared file' : 'Shared files');
  const heading = [
    `<h1>${escape(title)}</h1>`,
    organizationName === null ? '' : `<p>Shared by ${escape(organizationName)}</p>`,
  ].join('');
  const list =
    items.length === 0
      ? '<p>There is nothing here yet.</p>'
      : `<ul${isSingle ? ' class="one"' : ''}>${items.map((item, at) => renderItem(item, at, isSingle)).join('')}</ul>`;
  const turns = [
    page.previousPath === null ? '' : `<a href="${escape(page.previousPath)}">Newer</a>`,
    page.nextPath === null ? '' : `<a href="${escape(page.nextPath)}">Older</a>`,
  ].join('');
  return renderDocument(
    title,
    renderPreviewTags(page, title),
    `<main><header>${heading}</header>${list}${turns ? `<nav aria-label="Pages">${turns}</nav>` : ''}</main>`,
  );
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
    .map(([property, content]) => `<meta property="${property}" content="${escape(content)}">`)
    .join('');
}

function renderItem(item: SharedItem, at: number, isSingle: boolean): string {
  const name = isSingle ? KINDS[item.type] : `${KINDS[item.type]} ${at + 1}`;
  const download =
    item.originalPath === null
      ? ''
      : `<a href="${escape(item.originalPath)}?download=1" download aria-label="Download ${escape(name)}">Download</a>`;
  const prompt = item.prompt === null ? '' : `<p dir="auto">${escape(item.prompt)}</p>`;
  const caption = prompt || download ? `<figcaption>${prompt}${download}</figcaption>` : '';
  return `<li><figure>${renderMedium(item, name, isSingle)}${caption}</figure></li>`;
}

function renderMedium(item: SharedItem, name: string, isSingle: boolean): string {
  const { type, thumbnails, previewPath, originalPath } = item;
  const size = item.width && item.height ? ` width="${item.width}" height="${item.height}"` : '';
  if (type === 'audio') {
    return originalPath === null
      ? '<p class="empty">This sound can’t be played here.</p>'
      : `<audio controls preload="none" src="${escape(originalPath)}" aria-label="${escape(name)}"></audio>`;
  }
  const picture = thumbnails.at(-1)?.path ?? (type === 'image' ? originalPath : null);
  if (type === 'video') {
    const source = originalPath ?? previewPath;
    if (source === null) return NO_PREVIEW;
    const poster = picture === null ? '' : ` poster="${escape(picture)}"`;
    const looped = originalPath === null ? ' muted loop' : '';
    return `<video controls playsinline preload="none"${looped}${poster}${size} src="${escape(source)}" aria-label="${escape(name)}"></video>`;
  }
  if (picture === null) return NO_PREVIEW;
  const set = thumbnails.map(({ path, width }) => `${path} ${width}w`).join(', ');
  const sizes = isSingle ? '(min-width: 80rem) 78rem, 100vw' : '(min-width: 40rem) 20rem, 100vw';
  const sources = set ? ` srcset="${escape(set)}" sizes="${sizes}"` : '';
  const image = `<img src="${escape(picture)}"${sources}${size} alt="${escape(item.prompt ?? name)}" loading="${isSingle ? 'eager' : 'lazy'}">`;
  return originalPath === null ? image : `<a href="${escape(originalPath)}">${image}</a>`;
}

const NO_PREVIEW = '<p class="empty">The preview is not ready yet.</p>';

const renderDocument = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer"><title>${escape(title)}</title>${head}<style>${SHARE_STYLE}</style></head><body>${body}</body></html>`;

const renderMessage = (title: string, text: string): string =>
  renderDocument(title, '', `<main class="center"><h1>${title}</h1><p>${text}</p></main>`);

/** The same for every link that opens nothing, whatever the reason. */
export const SHARE_MISSING_PAGE = renderMessage(
  'This link opens nothing',
  'It is not complete, has expired, or was ended by the person who shared it.',
);

export const SHARE_BUSY_PAGE = renderMessage('Too many requests', 'Wait a minute, then load the page again.');
