import { expect, it } from 'vitest';
import { inputContract, modelsForTask } from '#contract/catalog.ts';
import { CONTINUE_STEPS, type ContinueStep, otherTasks, tasksForMedia } from './continue-steps.ts';

const tasks = (media: 'image' | 'video' | 'audio') => tasksForMedia(media);

it('lists the tasks for a kind of media, those that require it first', () => {
  expect(tasks('image')).toEqual(['image.edit', 'image.transform', 'image.create', 'video.create']);
  expect(tasks('audio').slice(0, 2)).toEqual(['video.lipsync', 'video.add_audio']);
  expect(tasks('video')).toContain('video.trim');
  expect(tasks('video')).not.toContain('image.create');
});

it('lists the tasks to which no step leads', () => {
  expect(otherTasks('image')).toEqual([]);
  expect(otherTasks('video')).toContain('video.concat');
  expect(otherTasks('video')).not.toContain('video.trim');
});

it('names slots that exist and take the media', () => {
  for (const [media, steps] of Object.entries(CONTINUE_STEPS) as [string, readonly ContinueStep[]][])
    for (const { slots, fromLastFrame } of steps)
      for (const { task, field } of slots) {
        const models = modelsForTask(task);
        const specs = (models.length > 0 ? models : [null])
          .flatMap((model) => inputContract(task, model)?.fields ?? [])
          .filter(({ name }) => name === field);
        const expected = fromLastFrame ? 'image' : media;
        expect(specs.length, `${task} ${field}`).toBeGreaterThan(0);
        for (const spec of specs) expect('media' in spec && spec.media, `${task} ${field}`).toBe(expected);
      }
});
