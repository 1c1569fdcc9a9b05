import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFetcher, type Fetcher, type FetcherOptions } from './fetcher.ts';
import type { HostAddress } from './resolve-host.ts';
import { createTestCertificate, startTlsServer, type TlsTestServer } from './testing/tls-fixture.ts';

const LOOPBACK: HostAddress = { address: '127.0.0.1', family: 4 };
const names = ['media.test', 'other.test', '127.0.0.1'];
let certificate: ReturnType<typeof createTestCertificate>;
let server: TlsTestServer;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let folder: string;
let file: string;

beforeAll(async () => {
  certificate = createTestCertificate(names);
  server = await startTlsServer(certificate, (request, response) => handle(request, response));
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fetch-'));
  file = path.join(folder, 'reference');
});
afterEach(() => rm(folder, { recursive: true }));

const fetcher = (options: FetcherOptions = {}): Fetcher =>
  createFetcher({
    allowPrivateNetworks: ['127.0.0.1/32'],
    resolver: async () => [LOOPBACK],
    ca: certificate.cert,
    reference_ports: [server.port],
    ...options,
  });
const at = (place: string, host = 'media.test'): string => `https://${host}:${server.port}${place}`;
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 240_000 };
const failure = (code: string): object => ({
  name: 'OutboundError',
  code,
  message: expect.stringMatching(/^[A-Z].*\.$/),
});

describe('download', () => {
  it('saves the response', async () => {
    handle = (request, response) => response.end(`${request.headers.host} ${request.url}`);
    const result = await fetcher().download(at('/a?b=c#d'), file, LIMITS);
    const text = `media.test:${server.port} /a?b=c`;
    expect(result).toEqual({ size_bytes: text.length });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('follows three redirects but not four', async () => {
    handle = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: left === 2 ? at('/1', 'other.test') : `/${left - 1}` }).end('moved');
    };
    await fetcher().download(at('/3'), file, LIMITS);
    expect(await readFile(file, 'utf8')).toBe('there');
    await rm(file);
    await expect(fetcher().download(at('/4'), file, LIMITS)).rejects.toMatchObject(failure('too_many_redirects'));
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([204, 206, 304, 404, 500])('refuses status %i', async (status) => {
    handle = (_request, response) => response.writeHead(status).end();
    await expect(fetcher().download(at('/'), file, LIMITS)).rejects.toMatchObject(failure('bad_status'));
  });

  it('accepts a file at the limit and rejects one byte more, declared or not', async () => {
    const send = (bytes: number, declared: boolean) => (_: IncomingMessage, response: ServerResponse) => {
      if (declared) response.setHeader('content-length', bytes);
      response.write(Buffer.alloc(bytes - 1));
      response.end(Buffer.alloc(1));
    };
    const limits = { ...LIMITS, maxBytes: 100_000 };
    handle = send(100_000, true);
    expect(await fetcher().download(at('/'), file, limits)).toEqual({ size_bytes: 100_000 });
    await rm(file);
    for (const declared of [true, false]) {
      handle = send(100_001, declared);
      await expect(fetcher().download(at('/'), file, limits)).rejects.toMatchObject(failure('too_large'));
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('stops an endless body near the limit', async () => {
    let sent = 0;
    handle = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    };
    await expect(fetcher().download(at('/'), file, LIMITS)).rejects.toMatchObject(failure('too_large'));
    expect(sent).toBeLessThan(8_000_000);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['silent', () => undefined],
    ['stuck in its body', (response) => void response.write('some')],
    [
      'trickling',
      (response) => {
        const timer = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('times out on a server that is %s', async (_name, answer) => {
    handle = (_request, response) => answer(response);
    await expect(fetcher().download(at('/'), file, { ...LIMITS, timeoutMs: 300 })).rejects.toMatchObject(
      failure('timeout'),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a broken connection', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('some');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(fetcher().download(at('/'), file, LIMITS)).rejects.toMatchObject(failure('unreachable'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects with the abort reason', async () => {
    const controller = new AbortController();
    handle = () => controller.abort(new Error('canceled'));
    await expect(fetcher().download(at('/'), file, { ...LIMITS, signal: controller.signal })).rejects.toThrow(
      'canceled',
    );
  });

  it('rejects a certificate for another name and a self-signed one', async () => {
    handle = (_request, response) => response.end('secret');
    await expect(fetcher().download(at('/', 'wrong.test'), file, LIMITS)).rejects.toMatchObject(failure('unreachable'));
    await expect(fetcher({ ca: undefined }).download(at('/'), file, LIMITS)).rejects.toMatchObject(
      failure('unreachable'),
    );
  });

  it('distinguishes an unknown name from a failed lookup', async () => {
    const failing = (code: string) => async () => {
      throw Object.assign(new Error(code), { code });
    };
    const get = (code: string) => fetcher({ resolver: failing(code) }).download(at('/'), file, LIMITS);
    await expect(get('ENOTFOUND')).rejects.toMatchObject(failure('unknown_host'));
    await expect(get('EAI_AGAIN')).rejects.toMatchObject(failure('resolver_failed'));
  });

  it('times out on a resolver that never responds', async () => {
    const resolver = () => new Promise<never>(() => undefined);
    const download = fetcher({ resolver }).download(at('/'), file, { ...LIMITS, timeoutMs: 200 });
    await expect(download).rejects.toMatchObject(failure('timeout'));
  });
});

describe('assertReachable', () => {
  it('follows redirects to the file without reading it', async () => {
    handle = (request, response) => {
      if (request.url === '/') return void response.writeHead(302, { location: '/endless' }).end();
      response.write('without an end');
    };
    await expect(fetcher().assertReachable(at('/'), LIMITS)).resolves.toBeUndefined();
    handle = (_request, response) => response.writeHead(404).end();
    await expect(fetcher().assertReachable(at('/'), LIMITS)).rejects.toMatchObject(failure('bad_status'));
    const closed = fetcher({ allowPrivateNetworks: [] });
    await expect(closed.assertReachable(at('/'), LIMITS)).rejects.toMatchObject(failure('blocked'));
  });
});

describe('forbidden downloads', () => {
  let connections: number;
  beforeEach(() => {
    connections = server.connections();
    handle = (_request, response) => response.end('secret');
  });
  const closed = (resolver?: FetcherOptions['resolver']): Fetcher =>
    fetcher({ allowPrivateNetworks: [], ...(resolver ? { resolver } : {}) });

  it.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::7f00:1]',
    '10.0.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[4000::1]',
  ])('rejects the literal address %s before connecting', async (host) => {
    await expect(closed().download(at('/', host), file, LIMITS)).rejects.toMatchObject(failure('blocked'));
    expect(server.connections()).toBe(connections);
  });

  it.each(['0x7f000001', '2130706433', '0177.0.0.1', '127.1', '127.0.0.1.'])(
    'rejects %s, which is not a plain address',
    async (host) => {
      await expect(closed().download(at('/', host), file, LIMITS)).rejects.toMatchObject(failure('invalid_url'));
      expect(server.connections()).toBe(connections);
    },
  );

  it.each<[string, HostAddress[]]>([
    ['only a private address', [LOOPBACK]],
    ['a public and a private address', [{ address: '93.184.216.34', family: 4 }, LOOPBACK]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['a NAT64 address', [{ address: '64:ff9b::7f00:1', family: 6 }]],
  ])('rejects a name with %s', async (_name, addresses) => {
    await expect(closed(async () => addresses).download(at('/'), file, LIMITS)).rejects.toMatchObject(
      failure('blocked'),
    );
    expect(server.connections()).toBe(connections);
  });

  it.each([
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://localhost.test/',
    '//169.254.169.254/latest',
    'http://media.test/',
  ])('rejects a redirect to %s', async (location) => {
    handle = (_request, response) => response.writeHead(302, { location }).end();
    const resolver = async (name: string) => [name === 'media.test' ? LOOPBACK : { address: '10.0.0.7', family: 4 }];
    const download = fetcher({ resolver, reference_ports: [443, server.port] }).download(at('/'), file, LIMITS);
    await expect(download).rejects.toMatchObject(failure('blocked'));
    expect(server.connections()).toBe(connections + 1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects a redirect to another port', async () => {
    handle = (_request, response) => response.writeHead(302, { location: 'https://media.test:22/' }).end();
    await expect(fetcher().download(at('/'), file, LIMITS)).rejects.toMatchObject(failure('blocked'));
  });

  it('connects only to validated addresses, so that DNS rebinding has no effect', async () => {
    const answers = [[LOOPBACK], [{ address: '10.0.0.1', family: 4 }]];
    const resolver = vi.fn(async () => answers.shift() ?? []);
    handle = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    await expect(fetcher({ resolver }).download(at('/'), file, LIMITS)).rejects.toMatchObject(failure('blocked'));
    expect(resolver).toHaveBeenCalledTimes(2);
    expect(server.connections()).toBe(connections + 1);
  });
});

describe('post', () => {
  it('sends body and headers to any port and returns the status, also of redirects', async () => {
    const received: string[] = [];
    handle = (request, response) => {
      request.setEncoding('utf8').on('data', (text) => received.push(String(request.headers['x-a']), text));
      request.on('end', () => response.writeHead(302, { location: '/elsewhere' }).end());
    };
    const options = { headers: { 'x-a': 'b' }, body: '{"c":1}', timeoutMs: 240_000 };
    expect(await fetcher({ reference_ports: [443] }).post(at('/hook'), options)).toMatchObject({ status_code: 302 });
    expect(received).toEqual(['b', '{"c":1}']);
  });

  it('reads at most 16 KB of an endless response', async () => {
    let sent = 0;
    handle = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) sent += 16_384;
      };
      response.on('drain', more);
      more();
    };
    const posted = await fetcher().post(at('/'), { headers: {}, body: '', timeoutMs: 240_000 });
    expect([posted.status_code, posted.body.byteLength]).toEqual([200, 16_384]);
    expect(sent).toBeLessThan(8_000_000);
  });

  it.each([0, 1])('includes the body of the response in the timeout', async (bytes) => {
    handle = (_request, response) => void (bytes && response.write('x'));
    const post = fetcher().post(at('/'), { headers: {}, body: '', timeoutMs: 300 });
    await expect(post).rejects.toMatchObject(failure('timeout'));
  });

  it('times out on slow headers', async () => {
    const raw: Server = createServer((socket) => {
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const address = raw.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const post = fetcher().post(`https://media.test:${port}/`, { headers: {}, body: '', timeoutMs: 300 });
    await expect(post).rejects.toMatchObject(failure('timeout'));
    raw.close();
  });

  it('rejects private addresses', async () => {
    const post = fetcher({ allowPrivateNetworks: [] }).post(at('/'), { headers: {}, body: '', timeoutMs: 240_000 });
    await expect(post).rejects.toMatchObject(failure('blocked'));
  });
});

describe('assertPublic', () => {
  it('validates names and literal addresses', async () => {
    const resolver = async (name: string) => [
      name === 'hooks.test' ? { address: '93.184.216.34', family: 4 } : LOOPBACK,
    ];
    const { assertPublic } = fetcher({ allowPrivateNetworks: [], resolver });
    await expect(assertPublic('https://hooks.test:8443/x')).resolves.toBeUndefined();
    await expect(assertPublic('https://inside.test/')).rejects.toMatchObject(failure('blocked'));
    await expect(assertPublic('https://[::ffff:7f00:1]/')).rejects.toMatchObject(failure('blocked'));
    await expect(assertPublic('https://192.168.0.1/')).rejects.toMatchObject(failure('blocked'));
    await expect(assertPublic('http://hooks.test/')).rejects.toMatchObject(failure('blocked'));
  });
});
