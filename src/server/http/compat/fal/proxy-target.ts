import type { IncomingMessage } from 'node:http';

export const FAL_PREFIX = '/compat/fal';
export const REQUEST_ID_HEADER = 'x-fal-request-id';
/** Where fal’s client would send a request itself. It is parsed, never fetched. */
const TARGET_HEADER = 'x-fal-target-url';

/** For browsers of other origins. */
export const FAL_CORS = {
  allowed: [
    TARGET_HEADER,
    'x-fal-queue-priority',
    'x-fal-runner-hint',
    'x-fal-request-timeout',
    'x-fal-no-retry',
    'x-fal-object-lifecycle-preference',
    'x-fal-object-lifecycle',
  ],
  exposed: [REQUEST_ID_HEADER, 'x-fal-request-timeout-type'],
};

const FOLDERS: Readonly<Record<string, string>> = {
  'queue.fal.run': '/queue',
  'fal.run': '/run',
  'rest.fal.ai': '',
  'rest.alpha.fal.ai': '',
};

/**
 * Returns the path that serves a request of fal’s client, whose `proxyUrl` is the prefix alone. Other requests keep
 * theirs, and so do those to other hosts, which the prefix alone refuses.
 */
export function rewriteProxyUrl({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const header = headers[TARGET_HEADER];
  if (url !== FAL_PREFIX || typeof header !== 'string') return url;
  const target = URL.parse(header);
  if (target?.protocol !== 'https:' || target.username !== '' || target.password !== '') return url;
  const folder = Object.hasOwn(FOLDERS, target.host) ? FOLDERS[target.host] : undefined;
  return folder === undefined ? url : `${FAL_PREFIX}${folder}${target.pathname}${target.search}`;
}
