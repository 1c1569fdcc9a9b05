import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PRICES } from '#contract/money/pricing.ts';
import { NOTHING_DISABLED } from '#server/models/config/read-engines.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createProviderOffering } from '#server/models/connections/provider-offering.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()] });
});
afterAll(() => service.close());

const at = (catalog_id: string) => ({ params: { catalog_id } });
const label = { name: 'House style', description: 'Our default for product photos.' };
const readModel = async (id: string) =>
  (await service.call('list_models', { key: null })).body.data.find((model) => model.id === id);
const readTask = async (id: string) =>
  (await service.call('list_tasks', { key: null })).body.data.find((task) => task.id === id);

describe('a name of a model or task', () => {
  it('is listed beside the name of the interface until it is deleted', async () => {
    const id = 'imgmodel-a-2.5-flare';
    const saved = await service.call('set_catalog_label', { ...at(id), body: label });
    expect(saved.body).toMatchObject({ id, object: 'catalog_label', ...label });
    expect(await readModel(id)).toMatchObject({ name: 'ImgModel A 2.5 Flare', display: label });
    expect(await readModel('imgmodel-a-2')).not.toHaveProperty('display');

    await service.call('set_catalog_label', { ...at(id), body: { name: 'Photos' } });
    expect((await readModel(id))?.display).toEqual({ name: 'Photos', description: null });
    await service.call('delete_catalog_label', at(id));
    expect(await readModel(id)).not.toHaveProperty('display');
    expect((await service.callError('delete_catalog_label', at(id))).status).toBe(404);
  });

  it('can be that of a task', async () => {
    await service.call('set_catalog_label', { ...at('video.extract_frame'), body: label });
    expect(await readTask('video.extract_frame')).toMatchObject({ name: 'Extract a frame', display: label });
    await service.call('delete_catalog_label', at('video.extract_frame'));
    expect(await readTask('video.extract_frame')).not.toHaveProperty('display');
  });

  it('is read from memory, and by other processes after a refresh', async () => {
    const base = { file_engines: [], local_engines: [], off: NOTHING_DISABLED, prices: PRICES };
    const other = await createProviderOffering(service.deps, base);
    await service.call('set_catalog_label', { ...at('imgmodel-a-2'), body: label });
    expect(other.current().labels.size).toBe(0);
    expect((await other.refresh()).labels.get('imgmodel-a-2')).toEqual(label);
    const select = vi.spyOn(service.deps.db, 'select');
    await readModel('imgmodel-a-2');
    expect(select).not.toHaveBeenCalled();
    select.mockRestore();
  });

  it.each([
    ['unknown', label, 404],
    ['imgmodel-a-2', { name: ' ' }, 422],
    ['imgmodel-a-2', { ...label, name: 'x'.repeat(61) }, 422],
    ['imgmodel-a-2', { ...label, name: 'Two\nlines' }, 422],
    ['imgmodel-a-2', { ...label, description: 'x'.repeat(161) }, 422],
    ['imgmodel-a-2', { description: 'No name' }, 422],
  ])('of %s as %j is rejected', async (id, body, expected) => {
    expect((await service.callError('set_catalog_label', { ...at(id), body: body as typeof label })).status).toBe(
      expected,
    );
  });

  it('needs an organization key of the operator', async () => {
    const { key } = await service.addOrganization();
    for (const other of [key, service.keys.member]) {
      const options = { ...at('imgmodel-a-2'), key: other };
      expect((await service.callError('set_catalog_label', { ...options, body: label })).status).toBe(401);
      expect((await service.callError('delete_catalog_label', options)).status).toBe(401);
    }
  });
});
