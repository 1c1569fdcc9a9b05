import { get } from 'node:http';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { manifestStore, markMp4, markPng } from '#server/platform/media/testing/marks-fixture.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';
import { addSidecar } from '#server/studio/library/testing/sidecar-fixture.ts';
import { readZip } from '#server/studio/library/testing/read-zip.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const bench = createLibraryFixture(service, media);
let studio: TestOrganization;
let origin: string;
let own: Pick<Storage, 'read' | 'copyToFile'>;
beforeAll(async () => {
  studio = await service.createOrganization('50');
  origin = await service.get().listen();
  const { storage } = service.get().deps;
  own = { read: storage.read, copyToFile: storage.copyToFile };
});
afterEach(() => {
  Object.assign(service.get().deps.storage, own);
});

const archive = async (ids: string[]) => (await studio.call('archive_media', { body: { ids } })).body;
const local = (url: string) => url.replace(service.get().deps.config.publicUrl, origin);
const uploaded = async (name: string, file?: string) => (await bench.upload(studio, name, file)).id;

describe('a manifest beside a file', () => {
  const manifests = [Buffer.from('first manifest'), Buffer.alloc(100_000, 7)];
  async function createAssets() {
    const ids: string[] = [];
    for (const manifest of manifests) {
      const { output } = await bench.generate(studio, 'a lighthouse');
      const id = output.assets[0]?.id ?? '';
      await addSidecar(service.get().deps, id, manifest);
      ids.push(id);
    }
    return ids;
  }

  it('is packed after it with the same base name, in the announced length', async () => {
    const ids = [await uploaded('clip.mp4', media.clip()), ...(await createAssets())];
    const { url } = await archive(ids);
    const answer = await fetch(local(url));
    const zip = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-length')).toBe(String(zip.length));
    const files = readZip(zip);
    const day = new Date(service.get().deps.clock.now()).toISOString().slice(0, 10);
    expect(files.map(({ name }) => name)).toEqual([
      'clip.mp4',
      `${day} a lighthouse.png`,
      `${day} a lighthouse.c2pa`,
      `${day} a lighthouse (2).png`,
      `${day} a lighthouse (2).c2pa`,
    ]);
    expect([files[2]?.bytes, files[4]?.bytes]).toEqual(manifests);
  });

  it('breaks the connection if it went away since the length was announced', async () => {
    const [id = ''] = await createAssets();
    const { url } = await archive([id]);
    const { deps } = service.get();
    deps.storage.read = async (key) => {
      await deps.db.update(assetCredentials).set({ sidecar: null }).where(eq(assetCredentials.asset_id, id));
      return own.read(key);
    };
    await expect(fetch(local(url)).then((answer) => answer.arrayBuffer())).rejects.toThrow(/terminated|fetch failed/);
  });
});

describe('without content credentials', () => {
  const bare = async (ids: string[]) => (await studio.call('archive_bare_media', { body: { ids } })).body;
  const scratch = async (): Promise<string[]> => {
    const root = join(service.get().deps.config.mediaDir, 'scratch');
    const folders = await readdir(root).catch(() => []);
    return (await Promise.all(folders.map((folder) => readdir(join(root, folder))))).flat();
  };

  it('packs the files without manifests, embedded or beside them, and leaves no copies', async () => {
    const marks = { c2pa: manifestStore('one', 3_000) };
    const [clip, picture] = [`${media.clip()}.signed.mp4`, `${media.picture()}.signed.png`];
    await copyFile(media.clip(), clip);
    await markMp4(clip, marks);
    await writeFile(picture, markPng(await readFile(media.picture()), marks));
    const { output } = await bench.generate(studio, 'a lighthouse');
    const asset = output.assets[0]?.id ?? '';
    await addSidecar(service.get().deps, asset, Buffer.from('manifest'));
    const ids = [await uploaded('clip.mp4', clip), await uploaded('picture.png', picture), asset];
    const { url, count } = await bare(ids);
    const head = await fetch(local(url), { method: 'HEAD' });
    expect([count, head.status, head.headers.get('content-length')]).toEqual([3, 200, null]);
    const answer = await fetch(local(url));
    const files = readZip(Buffer.from(await answer.arrayBuffer()));
    expect(files.map(({ name }) => name.replace(/^[-\d]+ /, ''))).toEqual([
      'clip.mp4',
      'picture.png',
      'a lighthouse.png',
    ]);
    expect(files[0]?.bytes.equals(await readFile(media.clip()))).toBe(true);
    expect(files[1]?.bytes.equals(await readFile(media.picture()))).toBe(true);
    expect(await scratch()).toEqual([]);
    const [kept] = readZip(Buffer.from(await (await fetch(local((await archive(ids)).url))).arrayBuffer()));
    expect(kept?.bytes.equals(await readFile(clip))).toBe(true);
  });

  it('records who removed them, with at most a hundred ids', async () => {
    const ids = [await uploaded('a.png'), await uploaded('b.png')];
    await bare(ids);
    const { db } = service.get().deps;
    const events = await db.select().from(auditEvents).where(eq(auditEvents.organization_id, studio.organization_id));
    const [event] = events.filter(({ after }) => after?.['count'] === 2);
    expect(event).toMatchObject({
      action: 'media.exported_without_credentials',
      target_type: 'media',
      target_id: null,
      before: null,
      after: { count: 2, ids },
    });
    const before = events.length;
    await archive(ids);
    const later = await db.select().from(auditEvents).where(eq(auditEvents.organization_id, studio.organization_id));
    expect(later).toHaveLength(before);
  });

  it('stops and closes its copy when the client disconnects', async () => {
    const { url } = await bare([await uploaded('clip.mp4', media.clip()), await uploaded('b.png')]);
    const { deps } = service.get();
    const copied: string[] = [];
    deps.storage.copyToFile = async (key, file, options) => {
      copied.push(key);
      request.destroy();
      await expect.poll(() => options?.signal?.aborted).toBe(true);
      return own.copyToFile(key, file, options);
    };
    const request = get(local(url)).on('error', () => undefined);
    await expect.poll(() => copied).toHaveLength(1);
    await expect.poll(scratch).toEqual([]);
    expect(copied).toHaveLength(1);
  });

  it.each([
    ['is gone', async (key: string, storage: Storage) => storage.delete(key)],
    [
      'has another size',
      async (key: string, storage: Storage) => {
        await storage.put(key, Readable.from([Buffer.alloc(8)]));
      },
    ],
  ])('breaks the connection if a stored file %s', async (_, damage) => {
    const { deps } = service.get();
    const ids = [await uploaded('a.png'), await uploaded('clip.mp4', media.clip())];
    const { url } = await bare(ids);
    const [row] = await deps.db
      .select()
      .from(uploads)
      .where(eq(uploads.id, ids[1] ?? ''));
    await damage(row?.storage_key ?? '', deps.storage);
    await expect(fetch(local(url)).then((answer) => answer.arrayBuffer())).rejects.toThrow(/terminated|fetch failed/);
    expect(await scratch()).toEqual([]);
  });
});
