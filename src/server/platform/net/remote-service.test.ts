import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher, type FetcherOptions } from './fetcher.ts';
import type { RemoteService } from './remote-service.ts';
import { createTestCertificate, startTlsServer } from './testing/tls-fixture.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;
let handle: Handle;
let elsewhere: Handle;
let server: Server;
let other: Server;
let folder: string;
let file: string;
let requests: IncomingMessage[];

const listen = async (handler: () => Handle): Promise<Server> => {
  const created = createServer((request, response) => {
    requests.push(request);
    handler()(request, response);
  });
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return created;
};
const portOf = (of: Server): number => (of.address() as AddressInfo).port;
const close = (of: Server): Promise<void> =>
  new Promise((resolve) => {
    of.close(() => resolve());
    of.closeAllConnections();
  });

beforeAll(async () => {
  server = await listen(() => handle);
  other = await listen(() => elsewhere);
});
afterAll(() => Promise.all([close(server), close(other)]));
beforeEach(async () => {
  requests = [];
  folder = await mkdtemp(path.join(tmpdir(), 'service-'));
  file = path.join(folder, 'output');
});
afterEach(() => rm(folder, { recursive: true }));

const origin = (of = server): string => `http://127.0.0.1:${portOf(of)}`;
const service = (base = `${origin()}/v1/`, options: FetcherOptions = {}): RemoteService =>
  createFetcher(options).createService(base);
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 240_000 };
const failure = (code: string): object => ({
  name: 'OutboundError',
  code,
  message: expect.stringMatching(/^[A-Z].*\.$/),
});

describe('fetching from a service', () => {
  it('reaches a private server without TLS, by a path below its base URL', async () => {
    handle = (request, response) => response.end(`${request.method} ${request.url} ${request.headers['x-a']}`);
    const response = await service().fetch('/jobs?a=b', { method: 'DELETE', headers: { 'x-a': 'c' } });
    expect([response.status, await response.text()]).toEqual([200, 'DELETE /v1/jobs?a=b c']);
    expect(service().base_url).toBe(`${origin()}/v1`);
  });

  it('decodes a response and limits its decoded size', async () => {
    handle = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000)));
    const response = await service().fetch('/');
    expect((await response.arrayBuffer()).byteLength).toBe(100_000);
    const small = await service().fetch('/', { maxResponseBytes: 99_999 });
    await expect(small.arrayBuffer()).rejects.toMatchObject(failure('too_large'));
  });

  it.each(['http://127.0.0.1:1/', 'https://example.com/', '//example.com/', 'file:///etc/passwd'])(
    'rejects other origins: %s',
    async (url) => {
      handle = (request, response) => response.end(request.url);
      const response = service().fetch(new URL(url, 'https://example.com'));
      await expect(response).rejects.toMatchObject(failure('blocked'));
      expect(requests).toEqual([]);
    },
  );

  it('treats a path that looks like a host as a path', async () => {
    handle = (request, response) => response.end(request.url);
    expect(await (await service().fetch('//example.com/')).text()).toBe('/v1//example.com/');
  });

  it('follows no redirect', async () => {
    handle = (_request, response) => response.writeHead(302, { location: origin(other) }).end();
    expect((await service().fetch('/')).status).toBe(302);
    expect(requests).toHaveLength(1);
  });

  it('streams a form with files and its length', async () => {
    const size = 3_000_000;
    await writeFile(file, Buffer.alloc(size, 'x'));
    let received = '';
    let expected: string | undefined;
    handle = (request, response) => {
      expected = request.headers['content-length'];
      request.setEncoding('latin1').on('data', (text) => (received += text));
      request.on('end', () => response.end('{}'));
    };
    const form = new FormData();
    form.append('prompt', 'größer');
    form.append('image[]', await openAsBlob(file, { type: 'image/png' }), 'a.png');
    await service().fetch('/', { method: 'POST', body: form });
    expect(expected).toBe(String(received.length));
    expect(received.split('x').length - 1).toBeGreaterThanOrEqual(size);
    expect(received).toContain('name="image[]"; filename="a.png"');
    expect(received).toContain('Content-Type: image/png');
  });

  it('distinguishes a refused connection from a broken one', async () => {
    const closedServer = await listen(() => handle);
    const port = portOf(closedServer);
    await close(closedServer);
    await expect(service(`http://127.0.0.1:${port}`).fetch('/')).rejects.toMatchObject(failure('not_connected'));
    const lost = async () => {
      throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    };
    await expect(service('http://gone.test', { resolver: lost }).fetch('/')).rejects.toMatchObject(
      failure('not_connected'),
    );
    handle = (request) => void request.socket.destroy();
    await expect(service().fetch('/')).rejects.toMatchObject(failure('unreachable'));
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('some', () => response.destroy());
    };
    const half = await service().fetch('/');
    await expect(half.text()).rejects.toMatchObject(failure('unreachable'));
  });

  it.each<[string, Handle]>([
    ['is silent', () => undefined],
    ['is stuck in its body', (_request, response) => void response.write('some')],
  ])('times out on a server that %s and closes the connection', async (_name, response) => {
    handle = response;
    const all = async (): Promise<string> => (await service().fetch('/', { timeoutMs: 200 })).text();
    await expect(all()).rejects.toMatchObject(failure('timeout'));
    await new Promise((resolve) =>
      requests[0]?.socket.destroyed ? resolve(null) : requests[0]?.socket.once('close', resolve),
    );
  });

  it('closes the connection when the response is canceled', async () => {
    handle = (_request, response) => void response.write('some');
    const response = await service().fetch('/');
    await response.body?.cancel();
    await new Promise((resolve) =>
      requests[0]?.socket.destroyed ? resolve(null) : requests[0]?.socket.once('close', resolve),
    );
  });

  it.each(['before a response', 'within its body'])('rejects with the abort reason %s', async (when) => {
    const controller = new AbortController();
    const canceled = new Error('canceled');
    handle = (_request, response) => {
      if (when === 'before a response') controller.abort(canceled);
      else response.write('some');
    };
    const all = async (): Promise<string> => {
      const response = await service().fetch('/', { signal: controller.signal });
      controller.abort(canceled);
      return response.text();
    };
    await expect(all()).rejects.toBe(canceled);
  });

  it('rejects a self-signed certificate', async () => {
    const certificate = createTestCertificate(['127.0.0.1']);
    const secure = await startTlsServer(certificate, (_request, response) => response.end('secure'));
    const base = `https://127.0.0.1:${secure.port}`;
    await expect(service(base).fetch('/')).rejects.toMatchObject(failure('not_connected'));
    expect(await (await service(base, { ca: certificate.cert }).fetch('/')).text()).toBe('secure');
    await secure.close();
  });

  it.each(['ftp://a/', 'https://a:b@c/', 'https://a/?b', 'https://a/#b', 'a'])('can’t be created for %s', (base) => {
    expect(() => service(base)).toThrow(expect.objectContaining({ code: 'invalid_url' }));
  });
});

describe('downloading an output', () => {
  const headers = { authorization: 'Bearer secret' };

  it('saves from the service itself, with credentials', async () => {
    handle = (request, response) => response.end(request.headers.authorization);
    expect(await service().download(`${origin()}/a`, file, { ...LIMITS, headers })).toEqual({ size_bytes: 13 });
    expect(await readFile(file, 'utf8')).toBe('Bearer secret');
  });

  it('rejects every other private address, directly and by redirect', async () => {
    elsewhere = (_request, response) => response.end('secret');
    handle = (_request, response) => response.writeHead(302, { location: `${origin(other)}/x` }).end();
    for (const url of [
      `${origin(other)}/x`,
      `${origin()}/a`,
      `https://127.0.0.1:${portOf(other)}/`,
      'https://10.0.0.1/',
    ])
      await expect(service().download(url, file, { ...LIMITS, headers })).rejects.toMatchObject(failure('blocked'));
    expect(requests.map(({ url }) => url)).toEqual(['/a']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('sends no credentials to another origin', async () => {
    const certificate = createTestCertificate(['127.0.0.1']);
    const sent: unknown[] = [];
    const secure = await startTlsServer(certificate, (request, response) => {
      sent.push(request.headers.authorization);
      response.end('file');
    });
    const options = { ca: certificate.cert, allowPrivateNetworks: ['127.0.0.1/32'], reference_ports: [secure.port] };
    handle = (_request, response) => response.writeHead(302, { location: `https://127.0.0.1:${secure.port}/` }).end();
    const open = service(undefined, options);
    for (const url of [`${origin()}/a`, `https://127.0.0.1:${secure.port}/b`]) {
      await open.download(url, file, { ...LIMITS, headers });
      expect(await readFile(file, 'utf8')).toBe('file');
      await rm(file);
    }
    expect(sent).toEqual([undefined, undefined]);
    await secure.close();
  });

  it('rejects files above the limit, other status codes and four redirects', async () => {
    handle = (_request, response) => response.end(Buffer.alloc(1_000_001));
    await expect(service().download(`${origin()}/`, file, LIMITS)).rejects.toMatchObject(failure('too_large'));
    handle = (_request, response) => response.writeHead(404).end('none');
    await expect(service().download(`${origin()}/`, file, LIMITS)).rejects.toMatchObject(failure('bad_status'));
    handle = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    await expect(service().download(`${origin()}/`, file, LIMITS)).rejects.toMatchObject(failure('too_many_redirects'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not overwrite an existing file', async () => {
    await (await open(file, 'wx')).close();
    handle = (_request, response) => response.end('new');
    await expect(service().download(`${origin()}/`, file, LIMITS)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('');
  });
});

describe('send', () => {
  const body = new Blob(['x'.repeat(300_000)], { type: 'image/png' });
  const LIMIT = { timeoutMs: 240_000 };
  const echo: Handle = (request, response) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () =>
      response.writeHead(201).end(`${request.method} ${request.headers['content-length']} ${received}`),
    );
  };

  it('sends a file to the service’s origin or the internet', async () => {
    handle = echo;
    const certificate = createTestCertificate(['127.0.0.1']);
    const secure = await startTlsServer(certificate, echo);
    const options = { ca: certificate.cert, allowPrivateNetworks: ['127.0.0.1/32'], reference_ports: [secure.port] };
    for (const url of [`${origin()}/up?signature=1`, `https://127.0.0.1:${secure.port}/up?signature=1`]) {
      const response = await service(undefined, options).send(url, { method: 'PUT', body, ...LIMIT });
      expect([response.status, await response.text()]).toEqual([201, 'PUT 300000 300000']);
    }
    await secure.close();
  });

  it('accepts a response without a body', async () => {
    handle = (request, response) => request.resume().on('end', () => response.writeHead(204).end());
    const certificate = createTestCertificate(['127.0.0.1']);
    const secure = await startTlsServer(certificate, handle);
    const options = { ca: certificate.cert, allowPrivateNetworks: ['127.0.0.1/32'], reference_ports: [secure.port] };
    for (const url of [`${origin()}/up`, `https://127.0.0.1:${secure.port}/up`]) {
      expect((await service(undefined, options).send(url, { body, ...LIMIT })).status).toBe(204);
    }
    await secure.close();
  });

  it.each(['http', 'https'])('sends nothing to another private address over %s', async (scheme) => {
    elsewhere = echo;
    const url = `${origin(other).replace('http', scheme)}/up`;
    await expect(service().send(url, { body, ...LIMIT })).rejects.toMatchObject(failure('blocked'));
    expect(requests).toEqual([]);
  });
});
