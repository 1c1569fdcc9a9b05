import { expect, it } from 'vitest';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

const media = useMediaFixture();

describeOnBothDatabases(
  'the lineage of a medium',
  () => ({ engines: [createScriptedEngine()], fetcher: media.fetcher }),
  (service) => {
    const bench = createLibraryFixture(service, media);
    const lineage = async (studio: TestOrganization, media_id: string, query = {}) =>
      (await studio.call('get_media_lineage', { params: { media_id }, query })).body;
    const edit = async (studio: TestOrganization, urls: string[], prompt = 'edit') => {
      const input = { images: urls.map((url) => ({ url })) };
      const generation = await bench.generate(studio, prompt, { task: 'image.edit', model: 'imgmodel-b-2', input });
      const [asset] = generation.output.assets;
      return { gen: generation.id, id: asset?.id ?? '', url: asset?.url ?? '' };
    };
    const place = ({ nodes }: MediaLineage) => nodes.map(({ distance, id }) => [distance, id]);
    const edge = (from: string, to: string, field: string | null = null) => ({ from, to, field });

    it('holds only the medium if it has no relations', async () => {
      const studio = await service.createOrganization('1');
      const { id } = await bench.upload(studio, 'a.png');
      const body = await lineage(studio, id);
      expect(body).toMatchObject({ object: 'media_lineage', id, edges: [], truncated: false });
      expect(body.nodes).toMatchObject([
        { kind: 'media', distance: 0, id, origin: 'upload', type: 'image', media: { id } },
      ]);
      expect(body.cost).toEqual({ total_usd: '0.00', made_usd: '0.00', used_usd: '0.00' });
    });

    it('holds inputs and outputs with their costs', async () => {
      const studio = await service.createOrganization('50');
      media.fetcher.files.set('https://media.example/x', media.picture());
      const a = await bench.upload(studio, 'a.png');
      const b = await bench.upload(studio, 'b.png');
      const first = await edit(studio, [a.url, 'https://media.example/x', b.url, a.url]);
      const second = await edit(studio, [first.url, a.url]);
      const beside = await edit(studio, [b.url]);
      const third = await edit(studio, [second.url]);
      await edit(studio, [second.url], 'fail');
      const input = { images: [{ url: second.url }] };
      const waits = await bench.createGeneration(studio, 'later', {
        task: 'image.edit',
        model: 'imgmodel-b-pro',
        input,
      });
      await studio.call('create_refund', { body: { generation_id: first.gen, amount_usd: '0.01', reason: 'Blurred' } });
      const body = await lineage(studio, second.id);
      expect(place(body)).toEqual([
        [-4, b.id],
        [-3, first.gen],
        [-2, first.id],
        [-2, a.id],
        [-1, second.gen],
        [0, second.id],
        [1, third.gen],
        [1, waits.id],
        [2, third.id],
      ]);
      expect(body.edges).toEqual(
        expect.arrayContaining([
          edge(a.id, first.gen, 'images.0'),
          edge(b.id, first.gen, 'images.2'),
          edge(a.id, first.gen, 'images.3'),
          edge(first.gen, first.id),
          edge(first.id, second.gen, 'images.0'),
          edge(a.id, second.gen, 'images.1'),
          edge(second.gen, second.id),
          edge(second.id, third.gen, 'images.0'),
          edge(third.gen, third.id),
          edge(second.id, waits.id, 'images.0'),
        ]),
      );
      expect(body.edges).toHaveLength(10);
      const costs = body.nodes.flatMap((node) => (node.kind === 'generation' ? [[node.id, node.amount_usd]] : []));
      expect(Object.fromEntries(costs)).toEqual({
        [first.gen]: '0.03',
        [second.gen]: '0.04',
        [third.gen]: '0.04',
        [waits.id]: '0.09',
      });
      expect(body.cost).toEqual({ total_usd: '0.20', made_usd: '0.07', used_usd: '0.13' });
      expect(body.nodes.find(({ id }) => id === first.gen)).toMatchObject({
        task: 'image.edit',
        model: 'imgmodel-b-2',
        status: 'succeeded',
        prompt: 'edit',
        external_references: 1,
      });
      expect(body.truncated).toBe(false);
      expect(body.nodes.map(({ id }) => id)).not.toContain(beside.id);
      const ofB = await lineage(studio, b.id);
      expect(ofB.cost).toEqual({ total_usd: '0.24', made_usd: '0.00', used_usd: '0.24' });
    });

    it('includes deleted media and their costs', async () => {
      const studio = await service.createOrganization('50');
      const a = await bench.upload(studio, 'a.png');
      const first = await edit(studio, [a.url]);
      const second = await edit(studio, [first.url]);
      const before = await lineage(studio, second.id);
      await studio.call('delete_media', { body: { ids: [a.id, first.id] } });
      const body = await lineage(studio, second.id);
      expect([place(body), body.edges, body.cost]).toEqual([place(before), before.edges, before.cost]);
      const deletedNodes = body.nodes.filter((node) => node.kind === 'media' && node.media === null);
      expect(deletedNodes).toMatchObject([
        { id: a.id, origin: 'upload', type: 'image' },
        { id: first.id, origin: 'generated', type: 'image' },
      ]);
      const refused = await studio.callError('get_media_lineage', { params: { media_id: first.id } });
      expect([refused.status, refused.error.code]).toEqual([404, 'not_found']);
    });

    it('reports truncation by depth and by limit', async () => {
      const studio = await service.createOrganization('50');
      const upload = await bench.upload(studio, 'a.png');
      const chain = [await edit(studio, [upload.url])];
      for (let count = 1; count < 5; count += 1) chain.push(await edit(studio, [chain.at(-1)?.url ?? '']));
      const middle = chain[2]?.id ?? '';
      const whole = await lineage(studio, middle);
      expect([whole.nodes.length, whole.truncated, whole.nodes[0]?.id]).toEqual([11, false, upload.id]);
      const near = await lineage(studio, middle, { depth: 2 });
      expect([near.nodes.length, near.truncated]).toEqual([9, true]);
      expect((await lineage(studio, middle, { depth: 3 })).truncated).toBe(false);
      const few = await lineage(studio, middle, { limit: 10 });
      expect([few.nodes.length, few.truncated]).toEqual([10, true]);
      expect(
        few.edges.every(
          ({ from, to }) => few.nodes.some(({ id }) => id === from) && few.nodes.some(({ id }) => id === to),
        ),
      ).toBe(true);
      for (let used = 0; used < 12; used += 1) await edit(studio, [upload.url], `use ${used}`);
      const popular = await lineage(studio, upload.id, { limit: 12 });
      expect([popular.nodes.length, popular.truncated]).toEqual([12, true]);
      for (const [name, value] of [
        ['depth', 0],
        ['depth', 51],
        ['limit', 9],
        ['limit', 501],
      ] as const) {
        const request = { params: { media_id: upload.id }, query: { [name]: value } };
        const { status, error } = await studio.callError('get_media_lineage', request);
        expect([status, error.details?.[0]?.path]).toEqual([422, name]);
      }
    });

    it('returns 404 for another organization', async () => {
      const studio = await service.createOrganization('50');
      const other = await service.createOrganization('50');
      const a = await bench.upload(studio, 'a.png');
      await edit(studio, [a.url]);
      const answer = async (media_id: string) => {
        const { status, error } = await other.callError('get_media_lineage', { params: { media_id } });
        return { status, ...error, request_id: '' };
      };
      expect(await answer(a.id)).toEqual(await answer('upl_01m7y6v0gyeg6ksk7hyezzk3qs'));
    });
  },
);
