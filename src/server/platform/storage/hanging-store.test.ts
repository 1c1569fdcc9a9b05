import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { POOL_TIMEOUTS, type ServicePool } from '#server/platform/net/service-pool.ts';
import { createS3Storage } from './s3-storage.ts';
import { ANSWER_TIMEOUT_MS } from './s3-errors.ts';
import type { Storage } from './storage.ts';

const SHORT_MS = 400;
/** Well below the limits of the service, which hold without the short ones. */
const SOON_MS = 10_000;
const MB = 1_048_576;
const unavailable = { name: 'StorageError', code: 'unavailable' };

let server: Server;
let serve: (socket: Socket) => void;
let pools: ServicePool[];
/** With a limit for answers, and with one for the progress of what is stored. */
let answering: Storage;
let storing: Storage;
let connections: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    bucket: 'studio',
    accessKey: { id: 'a', secret: 'b' },
    links: 'stream',
  };
  const { createPool } = createFetcher();
  pools = [
    createPool(settings.endpoint),
    createPool(settings.endpoint, { headersTimeout: SHORT_MS, bodyTimeout: SHORT_MS }),
  ];
  const [patient, impatient] = pools as [ServicePool, ServicePool];
  answering = createS3Storage(settings, patient, 0, SHORT_MS);
  storing = createS3Storage(settings, impatient, 0);
});
beforeEach(() => {
  connections = 0;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});
afterAll(async () => {
  for (const pool of pools) await pool.close();
  server.close();
});

async function* content(bytes: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(bytes);
}

const STORES: [string, (socket: Socket) => void][] = [
  ['takes nothing', (socket) => void socket.pause()],
  ['answers nothing', (socket) => void socket.resume()],
  [
    'stops within the head of its response',
    (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Le')),
  ],
  [
    'stops before the first byte of its response',
    (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')),
  ],
];

describe.each(STORES)('a store that %s', (_, behave) => {
  it.each([
    ['read', () => answering.read('a.png')],
    ['copyToFile', () => answering.copyToFile('a.png', '/nonexistent/file')],
    ['delete', () => answering.delete('a.png')],
    ['check', () => answering.check()],
    ['put of a small object', () => storing.put('a.png', content(1))],
    ['put of several parts', () => storing.put('a.png', content(9 * MB))],
  ])('is unavailable soon, after one try: %s', async (_name, call) => {
    serve = behave;
    const started = performance.now();
    await expect(call()).rejects.toMatchObject(unavailable);
    expect(connections).toBe(1);
    expect(performance.now() - started).toBeLessThan(SOON_MS);
  });
});

const respond = (socket: Socket, body = '', headers = '') =>
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`);

it('a store that stops taking a part is unavailable soon', async () => {
  const created =
    '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>';
  let taken = 0;
  serve = (socket) =>
    void socket.on('data', (bytes: Buffer) => {
      if (bytes.toString('latin1').startsWith('POST')) return respond(socket, created);
      if ((taken += bytes.length) > 3 * MB) socket.pause();
    });
  const started = performance.now();
  await expect(storing.put('a.png', content(17 * MB))).rejects.toMatchObject(unavailable);
  expect(taken).toBeGreaterThan(MB);
  expect(performance.now() - started).toBeLessThan(SOON_MS);
});

it('a store that stops in the middle of an object ends its stream with an error', async () => {
  serve = (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'));
  const body = await storing.read('a.png');
  await expect(body.toArray()).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
});

it('the limits of the service keep what it promises: links in 15 seconds, uploads in 30', () => {
  expect(ANSWER_TIMEOUT_MS).toBeLessThanOrEqual(14_000);
  expect(POOL_TIMEOUTS.headersTimeout).toBeLessThanOrEqual(28_500);
  expect(POOL_TIMEOUTS.bodyTimeout).toBeLessThanOrEqual(30_000);
});
