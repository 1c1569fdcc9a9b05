import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFetcher, type Fetcher } from '#server/platform/net/fetcher.ts';
import { createTestCertificate, startTlsServer } from '#server/platform/net/testing/tls-fixture.ts';
import { issueCertificate } from '#server/platform/credentials/testing/issue-certificate.ts';

const run = promisify(execFile);

const CONFIG = `[tsa]
serial = serial
default_policy = 1.2.3.4
digests = sha256
signer_digest = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`;
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

export interface FakeTimeStampServer {
  url: string;
  /** PEM of its issuer. */
  root: string;
  /** Trusts its TLS certificate. */
  fetcher: Fetcher;
  /** Responds instead of the authority; null: the authority. */
  respond: ((response: ServerResponse, reply: Buffer) => void) | null;
  /** Query that the authority answers instead of that of the request. */
  query: Buffer | null;
  requests: { type: string | undefined; body: Buffer }[];
  close(): Promise<void>;
}

/** A time stamp authority with the responses of OpenSSL. */
export async function startFakeTimeStampServer(): Promise<FakeTimeStampServer> {
  const cwd = await mkdtemp(join(tmpdir(), 'emulsion-tsa-'));
  await writeFile(join(cwd, 'tsa.cnf'), CONFIG);
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { leaf, root, key } = await issueCertificate({ keys, extended: [TIME_STAMPING] });
  await writeFile(join(cwd, 'cert.pem'), leaf);
  await writeFile(join(cwd, 'root.pem'), root);
  await writeFile(join(cwd, 'key.pem'), key);
  const reply = async (query: Buffer): Promise<Buffer> => {
    await writeFile(join(cwd, 'query'), query);
    const signer = ['-signer', 'cert.pem', '-inkey', 'key.pem', '-chain', 'root.pem'];
    const paths = ['-config', 'tsa.cnf', '-section', 'tsa', '-queryfile', 'query', '-out', 'reply'];
    await run('openssl', ['ts', '-reply', ...paths, ...signer], { cwd });
    return readFile(join(cwd, 'reply'));
  };
  const tls = createTestCertificate(['127.0.0.1']);
  // One after the other, as they share their files; the last is awaited before the directory is removed.
  let answered = Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    fake.requests.push({ type: request.headers['content-type'], body });
    const content = await reply(fake.query ?? body);
    if (fake.respond) return fake.respond(response, content);
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(content);
  };
  const server = await startTlsServer(tls, (request, response) => {
    answered = answered.then(() => answer(request, response)).catch((error: Error) => void response.destroy(error));
  });
  const fake: FakeTimeStampServer = {
    root,
    url: `https://127.0.0.1:${server.port}/tsr`,
    fetcher: createFetcher({ ca: tls.cert }),
    respond: null,
    query: null,
    requests: [],
    async close() {
      await server.close();
      await answered;
      await rm(cwd, { recursive: true });
    },
  };
  return fake;
}
