import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { createLibraryFixture } from './testing/library-fixture.ts';

const UNKNOWN = ['ast_01m7y6v0gyeg6ksk7hyezzk3qs', 'upl_01m7y6v0gyeg6ksk7hyezzk3qs'];

describeOnBothDatabases(
  'a medium of the library',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const outputOf = ({ output }: { output: { assets: { id: string }[] } }) => output.assets[0]?.id ?? '';
    const storedKeys = async () => {
      const keys: string[] = [];
      for await (const { key } of service.get().deps.storage.list()) keys.push(key);
      return keys.join(' ');
    };
    const editOf = (url: string) => ({ task: 'image.edit', model: 'imgmodel-b-2', input: { images: [{ url }] } });

    it('is returned with its whole prompt, creator and uses', async () => {
      const studio = await service.createOrganization('50');
      const prompt = `a lighthouse ${'in the fog '.repeat(60)}🐙`.trim();
      const generation = await bench.generate(studio, prompt);
      const [listed] = (await studio.call('list_media')).body.data;
      expect([...(listed?.generation?.prompt ?? '')]).toHaveLength(300);
      const used = await bench.createGeneration(studio, 'brighter', editOf(listed?.url ?? ''));
      const { body } = await studio.call('get_media', { params: { media_id: outputOf(generation) } });
      expect(body).toMatchObject({
        id: listed?.id,
        generation: { id: generation.id, prompt },
        created_by: generation.created_by,
        used_by: { count: 1, active_count: 1, generation_ids: [used.id] },
      });
      expect(body.sha256).toMatch(/^[0-9a-f]{64}$/);
      const upload = await bench.upload(studio, 'a.png');
      expect(await bench.read(studio, upload.id)).toMatchObject({ origin: 'upload', sha256: upload.sha256 });
    });

    it('is counted by its uses in a list of uploads', async () => {
      const studio = await service.createOrganization('50');
      const used = await bench.upload(studio, 'used.png');
      const unused = await bench.upload(studio, 'unused.png');
      for (const prompt of ['brighter', 'darker']) await bench.createGeneration(studio, prompt, editOf(used.url));
      const { body } = await studio.call('list_media', { query: { origin: 'upload' } });
      expect(new Map(body.data.map(({ id, used_by_count }) => [id, used_by_count]))).toEqual(
        new Map([
          [used.id, 2],
          [unused.id, 0],
        ]),
      );
      expect((await studio.call('list_media')).body.data[0]).not.toHaveProperty('used_by_count');
    });

    it('can be set and unset as a favorite idempotently', async () => {
      const studio = await service.createOrganization('50');
      for (const media_id of [(await bench.upload(studio, 'a.png')).id, outputOf(await bench.generate(studio, 'x'))]) {
        for (const [name, favourite] of [
          ['add_favourite', true],
          ['add_favourite', true],
          ['remove_favourite', false],
          ['remove_favourite', false],
        ] as const) {
          expect((await studio.call(name, { params: { media_id } })).body).toMatchObject({ id: media_id, favourite });
          expect((await bench.read(studio, media_id)).favourite).toBe(favourite);
        }
      }
    });

    describe('that is deleted', () => {
      it('is gone at once with its file; the generation keeps its record and charge', async () => {
        const studio = await service.createOrganization('50');
        const { app, deps } = service.get();
        const generation = await bench.generate(studio, 'a lighthouse');
        const upload = await bench.upload(studio, 'a.png');
        const ids = [outputOf(generation), upload.id];
        const before = (await studio.call('get_billing_summary')).body;
        const { body } = await studio.call('delete_media', { body: { ids: [...ids, ...ids] } });
        const size_bytes = upload.size_bytes + (generation.output.assets[0]?.size_bytes ?? 0);
        const deleted = ids.map((id) => ({ id, used_by_count: 0 }));
        expect(body).toEqual({ object: 'media_deletion', dry_run: false, deleted, kept: [], size_bytes });
        expect(await bench.list(studio)).toEqual([]);
        for (const url of [generation.output.assets[0]?.url, upload.url]) {
          expect((await app.inject({ url: url?.slice(deps.config.publicUrl.length) ?? '' })).statusCode).toBe(404);
        }
        for (const id of ids) expect(await storedKeys()).not.toContain(id);
        const record = (await studio.call('get_generation', { params: { generation_id: generation.id } })).body;
        expect(record).toMatchObject({ status: 'succeeded', usage: generation.usage });
        expect(record.output.assets).toMatchObject([{ id: ids[0], removed_at: deps.clock.now().toISOString() }]);
        expect((await studio.call('get_billing_summary')).body).toEqual(before);
        const input = { prompt: 'x', images: [{ url: generation.output.assets[0]?.url }] };
        const order = { body: { task: 'image.edit', model: 'imgmodel-b-2', input } };
        const refused = await studio.callError('create_generation', order);
        expect([refused.status, refused.error.details?.[0]?.path]).toEqual([400, 'input.images.0']);
        const again = (await studio.call('delete_media', { body: { ids } })).body;
        expect(again.deleted).toEqual([]);
        expect(again.kept.map(({ id, reason }) => [id, reason])).toEqual(ids.map((id) => [id, 'not_found']));
      });

      it('is only reported by a dry run', async () => {
        const studio = await service.createOrganization('50');
        const upload = await bench.upload(studio, 'a.png');
        for (let use = 0; use < 2; use += 1) await bench.generate(studio, 'x', editOf(upload.url));
        const ids = [upload.id];
        const { body } = await studio.call('delete_media', { body: { ids, dry_run: true } });
        const deleted = [{ id: upload.id, used_by_count: 2 }];
        expect(body).toMatchObject({ dry_run: true, deleted, kept: [], size_bytes: upload.size_bytes });
        expect(await bench.list(studio, { origin: 'upload' })).toEqual(ids);
        expect((await studio.call('delete_media', { body: { ids } })).body).toMatchObject({ dry_run: false, deleted });
        expect(await bench.list(studio, { origin: 'upload' })).toEqual([]);
      });

      it('is kept while an active generation uses it, with the generation ids', async () => {
        const studio = await service.createOrganization('50');
        const { deps } = service.get();
        const free = await bench.upload(studio, 'free.png');
        const source = await bench.generate(studio, 'a lighthouse');
        const url = source.output.assets[0]?.url ?? '';
        const first = await bench.createGeneration(studio, 'x', editOf(url));
        const second = await bench.createGeneration(studio, 'y', editOf(url));
        const ids = [free.id, outputOf(source)];
        const { body } = await studio.call('delete_media', { body: { ids } });
        expect(body.deleted).toEqual([{ id: free.id, used_by_count: 0 }]);
        expect(body.kept).toEqual([
          {
            id: ids[1],
            reason: 'in_use',
            message: 'In use by 2 active generations.',
            generation_ids: [second.id, first.id],
          },
        ]);
        expect((await bench.run(studio, first.id)).status).toBe('succeeded');
        // If it is removed in another way, such as by its age, its bytes stay until the generation completes.
        const marked = { removed_at: deps.clock.now() };
        await deps.db
          .update(assets)
          .set(marked)
          .where(eq(assets.id, ids[1] ?? ''));
        const tomorrow = new Date(Date.now() + 86_400_000);
        await deleteOrphanedFiles(deps, tomorrow);
        expect(await storedKeys()).toContain(ids[1]);
        expect((await bench.run(studio, second.id)).status).toBe('succeeded');
        await deleteOrphanedFiles(deps, tomorrow);
        expect(await storedKeys()).not.toContain(ids[1]);
      });

      it('is either used or deleted when both happen at once', async () => {
        const studio = await service.createOrganization('50');
        for (let round = 0; round < 8; round += 1) {
          const upload = await bench.upload(studio, 'a.png');
          const input = { prompt: 'x', images: [{ url: upload.url }] };
          const [taken, { body }] = await Promise.all([
            studio.request('create_generation', { body: { task: 'image.edit', model: 'imgmodel-b-2', input } }),
            studio.call('delete_media', { body: { ids: [upload.id] } }),
          ]);
          const isDeleted = body.deleted.length === 1;
          expect(taken.status).toBe(isDeleted ? 400 : 201);
          if ('body' in taken) expect((await bench.run(studio, taken.body.id)).status).toBe('succeeded');
        }
      });
    });

    it('of another organization returns the same 404 as an unknown one on every route', async () => {
      const studio = await service.createOrganization('50');
      const other = await service.createOrganization('50');
      const generation = await bench.generate(studio, 'a lighthouse');
      const ids = [outputOf(generation), (await bench.upload(studio, 'a.png')).id];
      for (const [index, id] of ids.entries()) {
        for (const name of ['get_media', 'add_favourite', 'remove_favourite'] as const) {
          const [foreign, unknown] = [
            await other.callError(name, { params: { media_id: id } }),
            await other.callError(name, { params: { media_id: UNKNOWN[index] ?? '' } }),
          ];
          expect([foreign.status, foreign.error.code]).toEqual([404, 'not_found']);
          expect({ ...foreign.error, request_id: '' }).toEqual({ ...unknown.error, request_id: '' });
        }
      }
      const { body } = await other.call('delete_media', { body: { ids: [...ids, ...UNKNOWN] } });
      expect(body.deleted).toEqual([]);
      const [first, , third] = body.kept;
      expect({ ...first, id: '' }).toEqual({ ...third, id: '' });
      expect(await bench.list(studio)).toHaveLength(2);
      expect((await bench.read(studio, ids[0] ?? '')).favourite).toBe(false);
    });

    it('returns 422 for invalid, too many or missing ids', async () => {
      const studio = await service.createOrganization('1');
      const path = async (body: Record<string, unknown>) => {
        const { status, error } = await studio.callError('delete_media', { body });
        return [status, error.details?.[0]?.path];
      };
      expect(await path({ ids: [] })).toEqual([422, 'ids']);
      expect(await path({})).toEqual([422, 'ids']);
      expect(await path({ ids: ['gen_01m7y6v0gyeg6ksk7hyezzk3qs'] })).toEqual([422, 'ids.0']);
      expect(await path({ ids: Array.from({ length: 501 }, () => UNKNOWN[0]) })).toEqual([422, 'ids']);
      expect(await path({ ids: UNKNOWN, forever: true })).toEqual([422, 'forever']);
      expect((await studio.callError('get_media', { params: { media_id: '../x' } })).status).toBe(422);
      expect((await studio.callError('get_media', { params: { media_id: 'gen_1' } })).status).toBe(404);
    });
  },
);
