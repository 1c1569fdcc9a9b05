import { expect, it } from 'vitest';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { advanceAll } from '#server/studio/batches/testing/batch-fixture.ts';
import { createLibraryFixture } from './testing/library-fixture.ts';

describeOnBothDatabases(
  'the search',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);

    it('finds the same words in Generations and in the Library', async () => {
      const studio = await service.createOrganization('50');
      const order = (prompt: string, metadata: object) => ({
        task: 'image.create',
        model: 'imgmodel-b-pro',
        input: { prompt },
        metadata,
      });
      const orders = [order('a copper kettle', { client: 'Nordlicht GmbH' }), order('a tin mug', {})];
      const { body: batch } = await studio.call('create_batch', {
        body: { mode: 'list', name: 'Herbstkatalog 2027', orders },
      });
      await advanceAll(service.get().deps, batch.id);
      const fox = await bench.generate(studio, 'a fox of brass', {
        task: 'image.edit',
        input: { images: [{ url: (await bench.upload(studio, 'Skizze.png')).url }] },
      });
      const sketch = (await bench.list(studio, { origin: 'upload' }))[0] ?? '';
      const [kettle, mug] = await Promise.all(
        ['kettle', 'mug'].map(async (q) => (await bench.list(studio, { q }))[0] ?? ''),
      );
      const foxFile = fox.output.assets[0]?.id ?? '';
      await studio.call('rename_media', { params: { media_id: kettle ?? '' }, body: { name: 'Hero shot' } });
      await studio.call('label_media', { body: { media_ids: [mug ?? '', sketch], add: ['Weihnachten ★'] } });
      await studio.call('label_media', { body: { media_ids: [foxFile], add: ['dropped'] } });
      await studio.call('label_media', { body: { media_ids: [foxFile], remove: ['DROPPED'] } });
      const nameOf = new Map([
        [kettle, 'kettle'],
        [mug, 'mug'],
        [foxFile, 'fox'],
        [sketch, 'sketch'],
      ]);
      const [{ created_by } = fox] = (await studio.call('list_generations')).body.data;
      const rows: [q: string, found: string[]][] = [
        ['copper', ['kettle']],
        ['COPPER ket', ['kettle']],
        ['opper', []],
        ['nordlicht', ['kettle']],
        ['nordlicht copper', ['kettle']],
        ['hero', ['kettle']],
        ['Weihnachten', ['mug', 'sketch']],
        ['★', ['mug', 'sketch']],
        ['weihnachten tin', ['mug']],
        ['dropped', []],
        ['ImgModel B Pro', ['kettle', 'mug']],
        ['imgmodel-b-pro', ['kettle', 'mug']],
        ['herbstkatalog', ['kettle', 'mug']],
        ['herbst tin', ['mug']],
        ['edit', ['fox']],
        ['create imag', ['kettle', 'mug']],
        ['skizze', ['sketch']],
        [created_by.name, ['fox', 'kettle', 'mug', 'sketch']],
        ['%', []],
      ];
      for (const [q, found] of rows) {
        const files = (await bench.list(studio, { q })).map((id) => nameOf.get(id));
        expect([q, files.toSorted()]).toEqual([q, found]);
        const { body } = await studio.call('list_generations', { query: { q } });
        const works = body.data.map(({ output }) => nameOf.get(output.assets[0]?.id));
        expect([q, works.toSorted()]).toEqual([q, found.filter((name) => name !== 'sketch')]);
      }
    });

    it('filters both lists by the tags of orders', async () => {
      const studio = await service.createOrganization('50');
      const body = { label: 'Client', required: false, values: null };
      await studio.call('set_tag', { params: { tag_name: 'client' }, body });
      await bench.upload(studio, 'sketch.png');
      const [first, second] = await Promise.all(
        [{ client: 'Acme' }, {}].map(async (metadata) => {
          const order = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' }, metadata };
          return bench.run(studio, (await studio.call('create_generation', { body: order })).body.id);
        }),
      );
      for (const [client, work] of [
        ['Acme', first],
        [null, second],
        ['Other', undefined],
      ] as const) {
        const query = { tags: JSON.stringify({ client }) };
        const works = (await studio.call('list_generations', { query })).body.data;
        const files = (await studio.call('list_media', { query })).body.data;
        expect(works.map(({ id }) => id)).toEqual(work ? [work.id] : []);
        expect(files.map(({ generation }) => generation?.id)).toEqual(work ? [work.id] : []);
        if (client) for (const { generation } of files) expect(generation?.tags).toEqual({ client });
      }
    });
  },
);
