import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { InputContract } from '#contract/task.ts';
import {
  canNameReferences,
  findTypedMention,
  findUnknownMentions,
  listNamedReferences,
  removeMentions,
  renameMentions,
} from './reference-mentions.ts';

const contractOf = (...names: Parameters<typeof inputContract>): InputContract => {
  const contract = inputContract(...names);
  if (!contract) throw new Error('There is no such contract.');
  return contract;
};
const edit = contractOf('video.edit', 'vidmodel-c-2.5');
const list = (...urls: string[]) => urls.map((url) => ({ url }));

it('numbers references by kind, the source first, and leaves frames out', () => {
  const values = {
    video: { url: 'source' },
    reference_videos: list('clip'),
    reference_images: list('a', 'b'),
    reference_audio: list('song'),
  };
  expect(listNamedReferences(edit, values).map(({ mention, url }) => `${mention} ${url}`)).toEqual([
    '@Video1 source',
    '@Video2 clip',
    '@Image1 a',
    '@Image2 b',
    '@Audio1 song',
  ]);
  const create = contractOf('video.create', 'vidmodel-c-2');
  expect(listNamedReferences(create, { first_frame: { url: 'frame' } })).toEqual([]);
  expect(canNameReferences(create)).toBe(true);
  expect(canNameReferences(contractOf('social.search', null))).toBe(false);
});

const named = (...urls: string[]) => listNamedReferences(edit, { reference_images: list(...urls) });

it('renames references that moved, and marks those that are gone', () => {
  const prompt = '@Image1 wears the coat of @image2, not @Image3. Mail a@image1 and @Image22 stay.';
  expect(renameMentions(prompt, named('a', 'b'), named('b', 'a'))).toBe(
    '@Image2 wears the coat of @Image1, not @Image3. Mail a@image1 and @Image22 stay.',
  );
  expect(renameMentions(prompt, named('a', 'b'), named('b'))).toBe(
    '@Image? wears the coat of @Image1, not @Image3. Mail a@image1 and @Image22 stay.',
  );
  expect(renameMentions('@Image2', named('a', 'a'), named('a'))).toBe('@Image?');
});

it('finds names that belong to no reference, and removes them', () => {
  const prompt = 'The hat of @Image2 on @Image1, and @Image?';
  const unknown = findUnknownMentions(prompt, named('a'));
  expect(unknown).toEqual(['@Image2', '@Image?']);
  expect(removeMentions(prompt, unknown)).toBe('The hat of on @Image1, and');
});

it('finds the name that is being typed', () => {
  expect(findTypedMention('The hat of @im', 14)).toEqual({ start: 11, query: 'im' });
  expect(findTypedMention('@', 1)).toEqual({ start: 0, query: '' });
  expect(findTypedMention('name@im', 7)).toBeNull();
  expect(findTypedMention('The @Image1 ', 12)).toBeNull();
});
