import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    off: { tasks: ['video.concat', 'image.edit'], models: ['imgmodel-b-pro', 'lipsync-v3', 'imgmodel-d-5-pro'] },
  });
});
afterAll(() => service.close());

describe('disabled tasks and models', () => {
  it.each([
    ['image.paint', 'imgmodel-b-pro', 'task_not_found'],
    ['video.concat', null, 'task_unavailable'],
    ['video.concat', 'imgmodel-b-pro', 'task_unavailable'],
    ['image.edit', null, 'task_unavailable'],
    ['image.edit', 'imgmodel-b-pro', 'task_unavailable'],
    ['video.lipsync', 'lipsync-v3', 'task_unavailable'],
    ['image.create', null, 'model_required'],
    ['video.trim', 'imgmodel-b-pro', 'model_not_allowed'],
    ['image.create', 'no-model', 'model_not_found'],
    ['video.create', 'imgmodel-b-pro', 'unsupported_task'],
    ['image.create', 'imgmodel-b-pro', 'model_unavailable'],
  ])('%s on %s returns %s before the input is validated', async (task, model, code) => {
    const body = { task, model, input: { nonsense: true } };
    for (const endpoint of ['create_estimate', 'create_generation'] as const) {
      const { status, error } = await service.callError(endpoint, { body });
      expect([status, error.code]).toEqual([400, code]);
      expect(error.message).toMatch(/^[A-Z“a-z].*\.$/);
    }
  });

  it('are listed as unavailable, and all others as available', async () => {
    const { body: tasks } = await service.call('list_tasks', { key: null });
    const off = tasks.data.filter(({ available }) => !available).map(({ id }) => id);
    expect(off.sort()).toEqual(['image.edit', 'video.concat', 'video.lipsync']);
    const { body: models } = await service.call('list_models', { key: null });
    expect(models.data.filter(({ available }) => !available).map(({ id }) => id)).toEqual([
      'imgmodel-b-pro',
      'imgmodel-d-5-pro',
      'lipsync-v3',
    ]);
  });

  it('keep their published prices', async () => {
    const { body } = await service.call('get_pricing', { key: null });
    expect(body.data).toHaveLength(29);
    expect(JSON.stringify(body)).not.toContain('multipliers');
  });
});
