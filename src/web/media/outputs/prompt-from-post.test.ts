import { expect, it } from 'vitest';
import { promptFromPost } from './prompt-from-post.ts';

it('writes a prompt from the caption and the tags that add something', () => {
  expect(
    promptFromPost({
      caption: 'Night market noodles 🍜, pulled to order @chef https://example.com/x #foodie (sample post)',
      hashtags: ['#streetfood', 'night', 'market', 'foodie'],
    }),
  ).toBe('Night market noodles, pulled to order. streetfood, foodie');
});

it('works without a caption or without tags', () => {
  expect(promptFromPost({ caption: null, hashtags: ['dusk', 'rain'] })).toBe('dusk, rain');
  expect(promptFromPost({ caption: 'A calm sea.', hashtags: [] })).toBe('A calm sea.');
  expect(promptFromPost({ caption: '🌊 #sea', hashtags: ['sea'] })).toBe('sea');
});
