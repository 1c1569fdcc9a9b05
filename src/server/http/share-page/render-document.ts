import { VERIFY_PATH } from '#contract/limits.ts';
import { escapeHtml } from './escape-html.ts';

interface PageDocument {
  title: string;
  style: string;
  /** Tags in the head besides those of every page. */
  head?: string;
  body: string;
  referrer?: 'no-referrer' | 'same-origin';
}

/** Renders a public page, which has no script. */
export const renderDocument = ({ title, style, head = '', body, referrer = 'no-referrer' }: PageDocument): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex, nofollow"><meta name="referrer" content="${referrer}"><title>${escapeHtml(title)}</title>${head}<style>${style}</style></head><body>${body}</body></html>`;

export const VERIFY_LINK = `<footer><a href="${VERIFY_PATH}">Check the content credentials of a file</a></footer>`;
