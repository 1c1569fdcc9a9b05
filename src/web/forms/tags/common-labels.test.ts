import { expect, it } from 'vitest';
import { countLabels } from './common-labels.ts';

it('counts the labels of files, the most frequent first', () => {
  const media = [{ labels: ['draft', 'hero'] }, { labels: ['hero'] }, { labels: ['autumn'] }];
  expect(countLabels(media)).toEqual([
    { label: 'hero', count: 2 },
    { label: 'autumn', count: 1 },
    { label: 'draft', count: 1 },
  ]);
  expect(countLabels([])).toEqual([]);
});
