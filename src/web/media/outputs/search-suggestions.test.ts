import { expect, it } from 'vitest';
import { suggestSearches } from './search-suggestions.ts';

it('suggests fewer words, words without endings and tags', () => {
  expect(suggestSearches('Street foods')).toEqual(['street', 'street food', 'streetfoods', 'food']);
  expect(suggestSearches('how to paint a small boat')).toEqual([
    'paint small',
    'paint small boat',
    'paint',
    'small',
    'boat',
  ]);
});

it('keeps words whose s is no plural', () => {
  expect(suggestSearches('walrus glass')).toEqual(['walrus', 'walrusglass', 'glass']);
});

it('suggests nothing for one short word', () => {
  expect(suggestSearches('boat')).toEqual([]);
  expect(suggestSearches('')).toEqual([]);
});
