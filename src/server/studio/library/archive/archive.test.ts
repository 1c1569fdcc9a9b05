import { get } from 'node:http';
import { eq } from 'drizzle-orm';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type Storage, throwUnavailable } from '#server/platform/storage/storage.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';
import { readZip } from '#server/studio/library/testing/read-zip.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const bench = createLibraryFixture(service, media);
let studio: TestOrganization;
let origin: string;
let own: Pick<Storage, 'read' | 'stat'>;
beforeAll(async () => {
  studio = await service.createOrganization('50');
  origin = await service.get().listen();
  const { storage } = service.get().deps;
  own = { read: storage.read, stat: storage.stat };
});
afterEach(() => {
  Object.assign(service.get().deps.storage, own);
});

const archive = async (ids: string[]) => (await studio.call('archive_media', { body: { ids } })).body;
const local = (url: string) => url.replace(service.get().deps.config.publicUrl, origin);
/** Declares 1 GB; each test defines what the storage returns. */
const large = async (name: string) => {
  const id = await uploaded(name);
  await service.get().deps.db.update(uploads).set({ size_bytes: 1_000_000_000 }).where(eq(uploads.id, id));
  return id;
};
const uploaded = async (name: string, file?: string) => (await bench.upload(studio, name, file)).id;

describe('201', () => {
  it('returns a link that downloads the requested files in order without a key', async () => {
    const generation = await bench.generate(studio, 'a lighthouse');
    const ids = [
      await uploaded('clip.mp4', media.clip()),
      generation.output.assets[0]?.id ?? '',
      await uploaded('clip.mp4'),
    ];
    const response = await archive([...ids, ...ids]);
    const size_bytes = (await Promise.all(ids.map((id) => bench.read(studio, id)))).reduce(
      (sum, item) => sum + item.size_bytes,
      0,
    );
    expect(response).toMatchObject({ object: 'media_archive', count: 3, size_bytes, missing_ids: [] });
    const answer = await fetch(local(response.url));
    const zip = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zip.length),
      'content-disposition': `attachment; filename="${response.filename}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    const files = readZip(zip);
    const day = generation.created_at.slice(0, 10);
    expect(files.map(({ name }) => name)).toEqual(['clip.mp4', `${day} a lighthouse.png`, 'clip.png']);
    expect(files[0]?.bytes.equals(await readFile(media.clip()))).toBe(true);
    expect(files[2]?.bytes.equals(await readFile(media.picture()))).toBe(true);
  });

  it('lists missing media and omits those deleted later', async () => {
    const other = await service.createOrganization('1');
    const foreign = (await bench.upload(other, 'a.png')).id;
    const unknown = 'ast_01m7y6v0gyeg6ksk7hyezzk3qs';
    const [kept, gone] = [await uploaded('kept.png'), await uploaded('gone.png')];
    const response = await archive([foreign, kept, unknown, gone]);
    expect([response.count, response.missing_ids]).toEqual([2, [foreign, unknown]]);
    await studio.call('delete_media', { body: { ids: [gone] } });
    const files = readZip(Buffer.from(await (await fetch(local(response.url))).arrayBuffer()));
    expect(files.map(({ name }) => name)).toEqual(['kept.png']);
    await studio.call('delete_media', { body: { ids: [kept] } });
    expect((await fetch(local(response.url))).status).toBe(404);
  });
});

describe('the link', () => {
  it('allows five downloads, not counting HEAD requests', async () => {
    const { url } = await archive([await uploaded('a.png')]);
    for (let download = 0; download < 8; download += 1) {
      const { status, headers } = await fetch(local(url), { method: 'HEAD' });
      expect([status, Number(headers.get('content-length')) > 0]).toEqual([200, true]);
    }
    for (const status of [200, 200, 200, 200, 200, 404, 404]) {
      const answer = await fetch(local(url));
      await answer.arrayBuffer();
      expect(answer.status).toBe(status);
    }
    expect((await fetch(local(url), { method: 'HEAD' })).status).toBe(404);
  });

  it('returns 404 as JSON once expired, if changed and if unknown', async () => {
    const response = await archive([await uploaded('a.png')]);
    const { clock } = service.get().deps;
    const url = new URL(local(response.url));
    const [expires = '', sig = ''] = [url.searchParams.get('expires'), url.searchParams.get('sig')].map(String);
    const bad = [
      `${url.pathname}?expires=${Number(expires) + 1}&sig=${sig}`,
      `${url.pathname}?expires=${expires}&sig=${sig.slice(1)}A`,
      `${url.pathname}?expires=${expires}&sig=${sig}&sig=${sig}`,
      `${url.pathname}?sig=${sig}`,
      url.pathname,
      `/media/archives/arc_01m7y6v0gyeg6ksk7hyezzk3qs${url.search}`,
      `/media/archives/%00${url.search}`,
    ];
    for (const path of bad) {
      const answer = await fetch(origin + path);
      expect([path, answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        path,
        404,
        'not_found',
      ]);
    }
    clock.advance(Date.parse(response.expires_at) - clock.now().getTime() - 1);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    clock.advance(1);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('during the download', () => {
  const endless = (streams: Readable[]) => async () => {
    const source = Readable.from(
      (async function* () {
        for (;;) {
          await turn();
          yield Buffer.alloc(65_536);
        }
      })(),
    );
    streams.push(source);
    return source;
  };

  it('stops reading when the client disconnects', async () => {
    const { url } = await archive([await large('a.png'), await large('b.png')]);
    const streams: Readable[] = [];
    service.get().deps.storage.read = endless(streams);
    await new Promise<void>((resolve, reject) => {
      const request = get(local(url), (response) => {
        response.once('data', () => {
          request.destroy();
          resolve();
        });
      }).on('error', reject);
    });
    await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('reads with backpressure', async () => {
    const { url } = await archive([await large('a.png')]);
    let readBytes = 0;
    service.get().deps.storage.read = async () =>
      Readable.from(
        (async function* () {
          for (;;) {
            await turn();
            readBytes += 1_048_576;
            yield Buffer.alloc(1_048_576);
          }
        })(),
        { highWaterMark: 1 },
      );
    const request = get(local(url), (response) => response.pause()).on('error', () => undefined);
    let before = -1;
    await expect
      .poll(() => (readBytes > 0 && readBytes === before) || ((before = readBytes), false), { interval: 300 })
      .toBe(true);
    // The buffers of two sockets and the streams between them.
    expect(readBytes).toBeLessThan(48 * 1_048_576);
    request.destroy();
  });

  it.each([
    [
      'goes away',
      async () =>
        Readable.from(
          (async function* () {
            yield Buffer.alloc(8);
            throwUnavailable(new Error('away'));
          })(),
        ),
    ],
    ['holds less than it should', async () => Readable.from([Buffer.alloc(8)])],
    ['holds more than it should', async () => Readable.from([Buffer.alloc(100_000)])],
  ])('breaks the connection if the storage %s, and the next download works', async (_, broken) => {
    const { url } = await archive([await uploaded('a.png')]);
    service.get().deps.storage.read = broken;
    await expect(fetch(local(url)).then((answer) => answer.arrayBuffer())).rejects.toThrow(/terminated|fetch failed/);
    Object.assign(service.get().deps.storage, own);
    expect(readZip(Buffer.from(await (await fetch(local(url))).arrayBuffer()))).toHaveLength(1);
  });
});

it('returns 503 media_storage_unavailable if the storage is unavailable before the first byte', async () => {
  const { url } = await archive([await uploaded('a.png')]);
  service.get().deps.storage.stat = async () => throwUnavailable(new Error('away'));
  const answer = await fetch(local(url));
  const body = (await answer.json()) as { error: { code: string } };
  expect([answer.status, body.error.code]).toEqual([503, 'media_storage_unavailable']);
});

it('returns 404 if none of the media exists and 422 for invalid or too many ids', async () => {
  const [id] = ['upl_01m7y6v0gyeg6ksk7hyezzk3qs'];
  const none = await studio.callError('archive_media', { body: { ids: [id] } });
  expect([none.status, none.error.code]).toEqual([404, 'not_found']);
  for (const ids of [[], ['x'], Array.from({ length: 2_001 }, () => id)]) {
    expect((await studio.callError('archive_media', { body: { ids } })).status).toBe(422);
  }
});
