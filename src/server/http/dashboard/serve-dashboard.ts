import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FallbackHandler } from '#server/http/not-found.ts';
import { createHash } from 'node:crypto';

const IMMUTABLE_CACHE = { maxAge: '1y', immutable: true };
const HASHED_ASSET_PATTERN = /^assets\//;

/**
 * Serves a built dashboard: its files, and its page for every other address requested as HTML.
 * @param folder output of `vite build` with compressed copies
 * @param mediaOrigins origins of media links
 */
export async function serveDashboard(
  app: FastifyInstance,
  folder: string,
  mediaOrigins: readonly string[],
): Promise<FallbackHandler> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const files = new Set(await listFiles(folder));
  const policy = createContentPolicy(page, mediaOrigins);
  await app.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });

  const sendPage = (reply: FastifyReply): true => {
    reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
    return true;
  };
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = (request.url.split('?')[0] ?? '').slice(1);
    const isPage = file === '' || file === 'index.html';
    if (!isPage && !files.has(file) && !request.headers.accept?.includes('text/html')) return false;
    reply.header('content-security-policy', policy);
    if (isPage || !files.has(file)) return sendPage(reply);
    reply.sendFile(file, HASHED_ASSET_PATTERN.test(file) ? IMMUTABLE_CACHE : { maxAge: '1h' });
    return true;
  };
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')));
}

/**
 * Builds the Content-Security-Policy of a page: its own files, and its inline parts by their hashes. Images of other
 * servers are not loaded, so that nobody else learns who looks at a generation.
 * @param mediaOrigins origins of media links: the service under its public name, perhaps the store behind it
 */
function createContentPolicy(page: string, mediaOrigins: readonly string[]): string {
  const own = ["'self'", ...mediaOrigins].join(' ');
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
