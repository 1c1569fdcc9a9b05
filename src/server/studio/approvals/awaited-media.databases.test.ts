import { expect, it } from 'vitest';
import { generations, uploads } from '#server/platform/db/schema/schema.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { purgeRemovedUploads, removeExpiredMedia } from '#server/studio/assets/retention.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';

const media = useMediaFixture();

describeOnBothDatabases(
  'media of orders that wait for an approval',
  () => ({
    clock: createTestClock(),
    engines: [createScriptedEngine()],
    config: { mediaTtlDays: 30, mediaLinkTtlSeconds: 90 * 86_400 },
  }),
  (service) => {
    it('survive deletion and retention until the decision', async () => {
      const { deps, organization_id, addPerson, call, callError } = service.get();
      const key = (await addPerson('member', 'Ada')).session;
      await call('update_settings', { body: { approval_above_usd: '0.01' } });
      const { id, url } = await media.upload(service.get(), organization_id, media.picture());
      const generation = { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'x', images: [{ url }] } };
      const ask = async () => {
        const body = { kind: 'order', order: { type: 'generation', generation }, note: 'Please' } as const;
        return (await call('create_request', { key, body })).body.id;
      };
      const [first, second] = [await ask(), await ask()];
      const refusal = await callError('delete_upload', { key, params: { upload_id: id } });
      expect(refusal).toMatchObject({ status: 409, error: { code: 'media_in_use' } });
      const { body: deletion } = await call('delete_media', { key, body: { ids: [id] } });
      expect(deletion).toMatchObject({
        deleted: [],
        kept: [{ id, reason: 'in_use', message: 'In use by an order that waits for an approval.' }],
      });
      deps.clock.advance(31 * 86_400_000);
      expect(await removeExpiredMedia(deps)).toBe(0);
      expect(await purgeRemovedUploads(deps)).toBe(0);
      const decide = (request_id: string, decision: 'approve' | 'reject') =>
        call('decide_request', { params: { request_id }, body: { decision } });
      const { generation_id } = (await decide(first, 'approve')).body;
      expect(await deps.db.$count(generations)).toBe(1);
      await call('cancel_generation', { params: { generation_id: generation_id ?? '' } });
      expect(await removeExpiredMedia(deps)).toBe(0);
      await decide(second, 'reject');
      expect(await removeExpiredMedia(deps)).toBe(1);
      expect(await deps.db.$count(uploads)).toBe(0);
      const gone = await callError('create_request', {
        body: { kind: 'order', order: { type: 'generation', generation }, note: 'Please' },
      });
      expect(gone.error.message).toContain('This file was deleted or does not exist.');
    });
  },
);
