import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import { generations, uploads } from '#server/platform/db/schema/schema.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { lockUsedMedia } from './lock-used-media.ts';
import { findMediaInUse, findMediaUses } from './media-uses.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
let studio: TestOrganization;
beforeAll(async () => {
  studio = await service.createOrganization('50');
});

const upload = () => media.upload(service.get(), studio.organization_id, media.picture());
const edit = async (urls: string[], more: Record<string, unknown> = {}) => {
  const input = { prompt: 'x', images: urls.map((url) => ({ url })), ...more };
  return studio.call('create_generation', { body: { task: 'image.edit', model: 'imgmodel-a-2', input } });
};

describe('media that a generation uses', () => {
  it('are recorded with the generation and their input field', async () => {
    const { db } = service.get().deps;
    const [first, second] = [await upload(), await upload()];
    const { body } = await edit([first.url, 'https://media.example/x', second.url, first.url]);
    const noted = await db.select().from(mediaUses).where(eq(mediaUses.generation_id, body.id));
    const use = { generation_id: body.id, organization_id: studio.organization_id, media_type: 'image' };
    expect(noted.sort((a, b) => a.field.localeCompare(b.field))).toEqual([
      { ...use, field: 'images.0', media_id: first.id },
      { ...use, field: 'images.2', media_id: second.id },
      { ...use, field: 'images.3', media_id: first.id },
    ]);
  });

  it('count each generation once and active generations separately', async () => {
    const { db } = service.get().deps;
    const [used, unused] = [await upload(), await upload()];
    const one = (await edit([used.url, used.url])).body;
    const two = (await edit([used.url])).body;
    const ids = [used.id, unused.id];
    expect(await findMediaInUse(db, ids)).toEqual(new Set([used.id]));
    await studio.call('cancel_generation', { params: { generation_id: one.id } });
    const uses = await findMediaUses(db, studio.organization_id, ids);
    expect(uses.get(used.id)).toEqual({
      count: 2,
      active_count: 1,
      generation_ids: [two.id, one.id],
      activeIds: [two.id],
    });
    expect(uses.get(unused.id)).toMatchObject({ count: 0, active_count: 0, generation_ids: [] });
    const { body: listed } = await studio.call('list_uploads', { query: { limit: 2 } });
    expect(listed.data.map(({ id, used_by_count }) => [id, used_by_count])).toEqual([
      [unused.id, 0],
      [used.id, 2],
    ]);
    await studio.call('cancel_generation', { params: { generation_id: two.id } });
    expect(await findMediaInUse(db, ids)).toEqual(new Set());
    const foreign = await findMediaUses(db, (await service.createOrganization('1')).organization_id, ids);
    expect(foreign.get(used.id)?.count).toBe(0);
  });

  it('return 400 with the field if a medium was removed after validation', async () => {
    const { deps } = service.get();
    const { id, url } = await upload();
    const { body } = await edit([url]);
    const [row] = await deps.db.select().from(generations).where(eq(generations.id, body.id));
    await deps.db.update(uploads).set({ removed_at: deps.clock.now() }).where(eq(uploads.id, id));
    if (!row) throw new Error('The generation has no row.');
    const next = { ...row, id: createId('gen', deps.clock.now()) };
    const placed = deps.db.transaction((tx) => lockUsedMedia(deps, tx, next));
    await expect(placed).rejects.toMatchObject({ status: 400, details: [{ path: 'input.images.0' }] });
    const input = { prompt: 'x', images: [{ url }] };
    const refused = await studio.callError('create_generation', {
      body: { task: 'image.edit', model: 'imgmodel-a-2', input },
    });
    expect([refused.status, refused.error.details?.[0]?.path]).toEqual([400, 'input.images.0']);
  });
});
