import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import {
  describeOnBothDatabases,
  type TestOrganization,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { purgeRemovedUploads, removeExpiredMedia } from './retention.ts';

const DAY_MS = 86_400_000;
const media = useMediaFixture();

describeOnBothDatabases(
  'retention',
  () => ({
    clock: createTestClock(),
    engines: [(engine = createScriptedEngine())],
    config: { mediaTtlDays: 30, mediaLinkTtlSeconds: 90 * 86_400 },
  }),
  (service) => {
    const bench = createWorkerFixture(service);
    const upload = (studio: TestOrganization) => media.upload(service.get(), studio.organization_id, media.picture());
    const detail = async (studio: TestOrganization, upload_id: string) =>
      (await studio.call('get_upload', { params: { upload_id } })).body;
    const linkStatus = async (url: string) => {
      const { app, deps } = service.get();
      return (await app.inject({ url: url.slice(deps.config.publicUrl.length) })).statusCode;
    };
    const editing = (studio: TestOrganization, url: string) =>
      studio.call('create_generation', {
        body: {
          task: 'image.edit',
          model: 'imgmodel-a-2',
          input: { prompt: 'wait for it', images: [{ url }] },
        },
      });

    it('removes uploads and assets when they expire, not before', async () => {
      const { deps, call } = service.get();
      const studio = await service.createOrganization('1');
      const { id, url } = await upload(studio);
      const until = new Date(deps.clock.now().getTime() + 30 * DAY_MS).toISOString();
      expect((await detail(studio, id)).kept_until).toBe(until);
      expect((await call('get_me')).body.media?.kept_days).toBe(30);
      await bench.start();
      const generation = await bench.create(studio, 'a lighthouse');
      const done = await bench.waitForStatus(studio, generation.id, 'succeeded');
      await bench.stop();
      const [asset] = done.output.assets;
      expect(asset).toMatchObject({ kept_until: until, removed_at: null });
      deps.clock.advance(30 * DAY_MS - 1);
      expect(await removeExpiredMedia(deps)).toBe(0);
      deps.clock.advance(2);
      expect(await removeExpiredMedia(deps)).toBe(2);
      expect(await removeExpiredMedia(deps)).toBe(0);
      expect((await studio.callError('get_upload', { params: { upload_id: id } })).status).toBe(404);
      expect([await linkStatus(url), await linkStatus(asset?.url ?? '')]).toEqual([404, 404]);
      const stored = await bench.read(studio, generation.id);
      expect(stored).toMatchObject({ status: 'succeeded', usage: { billing_status: 'settled' } });
      expect(stored.output.assets).toMatchObject([{ id: asset?.id, removed_at: deps.clock.now().toISOString() }]);
      expect((await bench.listStoredKeys()).filter((key) => key.includes(id) || key.includes(asset?.id ?? ''))).toEqual(
        [],
      );
    });

    it('keeps the bytes while an active generation uses them', async () => {
      const { deps } = service.get();
      const studio = await service.createOrganization('1');
      const { id, url } = await upload(studio);
      const { body: edit } = await editing(studio, url);
      expect((await detail(studio, id)).used_by).toEqual({ count: 1, active_count: 1, generation_ids: [edit.id] });
      deps.clock.advance(31 * DAY_MS);
      expect(await removeExpiredMedia(deps)).toBe(1);
      expect(await purgeRemovedUploads(deps)).toBe(0);
      expect((await studio.call('list_uploads')).body.data).toEqual([]);
      expect(await linkStatus(url)).toBe(404);
      const refused = await studio.callError('create_generation', {
        body: { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'again', images: [{ url }] } },
      });
      expect(refused.status).toBe(400);
      await bench.start();
      engine?.unblock();
      await bench.waitForStatus(studio, edit.id, 'succeeded');
      await bench.stop();
      expect(await purgeRemovedUploads(deps)).toBe(1);
      expect(await deps.db.select().from(uploads).where(eq(uploads.id, id))).toEqual([]);
      expect((await bench.listStoredKeys()).filter((key) => key.includes(id))).toEqual([]);
    });

    it('keeps the bytes of a deleted upload while an active generation uses it', async () => {
      const { deps } = service.get();
      const studio = await service.createOrganization('1');
      const { id, url } = await upload(studio);
      const { body: edit } = await editing(studio, url);
      await studio.call('delete_upload', { params: { upload_id: id } });
      expect((await studio.callError('get_upload', { params: { upload_id: id } })).status).toBe(404);
      expect((await bench.listStoredKeys()).some((key) => key.includes(id))).toBe(true);
      await bench.start();
      engine?.unblock();
      await bench.waitForStatus(studio, edit.id, 'succeeded');
      await bench.stop();
      expect(await purgeRemovedUploads(deps)).toBe(1);
      expect((await bench.listStoredKeys()).some((key) => key.includes(id))).toBe(false);
    });

    it('keeps outputs held for a review, and everything if no TTL is set', async () => {
      const { deps } = service.get();
      const studio = await service.createOrganization('1');
      await bench.start();
      const generation = await bench.create(studio, 'a windmill');
      const done = await bench.waitForStatus(studio, generation.id, 'succeeded');
      await bench.stop();
      deps.clock.advance(31 * DAY_MS);
      const forever = { ...deps, config: { ...deps.config, mediaTtlDays: 0 } };
      expect(await removeExpiredMedia(forever)).toBe(0);
      const outputs = eq(assets.generation_id, done.id);
      const removedAt = async () => (await deps.db.select().from(assets).where(outputs)).map((row) => row.removed_at);
      await deps.db.update(assets).set({ held: true }).where(outputs);
      await removeExpiredMedia(deps);
      expect(await removedAt()).toEqual([null]);
      await deps.db.update(assets).set({ held: false }).where(outputs);
      expect(await removeExpiredMedia(deps)).toBe(1);
      expect(await removedAt()).toEqual([deps.clock.now()]);
    });

    it('removes more media than one batch holds', async () => {
      const { deps } = service.get();
      const studio = await service.createOrganization('1');
      const { id } = await upload(studio);
      const [row] = await deps.db.select().from(uploads).where(eq(uploads.id, id));
      if (!row) throw new Error('The upload is gone.');
      const many = Array.from({ length: 1_200 }, (_, index) => ({ ...row, id: `upl_many_${index}` }));
      await deps.db.insert(uploads).values(many);
      deps.clock.advance(31 * DAY_MS);
      expect(await removeExpiredMedia(deps)).toBe(1_201);
      expect((await bench.listStoredKeys()).some((key) => key.includes(id))).toBe(false);
    });
  },
);

let engine: ReturnType<typeof createScriptedEngine> | undefined;
