import { expect, it } from 'vitest';
import { parseEditorState } from '../editor-state.ts';
import { conditionOptions, listOptions } from './step-execution-settings.tsx';

const { inputs, steps } = parseEditorState({
  input_schema: {
    properties: {
      logo: { type: 'boolean', title: 'Logo\tB\nC' },
      photo: { type: 'object', 'x-media': 'image', title: 'Photo\ninput.evil\tBogus' },
      photos: { type: 'array', items: { type: 'object', 'x-media': 'image' }, title: 'Photos\twide' },
    },
    required: ['photos'],
  },
  steps: [
    { key: 'ideas', name: 'Ideas\nnew', task: 'social.search', input: {} },
    { key: 'clip', name: 'Clip', task: 'video.create', model: 'vidmodel-c-2-mini', input: {} },
    { key: 'after', name: 'After', task: 'image.create', model: 'imgmodel-b-2', input: {} },
  ],
});
const [, clip] = steps;
if (!clip) throw new Error('No step');

it('offers one condition per input, whatever its title contains', () => {
  expect(conditionOptions(inputs)).toEqual([
    { value: 'input.logo', label: '“Logo\tB\nC” is on' },
    { value: '$boolean(input.photo)', label: '“Photo\ninput.evil\tBogus” is provided' },
  ]);
});

it('offers one list per source before the step, whatever its name contains', () => {
  expect(listOptions(inputs, steps, clip)).toEqual([
    { value: 'input.photos', label: 'For each file in “Photos\twide”' },
    { value: 'steps.ideas.output.data.videos', label: 'For each post from “Ideas\nnew”' },
  ]);
});
