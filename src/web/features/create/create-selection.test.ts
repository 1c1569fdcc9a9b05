import { describe, expect, it } from 'vitest';
import { MODEL_IDS, TASK_IDS } from '#contract/ids.ts';
import type { Model, Task } from '#contract/resources/catalog.ts';
import { modelsForTask, TASKS } from '#contract/catalog.ts';
import {
  type CatalogAvailability,
  resolveSelection,
  canRunTask,
  TASK_GROUPS,
  tasksInGroup,
} from './create-selection.ts';
import { parseCreateSearch } from './create-search.ts';

/** A service on which everything is on but what is named. */
function catalogWithout(...off: string[]): CatalogAvailability {
  const tasks = TASK_IDS.map((id) => ({ id, available: !off.includes(id) })) as Task[];
  const models = MODEL_IDS.map((id) => ({
    id,
    available: !off.includes(id),
    tasks: TASK_IDS.filter((task) => modelsForTask(task).includes(id)).map((task) => ({ task })),
  })) as Model[];
  return { tasks, models };
}
const unknown: CatalogAvailability = { tasks: undefined, models: undefined };
const never = () => undefined;

describe('what an address stands for', () => {
  it('is the first task and model without any', () => {
    expect(resolveSelection({}, unknown, never)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      off: null,
    });
    expect(resolveSelection({}, catalogWithout('image.create', 'image.edit'), never)).toMatchObject({
      task: 'video.create',
    });
  });

  it('is the model used last, unless that is off', () => {
    const last = () => 'imgmodel-b-pro';
    expect(resolveSelection({ task: 'image.create' }, unknown, last)).toMatchObject({ model: 'imgmodel-b-pro' });
    const without = catalogWithout('imgmodel-b-pro', 'imgmodel-a-2');
    expect(resolveSelection({ task: 'image.create' }, without, last)).toMatchObject({ model: 'imgmodel-a-2.5-flare' });
  });

  it('says in words what is switched off', () => {
    expect(resolveSelection({ task: 'video.trim' }, catalogWithout('video.trim'), never)).toMatchObject({
      off: '“Trim a video” is switched off on this service.',
    });
    const choice = resolveSelection(
      { task: 'video.edit', model: 'vidmodel-c-2.5' },
      catalogWithout('vidmodel-c-2.5'),
      never,
    );
    expect(choice).toMatchObject({ kind: 'ready', off: 'VidModel C 2.5 is switched off on this service.' });
  });

  it.each([
    [{ task: 'nonsense' }, 'There is no such task', null],
    [{ task: 'image.create', model: 'nonsense' }, 'There is no such model', 'image.create'],
    [{ task: 'video.create', model: 'imgmodel-a-2' }, 'ImgModel A 2 can’t do this', 'video.create'],
    [{ task: 'video.trim', model: 'vidmodel-c-2' }, 'VidModel C 2 can’t do this', 'video.trim'],
  ])('%j leads nowhere', (given, title, task) => {
    expect(resolveSelection(given, unknown, never)).toMatchObject({ kind: 'lost', title, task });
  });
});

describe('what is offered', () => {
  it('is everything, each once, until the service says otherwise', () => {
    const all = TASK_GROUPS.flatMap(tasksInGroup);
    expect(all.toSorted()).toEqual([...TASK_IDS].toSorted());
    expect(all.filter((task) => !canRunTask(task, unknown))).toEqual([]);
    expect(TASKS['video.trim'].purpose).toBe('edit_video');
  });

  it('is no task whose models are all off', () => {
    expect(canRunTask('video.lipsync', catalogWithout('lipsync-v3'))).toBe(false);
    expect(canRunTask('video.edit', catalogWithout('lipsync-v3'))).toBe(true);
  });
});

describe('what an address asks to be filled in', () => {
  it('reads one wish at a time and nothing it does not understand', () => {
    expect(parseCreateSearch({ from: 'gen_1', use: 'gen_2' })).toEqual({ from: 'gen_1' });
    expect(parseCreateSearch({ use: 'gen_2', asset: '3' })).toEqual({ use: 'gen_2', asset: 3 });
    expect(parseCreateSearch({ use: 'gen_2', asset: -1 })).toEqual({ use: 'gen_2' });
    expect(parseCreateSearch({ from: '../etc', asset: 2 })).toEqual({});
  });
});
