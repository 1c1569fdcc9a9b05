import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFetcher } from './fetcher.ts';
import type { PoolRequest, ServicePool } from './service-pool.ts';

let server: Server;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let connections: number;
let pool: ServicePool;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => handle(request, response)).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  pool = createFetcher().createPool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const get: PoolRequest = { method: 'GET', path: '/a', headers: {} };

it('sends requests unchanged and reuses connections', async () => {
  handle = (request, response) => {
    void text(request).then((body) =>
      response.setHeader('x-two', ['a', 'b']).end(`${request.method} ${request.url} ${body}`),
    );
  };
  const path = '/a//../b%2Fc?x=%20&y';
  for (const body of ['first', Buffer.from('second'), 'third', 'fourth']) {
    const response = await pool.request({ method: 'PUT', path, headers: { 'x-a': 'b' }, body });
    expect([response.status_code, await text(response.body)]).toEqual([200, `PUT ${path} ${String(body)}`]);
    expect(response.headers['x-two']).toBe('a, b');
  }
  expect(connections).toBeLessThan(3);
});

it('follows no redirect', async () => {
  handle = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  const response = await pool.request(get);
  await response.body.resume().toArray();
  expect(response.status_code).toBe(302);
});

it('sends concurrent requests', async () => {
  const waiting: ServerResponse[] = [];
  handle = (_request, response) => {
    if (waiting.push(response) === 3) for (const each of waiting) each.end('x');
  };
  const answers = await Promise.all([1, 2, 3].map(() => pool.request(get)));
  expect(await Promise.all(answers.map(({ body }) => text(body)))).toEqual(['x', 'x', 'x']);
});

it('aborts a request before and during its response', async () => {
  const control = new AbortController();
  handle = () => control.abort(new Error('canceled'));
  await expect(pool.request({ ...get, signal: control.signal })).rejects.toThrow('canceled');
  const later = new AbortController();
  handle = (_request, response) => void response.write('beginning');
  const { body } = await pool.request({ ...get, signal: later.signal });
  later.abort(new Error('canceled'));
  await expect(text(body)).rejects.toThrow('canceled');
});

it.each(['ftp://a', 'http://a?b', 'https://id:secret@a', 'a'])('can’t be created for %s', (base_url) => {
  expect(() => createFetcher().createPool(base_url)).toThrow(expect.objectContaining({ code: 'invalid_url' }));
});
