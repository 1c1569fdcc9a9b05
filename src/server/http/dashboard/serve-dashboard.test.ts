import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { serveDashboard } from './serve-dashboard.ts';

const THEME = "document.documentElement.dataset.theme = 'dark';";
const STYLE = 'body{margin:0}';
const PAGE = `<!doctype html><title>Studio</title><style>${STYLE}</style><script>${THEME}</script>
<script type="module" crossorigin src="/assets/main-abc.js"></script><div id="root"></div>`;
const SCRIPT = 'console.log("a script that is long enough to be worth compressing")';
const html = { accept: 'text/html,*/*' };

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets/main-abc.js'), SCRIPT);
  await writeFile(join(folder, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT));
  service = await createTestService({
    app: { dashboard: (app) => serveDashboard(app, folder, ['https://studio.example.com']) },
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

describe('the page', () => {
  it.each([
    '/',
    '/index.html',
    '/create/image.create',
    '/generations/gen_x?status=failed',
    '/docs',
    '/sign-in',
    '/v1things',
  ])('is at %s', async (url) => {
    const response = await get(url, html);
    expect([response.statusCode, response.payload]).toEqual([200, PAGE]);
    expect(response.headers['content-type']).toMatch(/^text\/html/);
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  it('allows its own files and its inline scripts by hash, and nothing else', async () => {
    const policy = String((await get('/', html)).headers['content-security-policy']);
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src 'self' ${hash(THEME)}`,
        `style-src 'self' ${hash(STYLE)}`,
        "connect-src 'self' https://studio.example.com",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|\*|https:(?!\/\/studio)/);
  });

  it('is revalidated and not sent again while unchanged', async () => {
    const etag = String((await get('/', html)).headers.etag);
    expect((await get('/', { ...html, 'if-none-match': etag })).statusCode).toBe(304);
  });

  it('is sent only for requests that accept HTML', async () => {
    expect((await get('/create')).statusCode).toBe(404);
    expect((await service.app.inject({ method: 'POST', url: '/create', headers: html })).statusCode).toBe(404);
  });
});

describe('files', () => {
  it('with hashed names are cached forever, and sent compressed when accepted', async () => {
    const plain = await get('/assets/main-abc.js');
    expect([plain.statusCode, plain.payload]).toEqual([200, SCRIPT]);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const packed = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip, br' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringMatching(/accept-encoding/i) as string,
    });
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(SCRIPT);
  });

  it('with fixed names are cached for a while', async () => {
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600');
  });

  it.each([
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.env',
    '/.vite/manifest.json',
    '/assets/',
  ])('are not served from outside: %s', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ error: { code: 'not_found' } });
  });
});

it.each([
  ['/v1/nothing', 404],
  ['/media/x', 404],
  ['/v1/workflow-runs', 401],
])('leaves %s to the API for every client', async (url, status) => {
  const response = await get(url, html);
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toMatch(/^application\/json/);
});
