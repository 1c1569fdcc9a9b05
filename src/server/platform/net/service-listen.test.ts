import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from './fetcher.ts';

let server: Server;
let speak: (socket: Duplex) => void;
let requests: IncomingMessage[];
let sockets: Duplex[];

beforeEach(async () => {
  [requests, sockets] = [[], []];
  server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    requests.push(request);
    sockets.push(socket.on('error', () => undefined));
    const accept = createHash('sha1').update(
      `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...head, `Sec-WebSocket-Accept: ${accept.digest('base64')}`, '', ''].join('\r\n'));
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const TEXT = 0x81;
const BINARY = 0x82;
const CLOSE = 0x88;

/** RFC 6455, for any length below 4 GB. */
function frame(kind: number, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.from([kind, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 6);
  return Buffer.concat([bytes.length < 126 ? Buffer.from([kind, bytes.length]) : head, bytes]);
}

const long = { timeoutMs: 240_000, signal: new AbortController().signal };
const listen = <T>(read: (message: string) => T | null, limits = {}, path = '/ws?clientId=7') =>
  createFetcher()
    .createService(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`)
    .listen(path, { ...long, ...limits }, read);
const readFound = (message: string): string | null => (message.startsWith('found') ? message : null);

describe('reading a websocket', () => {
  it('returns the value and closes the connection', async () => {
    speak = (socket) => {
      for (const text of ['hello', 'found one', 'found two']) socket.write(frame(TEXT, text));
      socket.write(frame(BINARY, 'found'));
    };
    expect(await listen(readFound, { headers: { authorization: 'Bearer key' } })).toBe('found one');
    expect(requests[0]?.url).toBe('/base/ws?clientId=7');
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'user-agent': 'Emulsion' });
    expect(requests[0]?.headers).not.toHaveProperty('origin');
    const [socket] = sockets;
    if (socket) await once(socket.resume(), 'end');
  });

  it.each<[string, (socket: Duplex) => void]>([
    ['it closes', (socket) => socket.end(frame(CLOSE, Buffer.from([3, 232])))],
    ['it breaks off', (socket) => socket.destroy()],
    ['a message is too long', (socket) => socket.write(frame(TEXT, Buffer.alloc(1_048_577, 'x')))],
    ['a message is no frame', (socket) => socket.write(Buffer.alloc(64, 0xff))],
  ])('returns null when %s', async (_name, says) => {
    speak = says;
    expect(await listen(readFound)).toBeNull();
  });

  it('returns null without a websocket or a server', async () => {
    server.removeAllListeners('upgrade');
    expect(await listen(readFound)).toBeNull();
    const gone = createFetcher().createService('http://127.0.0.1:1');
    expect(await gone.listen('/ws', long, readFound)).toBeNull();
  });

  it('returns null after the timeout', async () => {
    speak = () => undefined;
    expect(await listen(readFound, { timeoutMs: 100 })).toBeNull();
  });

  it('rejects with the abort reason', async () => {
    const controller = new AbortController();
    speak = () => controller.abort(new Error('No longer wanted'));
    await expect(listen(readFound, { signal: controller.signal })).rejects.toThrow('No longer wanted');
    await expect(listen(readFound, { signal: controller.signal })).rejects.toThrow('No longer wanted');
    expect(requests).toHaveLength(1);
  });

  it('rejects another origin', async () => {
    await expect(listen(readFound, {}, 'http://127.0.0.1:1/ws')).rejects.toMatchObject({ code: 'blocked' });
  });

  it('throws what the reader throws', async () => {
    speak = (socket) => socket.write(frame(TEXT, 'hello'));
    const reader = (): null => {
      throw new Error('unreadable');
    };
    await expect(listen(reader)).rejects.toThrow('unreadable');
  });
});
