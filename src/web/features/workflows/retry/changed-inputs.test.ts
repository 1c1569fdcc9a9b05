import { expect, it } from 'vitest';
import { changedInputs } from './changed-inputs.ts';

it('returns the fields that differ, whatever the order of their keys', () => {
  const before = { voice: { url: 'https://a.example/a.mp3', role: 'x' }, style: 'bright', count: 2, left_out: null };
  expect(
    changedInputs(before, { voice: { role: 'x', url: 'https://a.example/a.mp3' }, style: 'dark', count: 2 }),
  ).toEqual({ style: 'dark' });
});

it('returns null or an empty list for a field that was emptied', () => {
  const before = { portrait: { url: 'https://a.example/a.png' }, images: [{ url: 'https://a.example/b.png' }] };
  expect(changedInputs(before, { portrait: null })).toEqual({ portrait: null, images: [] });
});
