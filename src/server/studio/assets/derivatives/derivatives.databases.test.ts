import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Upload } from '#contract/resources/upload.ts';
import { mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { deleteOrphanedDerivatives } from './delete-derivatives.ts';
import { useDerivativesFixture } from './testing/derivatives-fixture.ts';

describeOnBothDatabases(
  'derivatives',
  () => ({}),
  (shared) => {
    const bench = useDerivativesFixture(shared);

    it('are created after an upload, with links that last as long as its own', async () => {
      await bench.start();
      const studio = await shared.createOrganization('1');
      const picture = await bench.upload(studio, await bench.createPicture(2_000));
      expect(picture.derivatives).toBeNull();
      const { thumbnails, preview_url, waveform_url } = await bench.waitForDerivatives(studio, picture);
      expect(thumbnails.map(({ width }) => width)).toEqual([320, 960]);
      expect([preview_url, waveform_url]).toEqual([null, null]);
      for (const { url: link, width } of thumbnails) {
        const response = await bench.get(link);
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

    it('are a single thumbnail if the original is small', async () => {
      await bench.start();
      const studio = await shared.createOrganization('1');
      const { thumbnails } = await bench.waitForDerivatives(
        studio,
        await bench.upload(studio, await bench.createPicture(200)),
      );
      expect(thumbnails.map(({ width }) => width)).toEqual([200]);
    });

    it('return 404 for a missing derivative, an unknown variant and a changed link', async () => {
      await bench.start();
      const studio = await shared.createOrganization('1');
      const { thumbnails } = await bench.waitForDerivatives(
        studio,
        await bench.upload(studio, await bench.createPicture()),
      );
      const link = thumbnails[0]?.url ?? '';
      for (const wrong of ['preview', 'thumbnail-640', '__proto__', '', 'thumbnail-320&as=preview']) {
        expect([wrong, (await bench.get(link.replace(/as=.*/, `as=${wrong}`))).statusCode]).toEqual([wrong, 404]);
      }
      expect((await bench.get(link.replace(/sig=.{4}/, 'sig=AAAA'))).statusCode).toBe(404);
      expect((await bench.get(link.replace(/&as=.*/, ''))).statusCode).toBe(200);
    });

    it('are shared by uploads of the same file and deleted with the last', async () => {
      await bench.start();
      const studio = await shared.createOrganization('1');
      const bytes = await bench.createPicture();
      const [first, second] = [await bench.upload(studio, bytes), await bench.upload(studio, bytes)];
      const link = (await bench.waitForDerivatives(studio, first)).thumbnails[0]?.url ?? '';
      const other = (await bench.waitForDerivatives(studio, second)).thumbnails[0]?.url ?? '';
      const source = await bench.findSourceKey(first);
      await studio.call('delete_upload', { params: { upload_id: first.id } });
      expect([(await bench.get(link)).statusCode, (await bench.get(other)).statusCode]).toEqual([404, 200]);
      await studio.call('delete_upload', { params: { upload_id: second.id } });
      expect((await bench.get(other)).statusCode).toBe(404);
      const own = `derivatives/${source.replace(/\.\w+$/, '')}/`;
      await waitFor(
        'the copies to go',
        async () => !(await bench.listStoredDerivatives()).some((key) => key.startsWith(own)),
      );
      const rows = await shared
        .get()
        .deps.db.select()
        .from(mediaDerivatives)
        .where(eq(mediaDerivatives.source_key, source));
      expect(rows).toEqual([]);
    });

    it('are created newest first, also of media from before the worker started', async () => {
      const { clock, storage } = shared.get().deps;
      const studio = await shared.createOrganization('1');
      const sources: string[] = [];
      const old: Upload[] = [];
      for (let age = 0; age < 3; age += 1) {
        clock.advance(1_000);
        old.push(await bench.upload(studio, await bench.createPicture()));
        sources.unshift(await bench.findSourceKey(old[age] as Upload));
      }
      const { copyToFile } = storage;
      const claimed: string[] = [];
      storage.copyToFile = async (key, ...rest) => {
        claimed.push(key);
        return copyToFile(key, ...rest);
      };
      await bench.start();
      for (const picture of old) expect((await bench.waitForDerivatives(studio, picture)).thumbnails).toHaveLength(2);
      storage.copyToFile = copyToFile;
      expect(claimed).toEqual(sources);
    });

    it('survive the orphan sweep and are deleted with their media', async () => {
      const { deps } = shared.get();
      await bench.start();
      const studio = await shared.createOrganization('1');
      const picture = await bench.upload(studio, await bench.createPicture());
      await bench.waitForDerivatives(studio, picture);
      const later = () => new Date(Date.now() + 1_000);
      const stored = await bench.listStoredDerivatives();
      async function* stray() {
        yield Buffer.from('x');
      }
      await deps.storage.put('derivatives/uploads/upl_none/preview.mp4', stray());
      expect(await deleteOrphanedDerivatives(deps)).toBe(0);
      await deleteOrphanedFiles(deps, later());
      expect((await bench.listStoredDerivatives()).toSorted()).toEqual(stored.toSorted());
      await deps.db.update(uploads).set({ removed_at: new Date() }).where(eq(uploads.id, picture.id));
      expect(await deleteOrphanedDerivatives(deps)).toBe(2);
      expect(await bench.listStoredDerivatives()).toHaveLength(stored.length - 2);
      expect(await bench.readJob(picture)).toBeUndefined();
    });
  },
);
