import { expect, it } from 'vitest';
import { createCatalogNames } from './catalog-names.ts';

it('names tasks and models as the administrator does, else as the catalog does', () => {
  const names = createCatalogNames({ 'image.create': 'Draw', 'omni-video': 'House video' });
  expect([names.task('image.create'), names.task('image.edit')]).toEqual(['Draw', 'Edit an image']);
  expect([names.model('omni-video'), names.model('lipsync-v3')]).toEqual(['House video', 'Lipsync v3']);
  expect(names.modelOrTask({ task: 'image.create', model: null })).toBe('Draw');
  expect(names.modelOrTask({ task: 'video.create', model: 'omni-video' })).toBe('House video');
  expect([names.find('omni-video'), names.find('image.edit'), names.find('key_1')]).toEqual([
    'House video',
    'Edit an image',
    undefined,
  ]);
});
