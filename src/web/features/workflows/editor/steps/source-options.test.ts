import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { FieldSpec } from '#contract/task.ts';
import { parseEditorState } from '../editor-state.ts';
import { defaultFixedValue, valueToOption, sourceOptions, suggestInput } from './source-options.ts';

const fieldsOf = (task: TaskId, model: ModelId | null): readonly FieldSpec[] =>
  inputContract(task, model)?.fields ?? [];
const field = (task: TaskId, model: ModelId | null, name: string): FieldSpec => {
  const found = fieldsOf(task, model).find((each) => each.name === name);
  if (!found) throw new Error(`No ${name}`);
  return found;
};

const state = parseEditorState({
  input_schema: {
    properties: {
      scene: { type: 'string', title: 'Scene' },
      photo: { type: 'object', 'x-media': 'image', title: 'Photo' },
      film: { type: 'object', 'x-media': 'video' },
      photos: { type: 'array', items: { type: 'object', 'x-media': 'image' } },
      seconds: { type: 'integer', default: 4 },
    },
    required: ['scene'],
  },
  steps: [
    { key: 'ideas', name: 'Ideas', task: 'social.search', input: {} },
    { key: 'picture', name: 'Picture', task: 'image.create', model: 'imgmodel-b-2', input: {} },
    {
      key: 'clip',
      name: 'Clip',
      task: 'video.create',
      model: 'vidmodel-c-2-mini',
      for_each: 'steps.ideas.output.data.videos',
      input: {},
    },
    { key: 'edit', name: 'Edit', task: 'image.edit', model: 'imgmodel-b-2', input: {} },
  ],
});
const [, , clip, edit] = state.steps;
if (!clip || !edit) throw new Error('No steps');

it('offers inputs of the right type and files of earlier steps', () => {
  const values = (given: FieldSpec, step: typeof clip) => sourceOptions(given, state, step).map(({ value }) => value);
  expect(values(field('video.create', 'vidmodel-c-2-mini', 'first_frame'), clip)).toEqual([
    'input.photo',
    'steps.picture.output.assets[0]',
  ]);
  expect(values(field('image.edit', 'imgmodel-b-2', 'images'), edit)).toEqual([
    'input.photo',
    'input.photos',
    'steps.picture.output.assets[0]',
  ]);
  expect(values(field('video.concat', null, 'videos'), edit)).toEqual([
    'input.film',
    'steps.clip.output.assets[0]',
    'steps.clip.output.assets',
  ]);
  expect(values(field('video.create', 'vidmodel-c-2-mini', 'prompt'), clip)).toEqual([
    'input.scene',
    'input.seconds',
    'item.caption',
  ]);
});

it('suggests sources for the required fields of a new step', () => {
  expect(suggestInput(fieldsOf('image.edit', 'imgmodel-b-2'), state, edit)).toEqual({
    images: '{{ steps.picture.output.assets[0] }}',
    prompt: '{{ input.scene }}',
  });
});

it('suggests all files of a repeating step for a field that takes several', () => {
  const { videos } = suggestInput(fieldsOf('video.concat', null), state, edit);
  expect(videos).toBe('{{ steps.clip.output.assets }}');
});

it('starts a fixed value with one that the task accepts', () => {
  expect(defaultFixedValue(field('image.edit', 'imgmodel-b-2', 'images'))).toEqual([]);
  expect(defaultFixedValue(field('image.edit', 'imgmodel-b-2', 'prompt'))).toBe('');
});

it.each([
  [undefined, 'none'],
  ['words {{ input.scene }}', 'fixed'],
  [[{ url: 'https://x.example/a.png' }], 'fixed'],
  [['{{ input.photo }}', { url: 'https://x.example/a.png' }], 'list'],
  ['{{ input.photo }}', 'input.photo'],
  ['{{ item.caption }}', 'item.caption'],
  ['{{ $count(input.photos) }}', 'expression'],
])('maps %j to the option “%s”', (value, option) => {
  expect(valueToOption(value)).toBe(option);
});
