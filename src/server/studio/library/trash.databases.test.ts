import { expect, it } from 'vitest';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { purgeRemovedUploads, purgeTrash, removeExpiredMedia } from '#server/studio/assets/retention.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { createLibraryFixture } from './testing/library-fixture.ts';

const DAY_MS = 86_400_000;
const media = useMediaFixture();

describeOnBothDatabases(
  'the trash',
  () => ({ clock: createTestClock(), engines: [createScriptedEngine()], config: { mediaTtlDays: 100 } }),
  (service) => {
    const bench = createLibraryFixture(service, media);
    const trash = async (studio: TestOrganization, ids: string[]) =>
      (await studio.call('delete_media', { body: { ids, to_trash: true } })).body;
    const restore = async (studio: TestOrganization, ids: string[]) =>
      (await studio.call('restore_media', { body: { ids } })).body;
    const listTrash = async (studio: TestOrganization) =>
      (await studio.call('list_media', { query: { in_trash: 'true' } })).body.data;
    const statusOf = async (url: string) => {
      const { app, deps } = service.get();
      return (await app.inject({ url: url.slice(deps.config.publicUrl.length) })).statusCode;
    };
    const isStored = async (id: string) => {
      for await (const { key } of service.get().deps.storage.list()) if (key.includes(id)) return true;
      return false;
    };
    /** An output and an upload. */
    async function createMedia(studio: TestOrganization, file = media.picture()) {
      const generation = await bench.generate(studio, 'a lighthouse');
      const [output] = generation.output.assets;
      const upload = await bench.upload(studio, 'a file', file);
      return { generation, output, upload, ids: [output?.id ?? '', upload.id], url: output?.url ?? '' };
    }
    const cleanUp = async () => {
      const { deps } = service.get();
      await removeExpiredMedia(deps);
      await purgeTrash(deps);
      await purgeRemovedUploads(deps);
      await deleteOrphanedFiles(deps, new Date(Date.now() + DAY_MS));
    };

    it('takes files out of lists, links and new inputs, and restores them as they were', async () => {
      const studio = await service.createOrganization('50');
      const { generation, upload, ids, url } = await createMedia(studio);
      await studio.call('add_favourite', { params: { media_id: ids[0] ?? '' } });
      const before = (await studio.call('list_media')).body.data;
      const { body } = { body: await trash(studio, ids) };
      expect(body.deleted.map(({ id }) => id)).toEqual(ids);
      expect(await bench.list(studio)).toEqual([]);
      expect((await studio.callError('get_media', { params: { media_id: upload.id } })).status).toBe(404);
      expect([await statusOf(url), await statusOf(upload.url)]).toEqual([404, 404]);
      const input = { prompt: 'x', images: [{ url: upload.url }] };
      const edit = { body: { task: 'image.edit', model: 'imgmodel-b-2', input } };
      expect((await studio.callError('create_generation', edit)).status).toBe(400);
      const params = { params: { generation_id: generation.id } };
      expect((await studio.call('get_generation', params)).body.output.assets[0]?.removed_at).not.toBeNull();
      expect(await trash(studio, ids)).toMatchObject({ deleted: [], kept: [{ reason: 'not_found' }, {}] });

      await cleanUp();
      expect(await restore(studio, [...ids, ...ids])).toMatchObject({ restored_ids: ids, missing_ids: [] });
      expect((await studio.call('list_media')).body.data).toEqual(before);
      expect((await studio.call('get_generation', params)).body.output.assets).toEqual(
        generation.output.assets.map((asset) => ({ ...asset, favourite: true })),
      );
      expect([await statusOf(url), await statusOf(upload.url)]).toEqual([200, 200]);
      expect((await studio.call('create_generation', edit)).status).toBe(201);
      expect(await restore(studio, ids)).toMatchObject({ restored_ids: [], missing_ids: ids });
    });

    it('lists files with links that work only there', async () => {
      const studio = await service.createOrganization('50');
      const { ids } = await createMedia(studio);
      const { deps } = service.get();
      await trash(studio, ids);
      const items = await listTrash(studio);
      expect(items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const now = deps.clock.now();
      for (const item of items) {
        expect(item).toMatchObject({
          trashed_at: now.toISOString(),
          kept_until: new Date(now.getTime() + 30 * DAY_MS).toISOString(),
        });
        expect(await statusOf(item.url)).toBe(200);
        expect(await statusOf(item.url.replace('&trash=1', ''))).toBe(404);
      }
      await studio.call('delete_media', { body: { ids } });
      expect(await listTrash(studio)).toEqual([]);
      for (const item of items) expect(await statusOf(item.url)).toBe(404);
    });

    it('deletes files for good on request, and after 30 days', async () => {
      const studio = await service.createOrganization('50');
      const [first, second] = [await createMedia(studio), await createMedia(studio, media.sound())];
      const { deps } = service.get();
      await trash(studio, [...first.ids, ...second.ids]);
      await studio.call('delete_media', { body: { ids: first.ids } });
      for (const id of first.ids) expect(await isStored(id)).toBe(false);
      for (const id of second.ids) expect(await isStored(id)).toBe(true);
      expect(await restore(studio, first.ids)).toMatchObject({ restored_ids: [] });

      deps.clock.advance(30 * DAY_MS);
      await cleanUp();
      for (const id of second.ids) expect(await isStored(id)).toBe(true);
      const trashed_at = (await listTrash(studio))[0]?.trashed_at;
      deps.clock.advance(1);
      expect(await purgeTrash(deps)).toBe(2);
      expect(await purgeTrash(deps)).toBe(0);
      for (const id of second.ids) expect(await isStored(id)).toBe(false);
      expect(await restore(studio, second.ids)).toMatchObject({ restored_ids: [] });
      const { body } = await studio.call('get_generation', { params: { generation_id: second.generation.id } });
      expect(body.output.assets[0]?.removed_at).toBe(trashed_at);
    });

    it('never keeps a file longer than MEDIA_TTL_DAYS', async () => {
      const studio = await service.createOrganization('50');
      const { ids, upload } = await createMedia(studio);
      const { deps } = service.get();
      deps.clock.advance(90 * DAY_MS);
      await trash(studio, ids);
      const kept_until = new Date(Date.parse(upload.created_at) + 100 * DAY_MS).toISOString();
      expect((await listTrash(studio)).find(({ id }) => id === upload.id)?.kept_until).toBe(kept_until);
      deps.clock.advance(11 * DAY_MS);
      await cleanUp();
      expect(await listTrash(studio)).toEqual([]);
      for (const id of ids) expect(await isStored(id)).toBe(false);
    });

    it('keeps the bytes that an upload of the same file shares', async () => {
      const studio = await service.createOrganization('50');
      const [first, second] = [await bench.upload(studio, 'a.png'), await bench.upload(studio, 'b.png')];
      await trash(studio, [first.id]);
      await studio.call('delete_media', { body: { ids: [second.id] } });
      expect(await restore(studio, [first.id])).toMatchObject({ restored_ids: [first.id] });
      expect(await statusOf(first.url)).toBe(200);
    });

    it('keeps a file that an active generation uses in the library', async () => {
      const studio = await service.createOrganization('50');
      const upload = await bench.upload(studio, 'a.png');
      const input = { images: [{ url: upload.url }] };
      const edit = { task: 'image.edit', model: 'imgmodel-b-2', input };
      await bench.createGeneration(studio, 'x', edit);
      expect(await trash(studio, [upload.id])).toMatchObject({ deleted: [], kept: [{ reason: 'in_use' }] });
      expect(await bench.list(studio)).toEqual([upload.id]);
    });

    it('restores a file or deletes it for good when both happen at once', async () => {
      const studio = await service.createOrganization('50');
      for (let round = 0; round < 6; round += 1) {
        const upload = await bench.upload(studio, `${round}.png`);
        await trash(studio, [upload.id]);
        const [restored, deleted] = await Promise.all([
          restore(studio, [upload.id]),
          studio.call('delete_media', { body: { ids: [upload.id] } }),
        ]);
        // Restored first, it is a file of the library, which the deletion deletes.
        expect(deleted.body.deleted).toHaveLength(1);
        expect(restored.restored_ids.length).toBeLessThanOrEqual(1);
        expect([await bench.list(studio), await listTrash(studio)]).toEqual([[], []]);
      }
    });

    it('is closed to other organizations', async () => {
      const studio = await service.createOrganization('50');
      const other = await service.createOrganization('50');
      const { ids } = await createMedia(studio);
      expect((await trash(other, ids)).deleted).toEqual([]);
      await trash(studio, ids);
      expect(await listTrash(other)).toEqual([]);
      expect(await restore(other, ids)).toMatchObject({ restored_ids: [], missing_ids: ids });
      expect((await other.call('delete_media', { body: { ids } })).body.deleted).toEqual([]);
      expect(await listTrash(studio)).toHaveLength(2);
    });
  },
);
