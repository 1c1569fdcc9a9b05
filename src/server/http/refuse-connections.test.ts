import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApp } from './create-app.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

interface Line {
  status?: number;
  reason?: string;
  omitted?: number;
}

let service: TestService;
let app: TestService['app'];
let port = 0;
const lines: Line[] = [];
beforeAll(async () => {
  service = await createTestService({ config: { maxJsonBytes: 100 } });
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  app = await createApp({ ...service.deps, log });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(async () => {
  await app.close();
  await service.close();
});
beforeEach(() => {
  lines.length = 0;
  service.deps.clock.advance(60_000);
});

/** @returns the response until the connection is closed */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

const statusesLogged = () => lines.flatMap(({ status }) => (status === undefined ? [] : [status]));

it.each([
  ['bytes that are no request', 'secret-of-mine\r\n\r\n', 400],
  [
    'a header that is too large',
    `GET /v1/tasks HTTP/1.1\r\nHost: x\r\nX-A: ${'secret-of-mine'.repeat(2_000)}\r\n\r\n`,
    400,
  ],
  ['no Host header', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\nX-A: secret-of-mine\r\n\r\n', 400],
  ['an unknown expectation', 'GET /v1/tasks HTTP/1.1\r\nHost: x\r\nExpect: secret-of-mine\r\n\r\n', 417],
  [
    'a body that is not read',
    `POST /v1/estimate HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{"secret-of-mine`,
    413,
  ],
])('logs one line without the request for %s', async (_, bytes, status) => {
  const received = await exchange(bytes);
  expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(received).toContain('"code":"invalid_request"');
  await logged(1);
  expect(statusesLogged()).toEqual([status]);
  expect(JSON.stringify(lines)).not.toContain('secret-of-mine');
});

const logged = (count: number) => expect.poll(() => statusesLogged().length).toBe(count);

/** The server's side of a connection that has received this many bytes. */
async function accepted(bytes: string) {
  const serverSide = new Promise<Socket>((resolve) => {
    app.server.once('connection', (socket: Socket) =>
      bytes ? socket.once('data', () => resolve(socket)) : resolve(socket),
    );
  });
  const received = exchange(bytes);
  return { socket: await serverSide, received };
}
const timeout = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

it('closes a connection that sent nothing in time without a response, so that a browser retries on another one', async () => {
  const { socket, received } = await accepted('');
  app.server.emit('clientError', timeout(), socket);
  expect(await received).toBe('');
  expect(lines).toEqual([]);
});

it('waits at shutdown for no connection that sent nothing', async () => {
  const stopping = await createApp(service.deps);
  await stopping.listen({ port: 0, host: '127.0.0.1' });
  const unused = connect((stopping.server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise((resolve) => unused.once('close', resolve));
  await once(stopping.server, 'connection');
  await stopping.close();
  await closed;
});

it('responds to a request whose headers did not arrive in time, and logs it', async () => {
  const { socket, received } = await accepted('GET /v1/tasks HTTP/1.1\r\n');
  app.server.emit('clientError', timeout(), socket);
  expect(await received).toMatch(/^HTTP\/1.1 400 /);
  expect(lines).toMatchObject([{ status: 400, reason: 'ERR_HTTP_REQUEST_TIMEOUT' }]);
});

it('logs at most 60 lines a minute, then the number of omitted lines', async () => {
  for (let count = 0; count < 65; count += 1) await exchange('x\r\n\r\n');
  expect(lines).toHaveLength(60);
  service.deps.clock.advance(60_000);
  await exchange('x\r\n\r\n');
  expect(lines.at(-1)).toMatchObject({ status: 400, omitted: 5 });
});
