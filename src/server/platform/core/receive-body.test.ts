import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveBody, ReceiveError } from './receive-body.ts';

const LIMITS = { stallMs: 60_000, totalMs: 60_000 };
let server: Server;
let handle: (incoming: IncomingMessage) => Promise<unknown>;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    handle(incoming).then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** @param pauseMs after each piece; null: sends nothing after the first, and no end */
function send(pieces: readonly Buffer[], pauseMs: number | null): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST' }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
    }).on('error', reject);
    void (async () => {
      for (const piece of pieces) {
        outgoing.write(piece);
        if (pauseMs === null) return;
        if (pauseMs > 0) await sleep(pauseMs);
      }
      outgoing.end();
    })();
  });
}

it.each([
  ['at once', 0],
  ['bit by bit', 2],
])('passes every byte in order, one chunk at a time: %s', async (_, pauseMs) => {
  handle = async (incoming) => {
    const taken: Buffer[] = [];
    let busy = 0;
    let mostBusy = 0;
    await receiveBody(
      incoming,
      async (chunk) => {
        mostBusy = Math.max(mostBusy, (busy += 1));
        await sleep(Math.random() * 4);
        taken.push(chunk);
        busy -= 1;
      },
      LIMITS,
    );
    return { text: Buffer.concat(taken).toString('latin1'), busy, mostBusy };
  };
  const pieces = Array.from({ length: 30 }, (_, index) => Buffer.alloc(7_000, 97 + (index % 26)));
  const got: unknown = JSON.parse(await send(pieces, pauseMs));
  expect(got).toEqual({ text: Buffer.concat(pieces).toString('latin1'), busy: 0, mostBusy: 1 });
});

it('rejects with the error of the last chunk', async () => {
  handle = (incoming) =>
    receiveBody(
      incoming,
      async () => {
        await sleep(30);
        throw new Error('full');
      },
      LIMITS,
    );
  expect(await send([Buffer.from('x')], 0)).toBe('Error: full');
});

it('does not count processing time as a stall', async () => {
  handle = async (incoming) => {
    await receiveBody(incoming, () => sleep(600), { ...LIMITS, stallMs: 400 });
    return 'done';
  };
  expect(await send([Buffer.from('x')], 0)).toBe('"done"');
});

it('reports why a body is incomplete', async () => {
  handle = (incoming) => receiveBody(incoming, () => undefined, { ...LIMITS, stallMs: 50 }).catch(reasonOf);
  expect(await send([Buffer.from('x')], null)).toBe('"stalled"');
  handle = (incoming) => receiveBody(incoming, () => undefined, { ...LIMITS, totalMs: 50 }).catch(reasonOf);
  expect(await send([Buffer.from('x')], null)).toBe('"timeout"');
});

const reasonOf = (error: unknown) => (error instanceof ReceiveError ? error.reason : 'another error');
