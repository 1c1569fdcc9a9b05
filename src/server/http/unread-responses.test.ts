import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { limitUnreadResponses, type UnreadLimits } from './unread-responses.ts';

/** More than the kernel buffers for a client that does not read. */
const CHARACTERS = 12_000_000;
const LIMITS: UnreadLimits = {
  stallMs: 60_000,
  maxCallerCharacters: CHARACTERS * 10,
  maxCharacters: CHARACTERS * 20,
};

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
  app.decorateRequest('caller', undefined);
  app.get('/', async (request, { raw }) => {
    const { key } = request.query as { key?: string };
    if (key !== undefined) Object.assign(request, { caller: { key_id: key } });
    responses.push(raw);
    return 'x'.repeat(CHARACTERS);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

/** Sends a request without reading the response. */
async function sendRequest(key?: string): Promise<Socket> {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  clients.push(client);
  const begun = responses.length;
  client.write(`GET /${key === undefined ? '' : `?key=${key}`} HTTP/1.1\r\nHost: x\r\n\r\n`);
  client.pause();
  while (responses.length === begun) await nextTurn();
  return client;
}

it('closes a connection that reads nothing', async () => {
  await start({ ...LIMITS, stallMs: 50 });
  await sendRequest();
  const [response] = responses;
  if (response?.destroyed === false) await once(response, 'close');
  expect(response?.writableFinished).toBe(false);
});

it('closes the oldest connections of a caller when its unread responses exceed the limit', async () => {
  await start({ ...LIMITS, maxCallerCharacters: CHARACTERS * 2 });
  for (let sent = 0; sent < 4; sent += 1) await sendRequest();
  const [first, second, third, fourth] = responses;
  for (const response of [first, second]) if (response?.destroyed === false) await once(response, 'close');
  expect([third?.destroyed, fourth?.destroyed]).toEqual([false, false]);
});

it('never closes a connection of another caller for those of one', async () => {
  await start({ ...LIMITS, maxCallerCharacters: CHARACTERS * 2 });
  await sendRequest('victim');
  for (let sent = 0; sent < 5; sent += 1) await sendRequest('attacker');
  const [victim, first, second, third] = responses;
  for (const response of [first, second, third]) if (response?.destroyed === false) await once(response, 'close');
  expect(victim?.destroyed).toBe(false);
});

it('closes the oldest connection of the caller that holds most when all together exceed the limit', async () => {
  await start({ ...LIMITS, maxCharacters: CHARACTERS * 3 });
  await sendRequest('victim');
  for (let sent = 0; sent < 2; sent += 1) await sendRequest('attacker');
  await sendRequest();
  const [victim, first, second, anonymous] = responses;
  if (first?.destroyed === false) await once(first, 'close');
  expect([victim?.destroyed, second?.destroyed, anonymous?.destroyed]).toEqual([false, false, false]);
});

it('sends a single response above the limit of its caller', async () => {
  await start({ ...LIMITS, maxCallerCharacters: CHARACTERS / 2 });
  const { port } = app.server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toHaveLength(CHARACTERS);
});

it('does not close a client that is reading', async () => {
  await start({ ...LIMITS, maxCallerCharacters: CHARACTERS * 2 });
  await sendRequest('slow');
  const { port } = app.server.address() as AddressInfo;
  const texts = await Promise.all(
    Array.from({ length: 2 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text()),
  );
  expect(texts.map(({ length }) => length)).toEqual([CHARACTERS, CHARACTERS]);
});
