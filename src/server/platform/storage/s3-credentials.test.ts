import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { openStorage } from './open-storage.ts';
import { type FakeS3Server, startFakeS3Server } from './testing/fake-s3-server.ts';

const AUTHORIZATION = 'a token of the container';
const KEY = 'S3RVER';

let server: FakeS3Server;
let container: Server;
let folder: string;
let asked: (string | undefined)[];
beforeAll(async () => {
  server = await startFakeS3Server();
  folder = await mkdtemp(path.join(tmpdir(), 's3-credentials-'));
  container = createServer((request, response) => {
    asked.push(request.headers.authorization);
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(JSON.stringify({ AccessKeyId: KEY, SecretAccessKey: KEY, Token: 'session-token', Expiration }));
  }).listen(0, '127.0.0.1');
  await once(container, 'listening');
});
afterAll(async () => {
  container.close();
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  // What the person who runs the tests has configured is not used.
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path.join(folder, 'credentials'));
  vi.stubEnv('AWS_CONFIG_FILE', path.join(folder, 'config'));
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
});
afterEach(() => vi.unstubAllEnvs());

const open = (links: 'stream' | 'presigned' = 'stream') =>
  openStorage(
    { mediaDir: folder, s3: { ...server.settings, accessKey: null, links } },
    createFetcher(),
    pino({ enabled: false }),
  );

it('takes credentials from variables', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEY);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEY);
  await expect((await open()).check()).resolves.toBeUndefined();
});

it('takes credentials from a profile', async () => {
  const file = path.join(folder, 'profiles');
  await writeFile(file, `[studio]\naws_access_key_id = ${KEY}\naws_secret_access_key = ${KEY}\n`);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
  vi.stubEnv('AWS_PROFILE', 'studio');
  await expect((await open()).check()).resolves.toBeUndefined();
});

it('takes credentials with a session token from its container, and signs links with them', async () => {
  const { port } = container.address() as AddressInfo;
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/credentials`);
  vi.stubEnv('AWS_CONTAINER_AUTHORIZATION_TOKEN', AUTHORIZATION);
  const storage = await open('presigned');
  await storage.put('a.png', [Buffer.from('picture')] as unknown as AsyncIterable<Uint8Array>);
  const signed_at = new Date();
  const expires_at = new Date(signed_at.getTime() + 60_000);
  const link =
    (await storage.link?.('a.png', { mime_type: 'image/png', disposition: 'inline', signed_at, expires_at })) ?? '';
  expect(new URL(link).searchParams.get('X-Amz-Security-Token')).toBe('session-token');
  expect(await (await fetch(link)).text()).toBe('picture');
  expect(asked).toEqual([AUTHORIZATION]);
});

it('says what is missing when there are none', async () => {
  await expect(open()).rejects.toThrow(
    /^No credentials for S3_BUCKET were found: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or provide AWS credentials by variables, a profile or a role\.$/,
  );
});

it('says that found credentials are not the right ones', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'unknown');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEY);
  await expect(open()).rejects.toThrow(
    'The AWS credentials that were found are not known to the store at S3_ENDPOINT.',
  );
});
