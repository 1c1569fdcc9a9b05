import { expect, it } from 'vitest';
import { inputContract } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { FieldSpec } from '#contract/task.ts';
import {
  availableReferences,
  conditionOptions,
  fitsField,
  fixedValue,
  listOptions,
  readReference,
  suggestInput,
} from './step-references.ts';
import { toStarterValues } from './starter-values.ts';

const fieldsOf = (task: TaskId, model: AnyModelId | null): readonly FieldSpec[] =>
  inputContract(task, model)?.fields ?? [];
const field = (task: TaskId, model: AnyModelId | null, name: string): FieldSpec => {
  const found = fieldsOf(task, model).find((each) => each.name === name);
  if (!found) throw new Error(`No ${name}`);
  return found;
};

const values = toStarterValues({
  input_schema: {
    properties: {
      scene: { type: 'string', title: 'Scene' },
      photo: { type: 'object', 'x-media': 'image', title: 'Photo' },
      film: { type: 'object', 'x-media': 'video' },
      photos: { type: 'array', items: { type: 'object', 'x-media': 'image' }, title: 'Photos\twide' },
      seconds: { type: 'integer', default: 4 },
      logo: { type: 'boolean', title: 'Logo\tB\nC' },
    },
    required: ['scene', 'photos'],
  },
  steps: [
    { key: 'ideas', name: 'Ideas\nnew', task: 'social.search', input: {} },
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
const [CLIP, EDIT] = [2, 3];

it('offers inputs of the right type and files of earlier steps by name', () => {
  const labels = (given: FieldSpec, at: number) =>
    availableReferences(values, at)
      .filter((reference) => fitsField(given, reference))
      .map(({ label }) => label);
  expect(labels(field('video.create', 'vidmodel-c-2-mini', 'first_frame'), CLIP)).toEqual([
    'Photo',
    'Image from Picture',
  ]);
  expect(labels(field('image.edit', 'imgmodel-b-2', 'images'), EDIT)).toEqual([
    'Photo',
    'Photos\twide',
    'Image from Picture',
  ]);
  expect(labels(field('video.concat', null, 'videos'), EDIT)).toEqual([
    'film',
    'First video from Clip',
    'All videos from Clip',
  ]);
  expect(labels(field('video.create', 'vidmodel-c-2-mini', 'prompt'), CLIP)).toEqual([
    'Scene',
    'seconds',
    'Post caption',
    'Item number',
  ]);
});

it('names references, and calls everything else an expression', () => {
  const references = availableReferences(values, EDIT);
  const label = (value: unknown) => readReference(value, references)?.label;
  expect(label('{{steps.picture.output.assets[0]}}')).toBe('Image from Picture');
  expect(label('{{ [steps.picture.output.assets[0]] }}')).toBe('Image from Picture');
  expect(label('{{ input.scene }}')).toBe('Scene');
  expect(label('{{ $uppercase(input.scene) }}')).toBe('Expression');
  expect(label('{{ steps.gone.output.assets[0] }}')).toBe('Expression');
  expect(label('A fox in {{ input.scene }}')).toBeUndefined();
  expect(label(4)).toBeUndefined();
});

it('suggests sources for the required fields of a new step', () => {
  expect(suggestInput(fieldsOf('image.edit', 'imgmodel-b-2'), values, EDIT)).toEqual({
    images: '{{ steps.picture.output.assets[0] }}',
    prompt: '{{ input.scene }}',
  });
});

it('suggests all files of a repeating step for a field that takes several', () => {
  const { videos } = suggestInput(fieldsOf('video.concat', null), values, EDIT);
  expect(videos).toBe('{{ steps.clip.output.assets }}');
});

it('starts a fixed value with one that the task accepts', () => {
  expect(fixedValue(field('image.edit', 'imgmodel-b-2', 'images'))).toEqual([]);
  expect(fixedValue(field('image.edit', 'imgmodel-b-2', 'prompt'))).toBe('');
});

it('offers one condition per input, whatever its title contains', () => {
  expect(conditionOptions(values)).toEqual([
    { value: '$boolean(input.photo)', label: 'If “Photo” is provided' },
    { value: '$boolean(input.film)', label: 'If “film” is provided' },
    { value: 'input.logo', label: 'If “Logo\tB\nC” is on' },
  ]);
});

it('offers one list per source before the step, whatever its name contains', () => {
  expect(listOptions(values, 1)).toEqual([
    { value: 'input.photos', label: 'For each file in “Photos\twide”' },
    { value: 'steps.ideas.output.data.videos', label: 'For each post from “Ideas\nnew”' },
  ]);
});
