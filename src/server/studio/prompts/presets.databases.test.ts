import { beforeAll, beforeEach, expect, it } from 'vitest';
import { MAX_PRESETS } from '#contract/limits.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { presets } from '#server/platform/db/schema/preset-schema.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';

const media = useMediaFixture();
const form = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'A teapot', aspect_ratio: '3:2' } };

describeOnBothDatabases(
  'presets',
  () => ({ engines: [createScriptedEngine()], clock: createTestClock(new Date('2026-02-10T10:00:00.000Z')) }),
  (service) => {
    let [mia, noa, admin] = ['', '', ''];
    beforeAll(async () => {
      const { addPerson } = service.get();
      mia = (await addPerson('member', 'Mia')).session;
      noa = (await addPerson('member', 'Noa')).session;
      admin = (await addPerson('administrator', 'Ada')).session;
    });
    beforeEach(async () => {
      await service.get().deps.db.delete(presets);
    });
    const save = async (body: object = {}, key = mia) =>
      (await service.get().call('create_preset', { key, body: { name: 'Tea', ...form, ...body } })).body;
    const list = async (key: string, query = {}) =>
      (await service.get().call('list_presets', { key, query })).body.data.map(({ name }) => name);
    const rejectedPaths = async (body: Readonly<Record<string, unknown>>) => {
      const { status, error } = await service.get().callError('create_preset', { key: mia, body });
      return [status, error.details?.map(({ path }) => path)];
    };
    const events = async () =>
      (await service.get().call('list_audit_events', { query: { action: 'preset' } })).body.data;

    it('keep a whole form under a name, for the person who saved it', async () => {
      const { call, callError } = service.get();
      const preset = await save();
      expect(preset).toMatchObject({ ...form, shared: false, can_edit: true, missing_media: [] });
      const params = { preset_id: preset.id };
      expect((await call('get_preset', { key: mia, params })).body).toEqual(preset);
      expect(await list(mia)).toEqual(['Tea']);
      expect(await list(noa)).toEqual([]);
      expect((await callError('get_preset', { key: noa, params })).status).toBe(404);
      const body = { name: 'Mine' };
      expect((await callError('update_preset', { key: noa, params, body })).status).toBe(404);
      expect((await callError('delete_preset', { key: admin, params })).status).toBe(404);
      const replaced = { task: 'video.create', model: 'vidmodel-c-2', input: {} };
      const { body: updated } = await call('update_preset', { key: mia, params, body: { ...body, form: replaced } });
      expect(updated).toMatchObject({ name: 'Mine', ...replaced });
      await call('delete_preset', { key: mia, params });
      expect(await list(mia)).toEqual([]);
    });

    it('are seen by everyone while shared, and recorded in the audit log from then on', async () => {
      const { call, callError } = service.get();
      const before = (await events()).length;
      const { id } = await save();
      const params = { preset_id: id };
      const update = (body: object, key = mia) => call('update_preset', { key, params, body });
      await update({ name: 'Private' });
      await update({ shared: true });
      expect(await list(noa)).toEqual(['Private']);
      expect((await call('get_preset', { key: noa, params })).body).toMatchObject({ can_edit: false, shared: true });
      expect((await callError('update_preset', { key: noa, params, body: { name: 'x' } })).status).toBe(404);
      expect((await callError('delete_preset', { key: noa, params })).status).toBe(404);
      await update({ name: 'Team tea' });
      expect((await update({ shared: false }, admin)).body.shared).toBe(false);
      expect(await list(noa)).toEqual([]);
      await update({ shared: true });
      await call('delete_preset', { key: admin, params });
      const actions = (await events()).slice(0, -before || undefined).map(({ action }) => action);
      expect(actions).toEqual([
        'preset.deleted',
        'preset.shared',
        'preset.unshared',
        'preset.changed',
        'preset.shared',
      ]);
    });

    it('are listed page by page and by task', async () => {
      for (const name of ['One', 'Two', 'Three']) await save({ name });
      await save({ name: 'Clip', task: 'video.create', model: 'vidmodel-c-2', input: { prompt: 'Waves' } });
      const { call, callError } = service.get();
      const { body } = await call('list_presets', { key: mia, query: { limit: 2, task: 'image.create' } });
      expect(body.data.map(({ name }) => name)).toEqual(['Three', 'Two']);
      expect(body.data[0]).toMatchObject({ prompt: 'A teapot' });
      const query = { limit: 2, task: 'image.create', cursor: body.next_cursor ?? '' };
      expect(await list(mia, query)).toEqual(['One']);
      expect((await callError('list_presets', { key: mia, query: { cursor: 'AAAA.BBBB' } })).status).toBe(400);
    });

    it('may be unfinished, but have no invalid field', async () => {
      expect(await save({ input: {} })).toMatchObject({ input: {} });
      // A broken rule between fields is a matter for Generate.
      expect(await save({ input: { aspect_ratio: 'auto', resolution: '4K' } })).toMatchObject({ shared: false });
      const preset = { name: 'Tea', ...form };
      expect(await rejectedPaths({ ...preset, name: ' ' })).toEqual([422, ['name']]);
      expect(await rejectedPaths({ ...preset, name: 'x'.repeat(81) })).toEqual([422, ['name']]);
      expect(await rejectedPaths({ ...preset, model: 'vidmodel-c-2' })).toEqual([422, ['model']]);
      expect(await rejectedPaths({ ...preset, input: { color: 'red' } })).toEqual([422, ['input.color']]);
      expect(await rejectedPaths({ ...preset, input: { resolution: '9K' } })).toEqual([422, ['input.resolution']]);
      expect(await rejectedPaths({ ...preset, input: { prompt: 'x'.repeat(110_000) } })).toEqual([422, ['input']]);
      const { error } = await service.get().callError('update_preset', {
        key: mia,
        params: { preset_id: (await save()).id },
        body: { form: { ...form, input: { resolution: '9K' } } },
      });
      expect(error.details?.[0]?.path).toBe('form.input.resolution');
    });

    it('hand out new links to media, and name the fields whose media are gone', async () => {
      const { call, deps, organization_id } = service.get();
      const [first, second] = [
        await media.upload(service.get(), organization_id, media.picture()),
        await media.upload(service.get(), organization_id, media.picture()),
      ];
      const outside = 'https://media.example/a.png';
      const reference_images = [first, second, { url: outside }].map(({ url }) => ({ url }));
      const { id } = await save({ input: { prompt: 'x', reference_images }, shared: true });
      const [row] = await deps.db.select().from(presets);
      expect(JSON.stringify(row?.input)).not.toContain('sig=');
      await call('delete_upload', { params: { upload_id: first.id } });
      const read = async (key: string) => (await call('get_preset', { key, params: { preset_id: id } })).body;
      const found = await read(admin);
      expect(found.missing_media).toEqual(['reference_images']);
      expect(found.input['reference_images']).toEqual([
        { url: expect.stringMatching(new RegExp(`${second.id}\\?expires=.*sig=`)) },
        { url: outside },
      ]);
      await call('update_settings', { body: { members_see_own_work_only: true } });
      expect((await read(noa)).input['reference_images']).toEqual([{ url: outside }]);
      await call('update_settings', { body: { members_see_own_work_only: false } });
    });

    it('are limited in number, and created once for a repeated request', async () => {
      const { call, callError, deps } = service.get();
      const sent = { key: mia, body: { name: 'Tea', ...form }, idempotency_key: 'once' };
      const { body } = await call('create_preset', sent);
      expect((await call('create_preset', sent)).body).toEqual(body);
      expect(await list(mia)).toEqual(['Tea']);
      const [row] = await deps.db.select().from(presets);
      if (!row) throw new Error('The preset was not saved.');
      const copies = Array.from({ length: MAX_PRESETS - 1 }, (_, at) => ({ ...row, id: `${row.id}${at}` }));
      await deps.db.insert(presets).values(copies);
      const { status, error } = await callError('create_preset', { key: mia, body: { name: 'Tea', ...form } });
      expect([status, error.message]).toEqual([400, 'At most 200 presets can be saved. Delete one first.']);
      expect((await save({}, noa)).name).toBe('Tea');
    });

    it('are accompanied by one’s own recent prompts, each once, the latest first', async () => {
      const { call, keys } = service.get();
      const order = async (prompt: string, key: string, task = 'image.create') => {
        const model = task === 'image.create' ? 'imgmodel-a-2' : 'vidmodel-c-2';
        await call('create_generation', { key, body: { task, model, input: { prompt } } });
      };
      for (const prompt of ['A fox', 'A hen', 'A fox']) await order(prompt, mia);
      await order('A clip of a hen', mia, 'video.create');
      await order('A secret', noa);
      await order('By a program', keys.organization);
      const prompts = async (key: string, query = {}) =>
        (await call('list_recent_prompts', { key, query })).body.data.map(({ prompt }) => prompt);
      expect(await prompts(mia)).toEqual(['A clip of a hen', 'A fox', 'A hen']);
      expect(await prompts(mia, { task: 'image.create', limit: 1 })).toEqual(['A fox']);
      expect(await prompts(keys.organization)).toEqual(['By a program']);
      const long = ' hen and fox'.repeat(1_000).trim();
      for (const end of ['', ' A', ' B', ' B']) await order(long + end, keys.organization);
      expect(await prompts(keys.organization)).toEqual([`${long} B`, `${long} A`, long, 'By a program']);
      expect(await prompts(admin)).toEqual([]);
    });
  },
);
