import { eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Derivatives } from '#contract/resources/media-derivatives.ts';
import { Upload } from '#contract/resources/upload.ts';
import { mediaDerivations, mediaDerivatives } from '../db/derivative-schema.ts';
import { uploads } from '../db/schema.ts';
import { removeStrayFiles } from '../generations/sweep.ts';
import { onBothDatabases, type Studio } from '../generations/testing/both-databases.ts';
import { waitFor } from '../generations/testing/wait-for.ts';
import { unavailable } from '../storage/storage.ts';
import { formOf } from '../uploads/testing/upload-bench.ts';
import { startDeriver } from './deriver.ts';
import { removeStrayDerivatives } from './remove-derivatives.ts';

onBothDatabases(
  'small copies',
  () => ({}),
  (shared) => {
    let url: string;
    let made = 0;
    let stops: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      url = await shared.get().listen();
    });
    afterEach(async () => {
      for (const stop of stops) await stop();
      stops = [];
    });

    const start = async () => void stops.push(await startDeriver(shared.get().deps, { alone: true }));
    /** Nobody has it yet. */
    const newPicture = (width = 1_000) =>
      sharp({ create: { width, height: (made += 1), channels: 3, background: '#753' } })
        .png()
        .toBuffer();
    async function upload({ key }: Studio, bytes: Buffer): Promise<Upload> {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/v1/uploads`, { method: 'POST', body: formOf(bytes), headers });
      return Upload.parse(await response.json());
    }
    const read = async (studio: Studio, upload_id: string) =>
      (await studio.call('get_upload', { params: { upload_id } })).body;
    const copiesOf = (studio: Studio, { id }: Upload): Promise<Derivatives> =>
      waitFor('small copies', async () => (await read(studio, id)).derivatives, 30_000);
    const get = (link: string) => {
      const { app, deps } = shared.get();
      return app.inject({ url: link.slice(deps.config.public_url.length) });
    };
    async function sourceOf({ id }: Upload): Promise<string> {
      const [row] = await shared.get().deps.db.select().from(uploads).where(eq(uploads.id, id));
      return row?.storage_key ?? '';
    }
    async function stateOf(upload: Upload) {
      const { db } = shared.get().deps;
      const source_key = await sourceOf(upload);
      const [row] = await db.select().from(mediaDerivations).where(eq(mediaDerivations.source_key, source_key));
      return row;
    }
    const settled = (upload: Upload) =>
      waitFor(
        'an end',
        async () => {
          const row = await stateOf(upload);
          return row && row.state !== 'waiting' ? row : null;
        },
        30_000,
      );
    async function storedCopies(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of shared.get().deps.storage.list()) if (key.startsWith('derivatives/')) keys.push(key);
      return keys;
    }

    it('are there soon after an upload, with links that last as its own', async () => {
      await start();
      const studio = await shared.openStudio('1');
      const picture = await upload(studio, await newPicture(2_000));
      expect(picture.derivatives).toBeNull();
      const { thumbnails, preview_url, waveform_url } = await copiesOf(studio, picture);
      expect(thumbnails.map(({ width }) => width)).toEqual([320, 960]);
      expect([preview_url, waveform_url]).toEqual([null, null]);
      for (const { url: link, width } of thumbnails) {
        const response = await get(link);
        expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'image/webp']);
        expect(response.headers['content-disposition']).toMatch(/^inline; filename="emulsion-upl_\w+\.webp"$/);
        expect((await sharp(response.rawPayload).metadata()).width).toBe(width);
      }
      expect((await studio.call('list_uploads')).body.data[0]?.derivatives).toEqual({
        thumbnails,
        preview_url,
        waveform_url,
      });
    });

    it('are one where the original is hardly larger', async () => {
      await start();
      const studio = await shared.openStudio('1');
      const { thumbnails } = await copiesOf(studio, await upload(studio, await newPicture(200)));
      expect(thumbnails.map(({ width }) => width)).toEqual([200]);
    });

    it('404 for a copy that is not made, a name that there is not, and a link that is changed', async () => {
      await start();
      const studio = await shared.openStudio('1');
      const { thumbnails } = await copiesOf(studio, await upload(studio, await newPicture()));
      const link = thumbnails[0]?.url ?? '';
      for (const wrong of ['preview', 'thumbnail-640', '__proto__', '', 'thumbnail-320&as=preview']) {
        expect([wrong, (await get(link.replace(/as=.*/, `as=${wrong}`))).statusCode]).toEqual([wrong, 404]);
      }
      expect((await get(link.replace(/sig=.{4}/, 'sig=AAAA'))).statusCode).toBe(404);
      expect((await get(link.replace(/&as=.*/, ''))).statusCode).toBe(200);
    });

    it('belong to the bytes: shared by uploads of the same file, gone with the last', async () => {
      await start();
      const studio = await shared.openStudio('1');
      const bytes = await newPicture();
      const [first, second] = [await upload(studio, bytes), await upload(studio, bytes)];
      const link = (await copiesOf(studio, first)).thumbnails[0]?.url ?? '';
      const other = (await copiesOf(studio, second)).thumbnails[0]?.url ?? '';
      const source = await sourceOf(first);
      await studio.call('delete_upload', { params: { upload_id: first.id } });
      expect([(await get(link)).statusCode, (await get(other)).statusCode]).toEqual([404, 200]);
      await studio.call('delete_upload', { params: { upload_id: second.id } });
      expect((await get(other)).statusCode).toBe(404);
      const own = `derivatives/${source.replace(/\.\w+$/, '')}/`;
      await waitFor('the copies to go', async () => !(await storedCopies()).some((key) => key.startsWith(own)));
      const rows = await shared
        .get()
        .deps.db.select()
        .from(mediaDerivatives)
        .where(eq(mediaDerivatives.source_key, source));
      expect(rows).toEqual([]);
    });

    it('are not made for ever of what they can’t be made of', async () => {
      const { storage } = shared.get().deps;
      const studio = await shared.openStudio('1');
      const picture = await upload(studio, await newPicture());
      async function* garbage() {
        yield Buffer.from('no picture');
      }
      await storage.put(await sourceOf(picture), garbage());
      await start();
      expect(await settled(picture)).toMatchObject({
        state: 'failed',
        attempts: 1,
        problem: expect.stringContaining('copy'),
      });
      expect((await read(studio, picture.id)).derivatives).toBeNull();
      const next = await upload(studio, await newPicture());
      expect((await copiesOf(studio, next)).thumbnails).toHaveLength(2);
    });

    it('are given up where their making ends the process each time', async () => {
      const { db, clock } = shared.get().deps;
      const studio = await shared.openStudio('1');
      const picture = await upload(studio, await newPicture());
      const held = { attempts: 3, due_at: new Date(clock.now().getTime() + 600_000) };
      await db
        .update(mediaDerivations)
        .set(held)
        .where(eq(mediaDerivations.source_key, await sourceOf(picture)));
      await start();
      expect(await settled(picture)).toMatchObject({ state: 'failed', attempts: 4 });
    });

    it('are made later where the store was away', async () => {
      const { storage, clock } = shared.get().deps;
      const studio = await shared.openStudio('1');
      const { copyToFile } = storage;
      let asked = 0;
      storage.copyToFile = async () => {
        asked += 1;
        return unavailable(new Error('away'));
      };
      const picture = await upload(studio, await newPicture());
      await start();
      await waitFor('the store to be asked', async () => asked > 0);
      await waitFor('it to be put off', async () => ((await stateOf(picture))?.due_at ?? 0) > clock.now());
      expect(await stateOf(picture)).toMatchObject({ state: 'waiting', attempts: 0 });
      storage.copyToFile = copyToFile;
      clock.advance(61_000);
      await upload(studio, await newPicture());
      expect((await copiesOf(studio, picture)).thumbnails).toHaveLength(2);
    });

    it('are handed back when the service stops, and made when it is back', async () => {
      const { storage } = shared.get().deps;
      const studio = await shared.openStudio('1');
      const picture = await upload(studio, await newPicture());
      const { copyToFile } = storage;
      let began = false;
      storage.copyToFile = (_key, _file, { signal } = {}) => {
        began = true;
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      };
      await start();
      await waitFor('it to begin', async () => began);
      await stops.pop()?.();
      storage.copyToFile = copyToFile;
      expect(await stateOf(picture)).toMatchObject({ state: 'waiting', attempts: 0 });
      await start();
      expect((await copiesOf(studio, picture)).thumbnails).toHaveLength(2);
    });

    it('are made of what was there before, the newest first', async () => {
      const { db, clock, storage } = shared.get().deps;
      const studio = await shared.openStudio('1');
      const sources: string[] = [];
      const old: Upload[] = [];
      for (let age = 0; age < 3; age += 1) {
        clock.advance(1_000);
        old.push(await upload(studio, await newPicture()));
        sources.unshift(await sourceOf(old[age] as Upload));
      }
      await db.delete(mediaDerivations).where(inArray(mediaDerivations.source_key, sources));
      const { copyToFile } = storage;
      const taken: string[] = [];
      storage.copyToFile = async (key, ...rest) => {
        taken.push(key);
        return copyToFile(key, ...rest);
      };
      await start();
      for (const picture of old) expect((await copiesOf(studio, picture)).thumbnails).toHaveLength(2);
      storage.copyToFile = copyToFile;
      expect(taken).toEqual(sources);
    });

    it('stay when files without a name are swept, and go when their media are gone', async () => {
      const { deps } = shared.get();
      await start();
      const studio = await shared.openStudio('1');
      const picture = await upload(studio, await newPicture());
      await copiesOf(studio, picture);
      const later = () => new Date(Date.now() + 1_000);
      const kept = await storedCopies();
      async function* stray() {
        yield Buffer.from('x');
      }
      await deps.storage.put('derivatives/uploads/upl_none/preview.mp4', stray());
      expect(await removeStrayDerivatives(deps)).toBe(0);
      await removeStrayFiles(deps, later());
      expect((await storedCopies()).toSorted()).toEqual(kept.toSorted());
      await deps.db.update(uploads).set({ removed_at: new Date() }).where(eq(uploads.id, picture.id));
      expect(await removeStrayDerivatives(deps)).toBe(2);
      expect(await storedCopies()).toHaveLength(kept.length - 2);
      expect(await stateOf(picture)).toBeUndefined();
    });
  },
);
