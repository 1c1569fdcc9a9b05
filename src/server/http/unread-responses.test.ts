import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { limitUnreadResponses, type UnreadLimits } from './unread-responses.ts';

/** More than the kernel buffers for a client that does not read. */
const CHARACTERS = 20_000_000;

let app: FastifyInstance;
let clients: Socket[];
let responses: ServerResponse[];
afterEach(async () => {
  for (const client of clients) client.destroy();
  await app.close();
});

async function start(limits: UnreadLimits): Promise<void> {
  [clients, responses] = [[], []];
  app = fastify({ forceCloseConnections: true });
  limitUnreadResponses(app, limits);
  app.get('/', async (_request, { raw }) => {
    responses.push(raw);
    return 'x'.repeat(CHARACTERS);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

/** Sends a request without reading the response. */
async function sendRequest(): Promise<Socket> {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  clients.push(client);
  const begun = responses.length;
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.pause();
  while (responses.length === begun) await nextTurn();
  return client;
}

it('closes a connection that reads nothing', async () => {
  await start({ stallMs: 50, maxCharacters: CHARACTERS * 10 });
  await sendRequest();
  const [response] = responses;
  if (response?.destroyed === false) await once(response, 'close');
  expect(response?.writableFinished).toBe(false);
});

it('closes the oldest connections when all unread responses exceed the limit', async () => {
  await start({ stallMs: 60_000, maxCharacters: CHARACTERS * 2 });
  for (let sent = 0; sent < 4; sent += 1) await sendRequest();
  const [first, second, third, fourth] = responses;
  for (const response of [first, second]) if (response?.destroyed === false) await once(response, 'close');
  expect([third?.destroyed, fourth?.destroyed]).toEqual([false, false]);
});

it('does not close a client that is reading', async () => {
  await start({ stallMs: 60_000, maxCharacters: CHARACTERS * 2 });
  await sendRequest();
  const { port } = app.server.address() as AddressInfo;
  const texts = await Promise.all(
    Array.from({ length: 2 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text()),
  );
  expect(texts.map(({ length }) => length)).toEqual([CHARACTERS, CHARACTERS]);
});
