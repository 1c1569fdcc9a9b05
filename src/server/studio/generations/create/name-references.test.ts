import { expect, it } from 'vitest';
import type { MediaKind } from '#contract/task.ts';
import { renameMentions } from '#server/models/engine/reference-mentions.ts';
import { nameReferences } from './name-references.ts';

const file = (kind: MediaKind) => ({ media: { kind } });

it('writes references as the model knows them, each kind numbered for itself', () => {
  const named = [
    ['[Image1]', file('image')],
    ['[Image2]', file('image')],
    ['[Video1]', file('video')],
  ] as const;
  expect(renameMentions('@Image2 walks like @video1 (a@image1, @Image22, @Image3, @Audio1)', named)).toBe(
    '[Image2] walks like [Video1] (a@image1, @Image22, @Image3, @Audio1)',
  );
});

it('names the images of image tasks in plain words, and leaves video tasks to their models', () => {
  const input = { prompt: 'The hat of @Image1 on @Image2' };
  const references = [file('image'), file('image')];
  expect(nameReferences({ task: 'image.edit', input }, references)).toEqual({
    prompt: 'The hat of image 1 on image 2',
  });
  expect(nameReferences({ task: 'video.create', input }, references)).toEqual(input);
});
