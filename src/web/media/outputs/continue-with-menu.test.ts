import { expect, it } from 'vitest';
import { tasksForMedia } from './continue-with-menu.tsx';

const tasks = (media: 'image' | 'video' | 'audio') => tasksForMedia(media);

it('lists the tasks for a kind of media, those that require it first', () => {
  expect(tasks('image')).toEqual(['image.edit', 'image.create', 'video.create', 'video.edit']);
  expect(tasks('audio').slice(0, 2)).toEqual(['video.lipsync', 'video.add_audio']);
  expect(tasks('video')).toContain('video.trim');
  expect(tasks('video')).not.toContain('image.create');
});
