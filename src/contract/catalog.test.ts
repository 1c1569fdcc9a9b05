import { expect, test } from 'vitest';
import { inputContract, MODEL_NAMES, modelsForTask, TASKS } from './catalog.ts';
import { ADDED_TASK_IDS, BUILT_IN_TASK_IDS, EXTRA_TASK_IDS, MODEL_IDS } from './ids.ts';

const list = (names: string) => names.split(' ');
const images = list(
  'imgmodel-a-2 imgmodel-a-2.5-flare imgmodel-a-2.5-sunburst imgmodel-b-2 imgmodel-b-2-lite imgmodel-b-pro imgmodel-d-5-pro',
);

// Spec: Catalog: models and tasks
const runnable: Record<string, string[]> = {
  'image.create': images,
  'image.edit': images,
  'video.create': list('omni-video omni-video-flash vidmodel-c-2 vidmodel-c-2-fast vidmodel-c-2-mini vidmodel-c-2.5'),
  'video.edit': ['vidmodel-c-2.5'],
  'video.lipsync': ['lipsync-v3'],
};

test('the catalog has the 12 tasks and 14 models', () => {
  expect(BUILT_IN_TASK_IDS).toHaveLength(12);
  expect(MODEL_IDS).toHaveLength(14);
  expect(Object.keys(TASKS).sort()).toEqual([...BUILT_IN_TASK_IDS, ...EXTRA_TASK_IDS, ...ADDED_TASK_IDS].sort());
  expect(Object.keys(MODEL_NAMES).sort()).toEqual([...MODEL_IDS].sort());
});

test.each(BUILT_IN_TASK_IDS)('%s runs on its models', (task) => {
  expect(modelsForTask(task).sort()).toEqual((runnable[task] ?? []).toSorted());
  for (const model of MODEL_IDS) {
    expect(inputContract(task, model) !== undefined).toBe((runnable[task] ?? []).includes(model));
  }
  expect(inputContract(task, null) !== undefined).toBe(!(task in runnable));
});

test('every field has a unique name and a label', () => {
  for (const task of BUILT_IN_TASK_IDS) {
    for (const model of modelsForTask(task).length ? modelsForTask(task) : [null]) {
      const fields = inputContract(task, model)?.fields ?? [];
      expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
      for (const field of fields) expect(field.label).toMatch(/^[A-Z]/);
    }
  }
});
