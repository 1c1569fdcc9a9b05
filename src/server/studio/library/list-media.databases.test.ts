import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createLibraryFixture } from './testing/library-fixture.ts';

const HOUR_MS = 3_600_000;

describeOnBothDatabases(
  'the list of the library',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const outputOf = ({ output }: { output: { assets: { id: string }[] } }) => output.assets[0]?.id ?? '';

    it('lists uploads and assets together, newest first, with their generation', async () => {
      const studio = await service.createOrganization('50');
      const { clock, config } = service.get().deps;
      const first = await bench.upload(studio, 'cat.png');
      clock.advance(1000);
      const generation = await bench.generate(studio, 'a lighthouse');
      clock.advance(1000);
      const sound = await bench.upload(studio, 'rain.wav', media.sound());
      clock.advance(1000);
      await bench.generate(studio, 'fail');
      await bench.createGeneration(studio, 'still waiting');
      const { body } = await studio.call('list_media');
      expect(body.data.map(({ id }) => id)).toEqual([sound.id, outputOf(generation), first.id]);
      expect(body.data[0]).toMatchObject({ origin: 'upload', type: 'audio', filename: 'rain.wav', generation: null });
      expect(body.data[1]).toMatchObject({
        object: 'media',
        origin: 'generated',
        type: 'image',
        filename: null,
        favourite: false,
        kept_until: null,
        generation: {
          id: generation.id,
          task: 'image.create',
          model: 'imgmodel-a-2',
          prompt: 'a lighthouse',
          status: 'succeeded',
        },
      });
      const link = await service.get().app.inject({ url: body.data[1]?.url.slice(config.publicUrl.length) ?? '' });
      expect([link.statusCode, link.headers['content-type']]).toEqual([200, 'image/png']);
    });

    it('pages consistently while media are added and deleted', async () => {
      const studio = await service.createOrganization('50');
      const { clock } = service.get().deps;
      const ids: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        // Two items share each time; the id decides their order.
        ids.push(
          (await bench.upload(studio, `${count}.png`)).id,
          outputOf(await bench.generate(studio, `picture ${count}`)),
        );
        clock.advance(1000);
      }
      const all = await bench.list(studio);
      expect([...all].sort()).toEqual([...ids].sort());
      const listedIds: string[] = [];
      let cursor = '';
      do {
        const { body } = await studio.call('list_media', { query: { limit: 3, cursor } });
        expect(body.has_more).toBe(body.next_cursor !== null);
        listedIds.push(...body.data.map(({ id }) => id));
        cursor = body.next_cursor ?? '';
        await bench.upload(studio, 'new.png');
        // The cursor stands for the last item of the page.
        await studio.call('delete_media', { body: { ids: listedIds.slice(-1) } });
      } while (cursor !== '');
      expect(listedIds).toEqual(all);
    });

    it('applies every filter, alone and combined', async () => {
      const studio = await service.createOrganization('50');
      const { clock } = service.get().deps;
      const upload = await bench.upload(studio, 'IMG_2034 Früh.png');
      clock.advance(HOUR_MS);
      const clip = await bench.upload(studio, 'clip.mp4', media.clip());
      clock.advance(HOUR_MS);
      const noon = clock.now().toISOString();
      const fox = outputOf(await bench.generate(studio, 'A red FOX in the snow, 赤い狐'));
      clock.advance(HOUR_MS);
      const images = [{ url: upload.url }];
      const edit = { task: 'image.edit', model: 'imgmodel-b-2', input: { images } };
      const edited = outputOf(await bench.generate(studio, 'make it blue', edit));
      await studio.call('add_favourite', { params: { media_id: fox } });
      await studio.call('add_favourite', { params: { media_id: upload.id } });
      const rows: [Record<string, string>, string[]][] = [
        [{ type: 'video' }, [clip.id]],
        [{ type: 'image' }, [edited, fox, upload.id]],
        [{ origin: 'upload' }, [clip.id, upload.id]],
        [{ origin: 'generated' }, [edited, fox]],
        [{ task: 'image.edit' }, [edited]],
        [{ task: 'image.create', origin: 'upload' }, []],
        [{ model: 'imgmodel-a-2' }, [fox]],
        [{ created_after: noon }, [edited, fox]],
        [{ created_before: noon }, [clip.id, upload.id]],
        [{ favourite: 'true' }, [fox, upload.id]],
        [{ favourite: 'false', type: 'image' }, [edited]],
        [{ q: 'red fox' }, [fox]],
        [{ q: 'SNOW red' }, [fox]],
        [{ q: 'sno' }, [fox]],
        [{ q: 'fox blue' }, []],
        [{ q: '赤い' }, [fox]],
        [{ q: '狐' }, [fox]],
        [{ q: '2034' }, [upload.id]],
        [{ q: 'fruh' }, [upload.id]],
        [{ q: 'png', favourite: 'true' }, [upload.id]],
        [{ q: '…?!' }, []],
        [{ q: `fox' | 'blue:*` }, []],
        [{ q: '' }, [edited, fox, clip.id, upload.id]],
      ];
      for (const [query, found] of rows) expect([query, await bench.list(studio, query)]).toEqual([query, found]);
    });

    it('shows no media of another organization and rejects its cursors', async () => {
      const studio = await service.createOrganization('50');
      const other = await service.createOrganization('50');
      for (const name of ['a.png', 'b.png']) await bench.upload(studio, name);
      await bench.generate(studio, 'a windmill');
      expect(await bench.list(other)).toEqual([]);
      expect(await bench.list(other, { q: 'windmill' })).toEqual([]);
      const { body } = await studio.call('list_media', { query: { limit: 1 } });
      const foreign = await other.callError('list_media', { query: { cursor: body.next_cursor ?? '' } });
      const unknown = await other.callError('list_media', { query: { cursor: 'AAAA.BBBB' } });
      expect([foreign.status, foreign.error.message]).toEqual([400, unknown.error.message]);
      const elsewhere = await studio.callError('list_uploads', { query: { cursor: body.next_cursor ?? '' } });
      expect(elsewhere.status).toBe(400);
    });

    it('returns 422 with the name of the parameter', async () => {
      const studio = await service.createOrganization('1');
      const wrong = { type: 'text', origin: 'x', favourite: '1', limit: '201', created_after: 'x', model: 'x' };
      for (const [name, value] of Object.entries(wrong)) {
        const { status, error } = await studio.callError('list_media', { query: { [name]: value } });
        expect([status, error.details?.[0]?.path]).toEqual([422, name]);
      }
    });

    it('finds and pages through old matches behind a thousand newer items', async () => {
      const studio = await service.createOrganization('50');
      const { clock, db } = service.get().deps;
      const old: string[] = [];
      for (let count = 0; count < 3; count += 1) {
        old.unshift(
          outputOf(await bench.generate(studio, `an ancient castle ${['north', 'east', 'west'][count]}`)),
          (await bench.upload(studio, `ancient ${count}.png`)).id,
        );
        clock.advance(1000);
      }
      const { organization_id } = studio;
      const [upload] = await db.select().from(uploads).where(eq(uploads.organization_id, organization_id)).limit(1);
      const [asset] = await db.select().from(assets).where(eq(assets.organization_id, organization_id)).limit(1);
      if (!upload || !asset) throw new Error('There is nothing yet.');
      const now = clock.now();
      const many = Array.from({ length: 1_100 });
      await db.insert(uploads).values(many.map(() => ({ ...upload, id: createId('upl', now), created_at: now })));
      const young = await bench.generate(studio, 'new');
      const more = { generation_id: young.id, created_at: now };
      await db.insert(assets).values(many.map(() => ({ ...asset, ...more, id: createId('ast', now) })));
      expect(await bench.list(studio, { limit: 3, q: 'new' })).toHaveLength(3);
      const { body } = await studio.call('list_media', { query: { limit: 4, q: 'ancient' } });
      const rest = await bench.list(studio, { limit: 4, q: 'ancient', cursor: body.next_cursor ?? '' });
      expect([...body.data.map(({ id }) => id), ...rest]).toHaveLength(6);
      expect(new Set([...body.data.map(({ id }) => id), ...rest])).toEqual(new Set(old));
      expect(await bench.list(studio, { q: 'ancient castle west' })).toEqual([old[0]]);
    });
  },
);
