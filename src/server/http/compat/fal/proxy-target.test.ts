import { expect, it } from 'vitest';
import { rewriteProxyUrl } from './proxy-target.ts';

const rewrite = (target: string, url = '/compat/fal') =>
  rewriteProxyUrl({ url, headers: { 'x-fal-target-url': target } });

it.each([
  ['https://queue.fal.run/fal-ai/flux/dev?fal_webhook=x', '/compat/fal/queue/fal-ai/flux/dev?fal_webhook=x'],
  ['https://fal.run/fal-ai/flux', '/compat/fal/run/fal-ai/flux'],
  ['https://rest.fal.ai/storage/upload/initiate', '/compat/fal/storage/upload/initiate'],
  ['https://rest.alpha.fal.ai/storage/upload/initiate', '/compat/fal/storage/upload/initiate'],
  ['https://queue.fal.run/../../../v1/generations', '/compat/fal/queue/v1/generations'],
  ['https://queue.fal.run/%2e%2e/%2E%2E/v1', '/compat/fal/queue/v1'],
])('serves %s at %s', (target, path) => expect(rewrite(target)).toBe(path));

it.each([
  'https://example.com/a/b',
  'https://queue.fal.run.example.com/a/b',
  'https://queue.fal.run:444/a/b',
  'https://me:secret@queue.fal.run/a/b',
  'http://queue.fal.run/a/b',
  'https://constructor/a/b',
  'queue.fal.run/a/b',
  '',
])('leaves a request to “%s” at the prefix, which refuses it', (target) => expect(rewrite(target)).toBe('/compat/fal'));

it.each(['/v1/generations', '/compat/fal/', '/compat/fal?x=1', '/compat/fal/queue/a/b'])(
  'ignores the header at %s',
  (url) => expect(rewrite('https://fal.run/a/b', url)).toBe(url),
);
