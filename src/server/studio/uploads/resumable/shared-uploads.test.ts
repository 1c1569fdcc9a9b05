import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { resumableParts, resumableUploads } from '#server/platform/db/schema/upload-schema.ts';
import { createApp } from '#server/http/create-app.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import type { ServicePool } from '#server/platform/net/service-pool.ts';
import { createS3Storage } from '#server/platform/storage/s3-storage.ts';
import { type FakeS3Server, startFakeS3Server } from '#server/platform/storage/testing/fake-s3-server.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { type TestService, createTestService } from '#server/app/testing/test-service.ts';
import { createTusFixture } from '#server/studio/uploads/testing/tus-fixture.ts';
import { createPng } from '#server/studio/uploads/testing/upload-fixture.ts';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import { sweepResumable } from './sweep-resumable.ts';

const HOUR_MS = 3_600_000;
const MB = 1_048_576;

/** Two processes with one database and one bucket, each with its own disk. */
let s3: FakeS3Server;
let pool: ServicePool;
let service: TestService;
let other: Awaited<ReturnType<typeof createApp>>;
let otherFolder: string;
let bytes: Buffer;
const urls: string[] = [];

beforeAll(async () => {
  const postgres = await sharedPostgres();
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  s3 = await startFakeS3Server();
  pool = createFetcher().createPool(s3.settings.endpoint);
  service = await createTestService({
    databaseUrl,
    storage: createS3Storage(s3.settings, pool, 0),
    config: { databaseUrl, s3: s3.settings, minFreeBytes: 0, rateLimitPerMinute: 100_000 },
  });
  otherFolder = await mkdtemp(join(tmpdir(), 'emulsion-other-'));
  const { deps } = service;
  other = await createApp({ ...deps, config: { ...deps.config, dataDir: otherFolder, mediaDir: otherFolder } });
  urls.push(await service.listen(), await other.listen({ port: 0, host: '127.0.0.1' }));
  bytes = await createPng(16, 16, '#573');
});
afterEach(() => {
  s3.intercept = null;
});
afterAll(async () => {
  await other.close();
  await service.close();
  await pool.close();
  await s3.close();
  await rm(otherFolder, { recursive: true });
});

const [first, second] = [0, 1].map((index) =>
  createTusFixture(() => ({ url: urls[index] ?? '', key: service.keys.organization, service })),
) as [ReturnType<typeof createTusFixture>, ReturnType<typeof createTusFixture>];
const listPartKeys = async () => {
  const keys: string[] = [];
  for await (const { key } of service.deps.storage.list()) if (key.startsWith('resumable/')) keys.push(key);
  return keys;
};
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const listParts = (path: string) =>
  service.deps.db
    .select()
    .from(resumableParts)
    .where(eq(resumableParts.resumable_id, idOf(path)));
const download = async (upload_id: string): Promise<Buffer> => {
  const { body } = await service.call('get_upload', { params: { upload_id } });
  const { rawPayload } = await other.inject({ url: body.url.slice(service.deps.config.publicUrl.length) });
  return rawPayload;
};

it('continues at another process, which has another disk', async () => {
  const path = await first.createUpload(bytes.length);
  expect((await first.append(path, 0, bytes.subarray(0, 40))).status).toBe(204);
  expect([await first.readOffset(path), await second.readOffset(path)]).toEqual([40, 40]);
  expect((await second.append(path, 20, bytes.subarray(20))).code).toBe('upload_offset_conflict');
  expect((await second.append(path, 40, bytes.subarray(40, 60))).status).toBe(204);
  const last = await first.append(path, 60, bytes.subarray(60));
  const upload_id = last.headers.get('upload-id') ?? '';
  expect((await download(upload_id)).equals(bytes)).toBe(true);
  expect((await second.send('HEAD', path)).headers.get('upload-id')).toBe(upload_id);
  expect(await listParts(path)).toEqual([]);
  expect(await listPartKeys()).toEqual([]);
  for (const config of [service.deps.config, { mediaDir: otherFolder }])
    expect(await readdir(uploadFolder(config)).catch(() => [])).toEqual([]);
});

it('continues at another process after the connection broke', async () => {
  const path = await first.createUpload(6 * MB + 10);
  const outgoing = first.sendPartially(path, 0, Buffer.alloc(6 * MB, 1), 6 * MB + 10);
  await expect.poll(async () => (await listParts(path)).length).toBe(1);
  outgoing.destroy();
  await expect.poll(() => second.readOffset(path)).toBeGreaterThanOrEqual(5 * MB);
  const offset = await second.readOffset(path);
  expect((await second.append(path, offset, Buffer.alloc(6 * MB - offset, 1))).status).toBe(204);
  expect(await first.readOffset(path)).toBe(6 * MB);
  expect((await first.send('DELETE', path)).status).toBe(204);
  expect((await second.send('HEAD', path)).status).toBe(404);
  expect(await listPartKeys()).toEqual([]);
});

it('rejects what is not media and leaves nothing', async () => {
  const path = await first.createUpload(20);
  await first.append(path, 0, Buffer.from('<html>'));
  expect((await second.append(path, 6, Buffer.from('<script></scri'))).code).toBe('invalid_media_upload');
  expect((await first.send('HEAD', path)).status).toBe(404);
  expect(await listPartKeys()).toEqual([]);
});

it('returns 503 while the store fails, keeps what has arrived, and completes on a later HEAD', async () => {
  // Files that are stored already are not stored again.
  const picture = await createPng(17, 17, '#357');
  const path = await first.createUpload(picture.length);
  await first.append(path, 0, picture.subarray(0, 30));
  const isUpload = (url: string) => url.includes('/media/uploads/');
  s3.intercept = ({ method }) => (method === 'PUT' ? { status: 503, code: 'SlowDown' } : null);
  const refused = await second.append(path, 30, picture.subarray(30));
  expect([refused.status, refused.code]).toEqual([503, 'media_storage_unavailable']);
  expect(await first.readOffset(path)).toBe(30);
  s3.intercept = ({ method, url }) => (method === 'PUT' && isUpload(url) ? { status: 503, code: 'SlowDown' } : null);
  expect((await second.append(path, 30, picture.subarray(30))).status).toBe(503);
  s3.intercept = null;
  expect((await first.send('HEAD', path)).headers.get('upload-id')).toMatch(/^upl_/);
});

it('counts towards the limits of its key at every process', async () => {
  const { maxOpenUploads } = service.deps.config;
  const { key } = (await service.call('create_api_key', { body: { name: 'Limited', kind: 'member' } })).body;
  for (let count = 0; count < maxOpenUploads; count += 1)
    await (count % 2 === 0 ? first : second).createUpload(1_000, { key });
  const headers = { 'upload-length': 1_000 };
  expect((await second.send('POST', '/v1/uploads/resumable', headers, { key })).code).toBe('rate_limit_exceeded');
});

it('keeps the parts of unfinished uploads during cleanup, and deletes those of expired ones', async () => {
  const path = await first.createUpload(bytes.length);
  await first.append(path, 0, bytes.subarray(0, 30));
  const { deps } = service;
  await deleteOrphanedFiles(deps, new Date(Date.now() + HOUR_MS));
  expect(await second.readOffset(path)).toBe(30);
  await deps.db
    .update(resumableUploads)
    .set({ expires_at: new Date(0) })
    .where(eq(resumableUploads.id, idOf(path)));
  await sweepResumable(deps);
  expect(await listParts(path)).toEqual([]);
  await deleteOrphanedFiles(deps, new Date(Date.now() + HOUR_MS));
  expect(await listPartKeys()).toEqual([]);
});
