import { describe, expect, it } from 'vitest';
import { MODEL_IDS, BUILT_IN_TASK_IDS, EXTRA_TASK_IDS } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import { modelsForTask, TASKS } from '#contract/catalog.ts';
import {
  type CatalogAvailability,
  resolveSelection,
  canRunTask,
  TASK_GROUPS,
  tasksInGroup,
} from './create-selection.ts';

function catalogWithout(...unavailable: string[]): CatalogAvailability {
  const tasks = BUILT_IN_TASK_IDS.map((id) => ({ id, available: !unavailable.includes(id) })) as Task[];
  const models = MODEL_IDS.map((id) => ({
    id,
    available: !unavailable.includes(id),
    tasks: BUILT_IN_TASK_IDS.filter((task) => modelsForTask(task).includes(id)).map((task) => ({ task })),
  })) as Model[];
  return { tasks, models };
}
const unknown: CatalogAvailability = { tasks: undefined, models: undefined };
const never = () => undefined;

describe('resolveSelection', () => {
  it('defaults to the first available task and model', () => {
    expect(resolveSelection({}, unknown, never)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      unavailable_reason: null,
    });
    expect(resolveSelection({}, catalogWithout('image.create', 'image.edit'), never)).toMatchObject({
      task: 'video.create',
    });
  });

  it('prefers the model used last while it is available', () => {
    const last = () => 'imgmodel-b-pro';
    expect(resolveSelection({ task: 'image.create' }, unknown, last)).toMatchObject({ model: 'imgmodel-b-pro' });
    const without = catalogWithout('imgmodel-b-pro', 'imgmodel-a-2');
    expect(resolveSelection({ task: 'image.create' }, without, last)).toMatchObject({ model: 'imgmodel-a-2.5-flare' });
  });

  it('explains why a task or model is unavailable', () => {
    expect(resolveSelection({ task: 'video.trim' }, catalogWithout('video.trim'), never)).toMatchObject({
      unavailable_reason: '“Trim a video” is unavailable on this service.',
    });
    const choice = resolveSelection(
      { task: 'video.edit', model: 'vidmodel-c-2.5' },
      catalogWithout('vidmodel-c-2.5'),
      never,
    );
    expect(choice).toMatchObject({
      kind: 'ready',
      unavailable_reason: 'VidModel C 2.5 is unavailable on this service.',
    });
  });

  it.each([
    [{ task: 'nonsense' }, 'Task not found', null],
    [{ task: 'image.create', model: 'nonsense' }, 'Model not found', 'image.create'],
    [{ task: 'video.create', model: 'imgmodel-a-2' }, 'ImgModel A 2 doesn’t support this task', 'video.create'],
    [{ task: 'video.trim', model: 'vidmodel-c-2' }, 'VidModel C 2 doesn’t support this task', 'video.trim'],
  ])('%j is not found', (params, title, task) => {
    expect(resolveSelection(params, unknown, never)).toMatchObject({ kind: 'not_found', title, task });
  });
});

describe('canRunTask', () => {
  it('is true for every task until the catalog is loaded', () => {
    const all = TASK_GROUPS.flatMap(tasksInGroup);
    expect(all.toSorted()).toEqual([...BUILT_IN_TASK_IDS, ...EXTRA_TASK_IDS].toSorted());
    expect(all.filter((task) => !canRunTask(task, unknown))).toEqual([]);
    expect(TASKS['video.trim'].purpose).toBe('edit_video');
  });

  it('is false for a task whose models are all unavailable', () => {
    expect(canRunTask('video.lipsync', catalogWithout('lipsync-v3'))).toBe(false);
    expect(canRunTask('video.edit', catalogWithout('lipsync-v3'))).toBe(true);
  });
});
