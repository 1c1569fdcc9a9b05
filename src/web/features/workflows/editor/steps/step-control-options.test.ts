import { expect, it } from 'vitest';
import { parseEditorState } from '../editor-state.ts';
import { conditionOptions, listOptions } from './step-control-options.ts';

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

it('offers one condition for each input, whatever its title holds', () => {
  expect(conditionOptions(inputs)).toEqual([
    { value: 'input.logo', label: 'Only if “Logo\tB\nC” is on' },
    { value: '$boolean(input.photo)', label: 'Only if there is “Photo\ninput.evil\tBogus”' },
  ]);
});

it('offers one list for each source before the step, whatever its name holds', () => {
  expect(listOptions(inputs, steps, clip)).toEqual([
    { value: 'input.photos', label: 'For each of “Photos\twide”' },
    { value: 'steps.ideas.output.data.videos', label: 'For each post of “Ideas\nnew”' },
  ]);
});
