import { describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';
import { normalizeLabel } from '#server/studio/assets/normalize-label.ts';

describe('normalizeLabel', () => {
  it('keeps the case of a label', () => {
    expect([' Red \t FOX ', 'ﬁn', 'CAFÉ', 'e\u0301', 'a\u200bb', '狐'].map(normalizeLabel)).toEqual([
      'Red FOX',
      'fin',
      'CAFÉ',
      'é',
      'ab',
      '狐',
    ]);
    expect(['', ' \u200b ', 'x'.repeat(41)].map(normalizeLabel)).toEqual([null, null, null]);
  });
});

describeOnBothDatabases(
  'labels',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const label = async (studio: TestOrganization, media_ids: string[], add: string[], remove: string[] = []) =>
      (await studio.call('label_media', { body: { media_ids, add, remove } })).body;
    const suggest = async (studio: TestOrganization, q = '') =>
      (await studio.call('list_media_labels', { query: { q } })).body.data.map((each) => each.label);

    it('are put on the files of an order that asks for them in its metadata', async () => {
      const studio = await service.createOrganization('50');
      await label(studio, [(await bench.upload(studio, '1.png')).id], ['Hero']);
      const tags = `spring, hero,, Spring ,${'x'.repeat(41)}`;
      const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a fox' }, metadata: { tags } };
      const ordered = await studio.call('create_generation', { body });
      const { output } = await bench.run(studio, ordered.body.id);
      const fox = output.assets[0]?.id ?? '';
      expect((await bench.read(studio, fox)).labels).toEqual(['Hero', 'spring']);
      expect(await bench.list(studio, { q: 'spring' })).toEqual([fox]);
      // A later change moves no money, and leaves the order as it was sent.
      const entries = async () => (await studio.call('list_ledger')).body.data;
      const charged = await entries();
      await label(studio, [fox], ['autumn'], ['spring']);
      expect(await entries()).toEqual(charged);
      const { body: read } = await studio.call('get_generation', { params: { generation_id: ordered.body.id } });
      expect(read.metadata).toEqual({ tags });
    });

    it('are added to several files, removed, suggested and filtered by', async () => {
      const studio = await service.createOrganization('50');
      const generation = await bench.generate(studio, 'a red fox');
      const fox = generation.output.assets[0]?.id ?? '';
      const [one, two] = [(await bench.upload(studio, '1.png')).id, (await bench.upload(studio, '2.png')).id];
      const change = await label(studio, [fox, one], ['  Hero ', 'hero', 'Red Fox']);
      expect(change.media).toEqual(
        expect.arrayContaining([
          { id: fox, labels: ['Hero', 'Red Fox'] },
          { id: one, labels: ['Hero', 'Red Fox'] },
        ]),
      );
      await label(studio, [one, two], ['draft', 'RED FOX'], ['HERO']);
      expect((await bench.read(studio, two)).labels).toEqual(['draft', 'Red Fox']);
      await label(studio, [two], [], ['red fox']);
      expect((await bench.read(studio, one)).labels).toEqual(['draft', 'Red Fox']);
      expect(await bench.list(studio, { label: 'Red  fox' })).toEqual([one, fox]);
      expect(await bench.list(studio, { label: 'red fox', origin: 'generated' })).toEqual([fox]);
      expect(await bench.list(studio, { label: 'draft' })).toEqual([two, one]);
      const works = async (label: string) =>
        (await studio.call('list_generations', { query: { label } })).body.data.map(({ id }) => id);
      expect([await works('RED fox'), await works('draft')]).toEqual([[generation.id], []]);
      expect([await bench.list(studio, { label: 'fox' }), await bench.list(studio, { label: '\u200b' })]).toEqual([
        [],
        [],
      ]);
      expect([await suggest(studio), await suggest(studio, 'FOX'), await suggest(studio, '%')]).toEqual([
        ['draft', 'Hero', 'Red Fox'],
        ['Red Fox'],
        [],
      ]);
    });

    it('are found by the search, beside words, in the library and in a collection', async () => {
      const studio = await service.createOrganization('50');
      const generation = await bench.generate(studio, 'a spring meadow');
      const meadow = generation.output.assets[0]?.id ?? '';
      const [one, two] = [(await bench.upload(studio, '1.png')).id, (await bench.upload(studio, '2.png')).id];
      await label(studio, [one], ['spring', '★']);
      await label(studio, [two], ['autumn']);
      expect(await bench.list(studio, { q: 'Spring ' })).toEqual([one, meadow]);
      expect(await bench.list(studio, { q: 'spring', origin: 'upload' })).toEqual([one]);
      expect(await bench.list(studio, { q: 'spring', label: 'autumn' })).toEqual([]);
      expect(await bench.list(studio, { q: '★' })).toEqual([one]);
      const page = await studio.call('list_media', { query: { q: 'spring', limit: 1 } });
      expect(page.body).toMatchObject({ data: [{ id: one }], has_more: true });
      const { id } = (await studio.call('create_collection', { body: { name: 'All' } })).body;
      await studio.call('add_collection_media', {
        params: { collection_id: id },
        body: { media_ids: [meadow, one, two] },
      });
      expect(new Set(await bench.list(studio, { q: 'spring', collection_id: id }))).toEqual(new Set([one, meadow]));
    });

    it('stay with a file in the trash, and go when it is deleted for good', async () => {
      const studio = await service.createOrganization('1');
      const { id } = await bench.upload(studio, 'a.png');
      await label(studio, [id], ['kept']);
      await studio.call('delete_media', { body: { ids: [id], to_trash: true } });
      expect(await bench.list(studio, { label: 'kept' })).toEqual([]);
      expect(await bench.list(studio, { label: 'kept', in_trash: 'true' })).toEqual([id]);
      await studio.call('restore_media', { body: { ids: [id] } });
      expect((await bench.read(studio, id)).labels).toEqual(['kept']);
      await studio.call('delete_media', { body: { ids: [id] } });
      const { db } = service.get().deps;
      expect(await db.$count(mediaLabels, eq(mediaLabels.media_id, id))).toBe(0);
    });

    it('are limited, and nobody labels media of another organization', async () => {
      const studio = await service.createOrganization('1');
      const other = await service.createOrganization('1');
      const { id } = await bench.upload(studio, 'a.png');
      const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => `label ${from + at}`);
      await label(studio, [id], many(0, 15));
      const media_ids = [id];
      const full = await studio.callError('label_media', { body: { media_ids, add: many(15, 6) } });
      expect([full.status, (await bench.read(studio, id)).labels.length]).toEqual([400, 15]);
      for (const [path, body] of [
        ['add', { media_ids, add: many(0, 21) }],
        ['add.0', { media_ids, add: ['x'.repeat(41)] }],
        ['add.1', { media_ids, add: ['x', '\u200b'] }],
        ['media_ids', { media_ids: [], add: ['x'] }],
      ] as const) {
        const { status, error } = await studio.callError('label_media', { body });
        expect([status, error.details?.[0]?.path]).toEqual([422, path]);
      }
      const change = await label(other, [id], ['theirs']);
      expect([change.media, change.missing_ids, await suggest(other)]).toEqual([[], [id], []]);
      expect(await bench.list(other, { label: 'label 1' })).toEqual([]);
    });
  },
);
