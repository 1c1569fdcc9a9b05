import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { markMp4, xmpPacket } from '#server/platform/media/testing/marks-fixture.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { createTestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { createLibraryFixture } from './testing/library-fixture.ts';

const tools = createToolsEngine(await sharedMediaTools());

describeOnBothDatabases(
  'names of media',
  () => ({ engines: [tools, createScriptedEngine()] }),
  (service) => {
    const media = useMediaFixture();
    const bench = createLibraryFixture(service, media);
    const download = async (url: string) => {
      const { pathname, search } = new URL(url);
      const { headers } = await service.get().app.inject({ method: 'HEAD', url: `${pathname}${search}&download=1` });
      return decodeURIComponent(String(headers['content-disposition']));
    };
    const rename = async (studio: Parameters<typeof bench.read>[0], media_id: string, name: string) =>
      (await studio.call('rename_media', { params: { media_id }, body: { name } })).body;
    const today = () => service.get().deps.clock.now().toISOString().slice(0, 10);

    it('of results of tools say the source and what was done, for downloads, lists and the search', async () => {
      const studio = await service.createOrganization('50');
      const file = `${media.clip()}.marked.mp4`;
      const signer = await createTestSigner();
      await writeFile(file, await signer.sign(await readFile(media.clip()), 'video/mp4'));
      await markMp4(file, { xmp: xmpPacket('trainedAlgorithmicMedia') });
      const upload = await bench.upload(studio, 'Product launch, take 2.mp4', file);
      const run = async (task: string, input: object) => {
        const { body } = await studio.call('create_generation', { body: { task, model: null, input } });
        return bench.run(studio, body.id);
      };
      const trimmed = await run('video.trim', { video: { url: upload.url }, start_seconds: 0, end_seconds: 1 });
      const [asset] = trimmed.output.assets;
      expect(asset?.name).toBe('Product launch, take 2 – trimmed');
      const item = await bench.read(studio, asset?.id ?? '');
      expect(item).toMatchObject({ name: asset?.name, filename: null, lost_marks: [] });
      expect(await download(asset?.url ?? '')).toContain(`''${today()} Product launch, take 2 – trimmed.mp4`);
      expect(await bench.list(studio, { q: 'launch trimmed' })).toEqual([asset?.id]);

      const again = await run('video.trim', { video: { url: asset?.url }, start_seconds: 0, end_seconds: 0.5 });
      const frame = await run('video.extract_frame', { video: { url: asset?.url }, timestamp_seconds: 0 });
      expect([again, frame].map(({ output }) => output.assets[0]?.name)).toEqual([
        'Product launch, take 2 – trimmed',
        'Product launch, take 2 – trimmed, frame',
      ]);
    });

    it('can be changed: the download, the search and the archive follow', async () => {
      const studio = await service.createOrganization('50');
      const generation = await bench.generate(studio, 'A red fox in the snow');
      const [asset] = generation.output.assets;
      const [id, url] = [asset?.id ?? '', asset?.url ?? ''];
      expect([asset?.name, (await bench.read(studio, id)).name]).toEqual([null, 'A red fox in the snow']);
      expect(await download(url)).toBe(`attachment; filename="${today()} A red fox in the snow.png"`);
      const renamed = await rename(studio, id, '  Hero \u202e shot:final.PNG ');
      expect(renamed).toMatchObject({ name: 'Hero shot final', filename: 'Hero shot final.png' });
      expect(await download(url)).toBe('attachment; filename="Hero shot final.png"');
      for (const q of ['hero final', 'fox snow']) expect(await bench.list(studio, { q }), q).toEqual([id]);
      await rename(studio, id, 'Closing');
      expect([await bench.list(studio, { q: 'hero' }), await bench.list(studio, { q: 'closing' })]).toEqual([[], [id]]);

      const upload = await bench.upload(studio, 'IMG_2034.png');
      expect(await rename(studio, upload.id, 'Packshot')).toMatchObject({ filename: 'Packshot.png' });
      expect(await bench.list(studio, { q: 'packshot' })).toEqual([upload.id]);
      expect(await bench.list(studio, { q: 'IMG_2034' })).toEqual([]);
    });

    it('of derived files follow what people called the source, and tell sources of one name apart', async () => {
      const studio = await service.createOrganization('50');
      const run = async (task: string, input: object) => {
        const { body } = await studio.call('create_generation', { body: { task, model: null, input } });
        const generation = await bench.run(studio, body.id);
        return generation.output.assets[0];
      };
      const trim = (source: { url: string } | undefined, end_seconds = 1) =>
        run('video.trim', { video: { url: source?.url }, start_seconds: 0, end_seconds });
      const [honey, tea] = [
        await bench.upload(studio, 'clip.mp4', media.clip()),
        await bench.upload(studio, 'clip.mp4', media.longClip()),
      ];
      const spoken = await bench.upload(studio, 'spoken.wav', media.sound());
      const names = async (...files: ({ id: string } | undefined)[]) =>
        Promise.all(files.map(async (file) => (await bench.read(studio, file?.id ?? '')).name));
      const [first, second, again] = [await trim(honey), await trim(tea), await trim(honey, 0.5)];
      expect(await names(first, second, again)).toEqual(['clip – trimmed', 'clip (2) – trimmed', 'clip – trimmed']);
      expect((await run('video.extract_frame', { video: { url: second?.url } }))?.name).toBe(
        'clip (2) – trimmed, frame',
      );

      await rename(studio, first?.id ?? '', 'Honey jar');
      const sound = await run('video.add_audio', { video: { url: first?.url }, audio: { url: spoken.url } });
      expect(sound?.name).toBe('Honey jar – with sound');
      expect((await trim(sound))?.name).toBe('Honey jar – with sound, trimmed');
    });

    it('are those of the orders of a batch, for results and what is made from them', async () => {
      const studio = await service.createOrganization('50');
      const order = (prompt: string, name: string | null) => ({
        task: 'image.create',
        model: 'imgmodel-b-2',
        input: { prompt },
        name,
      });
      const { body } = await studio.call('create_batch', {
        body: {
          mode: 'together',
          orders: [order('A jar', 'Honey: jar'), order('A tin', null), order('A lid', 'Honey jar')],
        },
      });
      const results = [];
      for (const { id } of body.generations ?? []) results.push((await bench.run(studio, id)).output.assets[0]);
      expect(results.map((asset) => asset?.name)).toEqual(['Honey jar', null, 'Honey jar (2)']);
      expect(await download(results[0]?.url ?? '')).toBe('attachment; filename="Honey jar.png"');
      expect(await bench.list(studio, { q: 'honey' })).toEqual([results[2]?.id, results[0]?.id]);
      const edited = async (source: { url: string } | undefined) => {
        const input = { prompt: 'At dusk', images: [{ url: source?.url }] };
        const created = await studio.call('create_generation', {
          body: { task: 'image.edit', model: 'imgmodel-b-2', input },
        });
        return (await bench.run(studio, created.body.id)).output.assets[0]?.name;
      };
      expect(await Promise.all(results.map(edited))).toEqual(['Honey jar – edited', null, 'Honey jar (2) – edited']);
      const { data } = (await studio.call('list_batch_orders', { params: { batch_id: body.id } })).body;
      expect(data.map((each) => each.order.name)).toEqual(['Honey: jar', null, 'Honey jar']);
    });

    it('are bounded, and nobody renames what is not theirs', async () => {
      const [studio, other] = [await service.createOrganization('1'), await service.createOrganization('1')];
      const { id } = await bench.upload(studio, 'a.png');
      const fail = async (call: typeof studio.callError, name: string) => {
        const { status, error } = await call('rename_media', { params: { media_id: id }, body: { name } });
        return [status, error.details?.[0]?.path];
      };
      for (const name of ['', ' \u200b ', '...', 'x'.repeat(81), '狐'.repeat(80)])
        expect(await fail(studio.callError, name), name).toEqual([422, 'name']);
      expect((await fail(other.callError, 'Theirs'))[0]).toBe(404);
      expect((await bench.read(studio, id)).filename).toBe('a.png');
    });
  },
);
