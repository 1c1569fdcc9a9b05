import { createHash } from 'node:crypto';

/**
 * The Content-Security-Policy of a page: its own files, and its inline parts by their hashes. Pictures of other servers
 * are not loaded: who looks at a generation is nobody else's business.
 * @param media_origins where media links lead: the service under its public name, perhaps the store behind it
 */
export function createContentPolicy(page: string, media_origins: readonly string[]): string {
  const own = ["'self'", ...media_origins].join(' ');
  const policy = {
    'default-src': "'none'",
    'script-src': ["'self'", ...hashInlineElements(page, 'script')].join(' '),
    'style-src': ["'self'", ...hashInlineElements(page, 'style')].join(' '),
    'img-src': `${own} blob: data:`,
    'media-src': `${own} blob: data:`,
    'connect-src': own,
    'font-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

function hashInlineElements(page: string, element: 'script' | 'style'): string[] {
  const inline = page.matchAll(new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>([^]*?)</${element}>`, 'g'));
  return [...inline].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
