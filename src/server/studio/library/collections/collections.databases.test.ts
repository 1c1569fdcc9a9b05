import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { MAX_COLLECTION_MEDIA, MAX_COLLECTIONS } from '#contract/limits.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { collectionItems, collections } from '#server/platform/db/schema/collection-schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

describeOnBothDatabases(
  'collections',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const create = async (studio: TestOrganization, name: string) =>
      (await studio.call('create_collection', { body: { name } })).body;
    const add = async (studio: TestOrganization, collection_id: string, ...media_ids: string[]) =>
      (await studio.call('add_collection_media', { params: { collection_id }, body: { media_ids } })).body;
    const outputOf = ({ output }: { output: { assets: { id: string }[] } }) => output.assets[0]?.id ?? '';

    it('are created, renamed, listed newest first and found by a part of their names', async () => {
      const studio = await service.createOrganization('1');
      const { clock } = service.get().deps;
      const first = await create(studio, '  Summer 100%  ');
      clock.advance(1000);
      const second = await create(studio, 'Winter');
      expect(first).toMatchObject({ name: 'Summer 100%', description: '', media_count: 0, cover: null });
      const params = { collection_id: first.id };
      const body = { name: 'Late summer 100%', description: 'Warm light.' };
      expect((await studio.call('update_collection', { params, body })).body).toMatchObject(body);
      const names = async (query: Record<string, string | number> = {}) =>
        (await studio.call('list_collections', { query })).body.data.map(({ name }) => name);
      expect(await names()).toEqual(['Winter', 'Late summer 100%']);
      expect([await names({ q: 'SUMMER' }), await names({ q: '%' }), await names({ q: 'inter' })]).toEqual([
        ['Late summer 100%'],
        ['Late summer 100%'],
        ['Winter'],
      ]);
      const page = (await studio.call('list_collections', { query: { limit: 1 } })).body;
      expect([page.data[0]?.id, page.has_more]).toEqual([second.id, true]);
      expect(await names({ limit: 1, cursor: page.next_cursor ?? '' })).toEqual(['Late summer 100%']);
    });

    it('list their media by order of adding, with filters and pages', async () => {
      const studio = await service.createOrganization('50');
      const { clock } = service.get().deps;
      const old = await bench.upload(studio, 'old.png');
      clock.advance(1000);
      const fox = outputOf(await bench.generate(studio, 'a red fox'));
      const sound = await bench.upload(studio, 'rain.wav', media.sound());
      const { id: collection_id } = await create(studio, 'Mixed');
      await add(studio, collection_id, fox);
      const change = await add(studio, collection_id, old.id, fox, sound.id);
      expect([change.changed_ids, change.missing_ids]).toEqual([[old.id, sound.id], []]);
      expect(change.collection).toMatchObject({ media_count: 3, cover: { id: old.id, is_chosen: false } });
      const all = [old.id, sound.id, fox];
      expect(await bench.list(studio, { collection_id })).toEqual(all);
      expect(await bench.list(studio, { collection_id, type: 'image' })).toEqual([old.id, fox]);
      expect(await bench.list(studio, { collection_id, origin: 'generated' })).toEqual([fox]);
      expect(await bench.list(studio, { collection_id, q: 'rain' })).toEqual([sound.id]);
      expect(await bench.list(studio, { collection_id, q: 'red' })).toEqual([fox]);
      expect(await bench.list(studio, { collection_id, task: 'image.edit' })).toEqual([]);
      expect(await bench.list(studio, { collection_id, in_trash: 'true' })).toEqual([]);
      expect(await bench.list(studio, { collection_id, q: '…?!' })).toEqual([]);
      expect(await bench.list(studio, { collection_id, task: 'image.create', origin: 'upload' })).toEqual([]);
      const paged: string[] = [];
      for (let cursor = ''; paged.length < all.length;) {
        const { body } = await studio.call('list_media', { query: { collection_id, limit: 1, cursor } });
        paged.push(...body.data.map(({ id }) => id));
        cursor = body.next_cursor ?? '';
      }
      expect(paged).toEqual(all);
      const of = (await studio.call('list_collections', { query: { media_id: sound.id } })).body.data;
      expect(of.map(({ id }) => id)).toEqual([collection_id]);
    });

    it('show the chosen cover, and the newest again once it is removed', async () => {
      const studio = await service.createOrganization('1');
      const [one, two, three] = [
        await bench.upload(studio, '1.png'),
        await bench.upload(studio, '2.png'),
        await bench.upload(studio, '3.png'),
      ];
      const { id: collection_id } = await create(studio, 'Covers');
      const params = { collection_id };
      await add(studio, collection_id, one.id, two.id);
      const body = { cover_media_id: two.id };
      const { cover } = (await studio.call('update_collection', { params, body })).body;
      expect(cover).toMatchObject({ id: two.id, is_chosen: true, type: 'image' });
      const { status, error } = await studio.callError('update_collection', {
        params,
        body: { cover_media_id: three.id },
      });
      expect([status, error.details?.[0]?.path]).toEqual([400, 'cover_media_id']);
      const removed = await studio.call('remove_collection_media', { params, body: { media_ids: [two.id, three.id] } });
      expect(removed.body.changed_ids).toEqual([two.id]);
      expect(removed.body.collection).toMatchObject({ media_count: 1, cover: { id: one.id, is_chosen: false } });
      expect(await bench.list(studio)).toContain(two.id);
    });

    it('lose media that go to the trash, and have them again when they are restored', async () => {
      const studio = await service.createOrganization('1');
      const [kept, trashed] = [await bench.upload(studio, 'kept.png'), await bench.upload(studio, 'trashed.png')];
      const { id: collection_id } = await create(studio, 'Trash');
      await add(studio, collection_id, kept.id, trashed.id);
      const read = async () => (await studio.call('get_collection', { params: { collection_id } })).body;
      await studio.call('delete_media', { body: { ids: [trashed.id], to_trash: true } });
      expect([await bench.list(studio, { collection_id }), (await read()).media_count]).toEqual([[kept.id], 1]);
      await studio.call('restore_media', { body: { ids: [trashed.id] } });
      expect(await bench.list(studio, { collection_id })).toEqual([kept.id, trashed.id]);
      await studio.call('delete_media', { body: { ids: [trashed.id, kept.id] } });
      expect(await read()).toMatchObject({ media_count: 0, cover: null });
      const { db } = service.get().deps;
      expect(await db.$count(collectionItems, eq(collectionItems.collection_id, collection_id))).toBe(0);
    });

    it('leave their media in the library when they are deleted, which the audit log records', async () => {
      const studio = await service.createOrganization('1');
      const { id } = await bench.upload(studio, 'a.png');
      const { id: collection_id } = await create(studio, 'Short-lived');
      await add(studio, collection_id, id);
      await studio.call('delete_collection', { params: { collection_id } });
      expect((await studio.callError('get_collection', { params: { collection_id } })).status).toBe(404);
      expect([await bench.list(studio), await bench.list(studio, { collection_id })]).toEqual([[id], []]);
      const events = await service
        .get()
        .deps.db.select()
        .from(auditEvents)
        .where(eq(auditEvents.target_id, collection_id));
      expect(events).toMatchObject([
        { action: 'collection.deleted', target_name: 'Short-lived', before: { media_count: 1 } },
      ]);
    });

    it('of another organization look as if they did not exist, and so do its media', async () => {
      const studio = await service.createOrganization('1');
      const other = await service.createOrganization('1');
      const { id } = await bench.upload(studio, 'a.png');
      const { id: collection_id } = await create(studio, 'Ours');
      await add(studio, collection_id, id);
      const unknown = 'col_01m7y6v0gyeg6ksk7hyezzk3qs';
      const calls = [
        ['get_collection', {}],
        ['update_collection', { body: { name: 'Theirs' } }],
        ['delete_collection', {}],
        ['add_collection_media', { body: { media_ids: [id] } }],
        ['remove_collection_media', { body: { media_ids: [id] } }],
      ] as const;
      for (const [name, options] of calls) {
        const foreign = await other.callError(name, { params: { collection_id }, ...options });
        const missing = await other.callError(name, { params: { collection_id: unknown }, ...options });
        expect([name, foreign.status, foreign.error.message]).toEqual([name, 404, missing.error.message]);
      }
      expect(await bench.list(other, { collection_id })).toEqual([]);
      expect((await other.call('list_collections', { query: { media_id: id } })).body.data).toEqual([]);
      const own = await create(other, 'Theirs');
      const change = await add(other, own.id, id, 'ast_01m7y6v0gyeg6ksk7hyezzk3qs');
      expect([change.changed_ids, change.missing_ids]).toEqual([[], [id, 'ast_01m7y6v0gyeg6ksk7hyezzk3qs']]);
      expect((await studio.call('list_collections')).body.data[0]?.name).toBe('Ours');
    });

    it('are limited in number and size', async () => {
      const studio = await service.createOrganization('1');
      const { clock, db } = service.get().deps;
      const { id } = await bench.upload(studio, 'a.png');
      const { id: collection_id, created_by } = await create(studio, 'Full');
      const now = clock.now();
      const item = { collection_id, added_by: created_by.id, added_at: now };
      const items = Array.from({ length: MAX_COLLECTION_MEDIA }, () => ({ ...item, media_id: createId('upl', now) }));
      await db.insert(collectionItems).values(items);
      const body = { media_ids: [id] };
      const full = await studio.callError('add_collection_media', { params: { collection_id }, body });
      expect([full.status, full.error.message]).toEqual([400, expect.stringContaining('room for 0 more')]);
      const { organization_id } = studio;
      const more = { organization_id, name: 'x', created_by: created_by.id, created_at: now, updated_at: now };
      const rows = Array.from({ length: MAX_COLLECTIONS - 1 }, () => ({ ...more, id: createId('col', now) }));
      await db.insert(collections).values(rows);
      expect((await studio.callError('create_collection', { body: { name: 'One more' } })).status).toBe(400);
      for (const name of ['', '   ', 'x'.repeat(81)])
        expect((await studio.callError('create_collection', { body: { name } })).status).toBe(422);
      const ids = Array.from({ length: 501 }, () => id);
      const many = await studio.callError('add_collection_media', {
        params: { collection_id },
        body: { media_ids: ids },
      });
      expect([many.status, many.error.details?.[0]?.path]).toEqual([422, 'media_ids']);
    });
  },
);
