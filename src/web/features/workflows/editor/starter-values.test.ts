import { describe, expect, it } from 'vitest';
import { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { findDependents, renameEverywhere } from './expressions.ts';
import {
  blankStarter,
  copyAsNewStarter,
  parseDefinition,
  slugify,
  starterShapeProblem,
  toDefinition,
  toStarterValues,
  uniqueKey,
} from './starter-values.ts';

const definition = {
  slug: 'product-clip',
  name: 'Product clip',
  description: 'Puts a product photo into a scene and makes it move.',
  input_schema: {
    type: 'object',
    properties: {
      photo: { type: 'object', 'x-media': 'image', title: 'Product photo' },
      scene: { type: 'string', title: 'Scene', 'x-multiline': true },
      poster: { type: 'boolean', default: false },
    },
    required: ['photo', 'scene'],
  },
  example_input: { scene: 'on wet stone' },
  steps: [
    {
      key: 'picture',
      name: 'Picture',
      task: 'image.edit',
      model: 'imgmodel-b-2',
      input: { images: ['{{ input.photo }}'], prompt: 'Put the product {{ input.scene }}, as in input.scene.' },
    },
    {
      key: 'poster',
      name: 'Poster',
      task: 'video.extract_frame',
      needs: ['picture'],
      when: 'input.poster and $count(steps.picture.output.assets) > 0',
      for_each: 'steps.picture.output.assets',
      max_items: 3,
      input: { video: '{{ item }}', timestamp_seconds: 1 },
    },
  ],
  output: { all: '{{ steps.poster.output.assets }}' },
};

describe('starter values', () => {
  it('round-trips a definition', () => {
    expect(starterShapeProblem(definition)).toBeNull();
    expect(toDefinition(toStarterValues(definition))).toEqual(definition);
    expect(WorkflowDefinition.safeParse(toDefinition(toStarterValues(definition))).success).toBe(true);
  });

  it('starts from a blank workflow that only needs a name', () => {
    const blank = { ...blankStarter(), name: 'A picture', slug: 'a-picture' };
    expect(WorkflowDefinition.safeParse(toDefinition(blank)).success).toBe(true);
  });

  it('copies a workflow under a new name and slug', () => {
    const copy = toDefinition(copyAsNewStarter(WorkflowDefinition.parse(definition)));
    expect([copy.name, copy.slug]).toEqual(['Product clip (copy)', 'product-clip-copy']);
    expect(copy.steps).toEqual(definition.steps);
  });

  it.each([
    [[], /object/],
    [{ steps: [] }, /input_schema/],
    [{ input_schema: { properties: [] }, steps: [] }, /input_schema/],
    [{ input_schema: { properties: { a: 1 } }, steps: [] }, /property/],
    [{ input_schema: {}, steps: [1] }, /steps/],
    [{ input_schema: {}, steps: [], output: [] }, /output/],
    [{ input_schema: {}, steps: [], example_input: 'x' }, /example_input/],
  ])('explains why %j can’t be shown as a form', (given, reason) => {
    expect(starterShapeProblem(given)).toMatch(reason);
    expect(() => parseDefinition(JSON.stringify(given))).toThrow(reason);
  });
});

describe('keys and slugs', () => {
  it('are derived from names', () => {
    expect(slugify('  Été à Paris: 2 Clips! ')).toBe('ete-a-paris-2-clips');
    expect(uniqueKey('2 Product photos', [], 'step')).toBe('product_photos');
    expect(uniqueKey('Photo', ['photo', 'photo_2'], 'step')).toBe('photo_3');
    expect(uniqueKey('写真', [], 'input')).toBe('input');
  });

  it('are renamed in every expression and nowhere else', () => {
    const state = toStarterValues(definition);
    const renamed = toDefinition(
      renameEverywhere(renameEverywhere(state, 'steps', 'picture', 'image'), 'input', 'scene', 'place'),
    );
    expect(renamed.steps[0]?.key).toBe('image');
    expect(renamed.steps[0]?.input['prompt']).toBe('Put the product {{ input.place }}, as in input.scene.');
    expect(renamed.steps[1]).toMatchObject({
      needs: ['image'],
      when: 'input.poster and $count(steps.image.output.assets) > 0',
      for_each: 'steps.image.output.assets',
    });
    expect(renamed.example_input).toEqual({ place: 'on wet stone' });
    expect(renamed.input_schema['required']).toEqual(['photo', 'place']);
    // The step has the name of an input: only the one that was meant changes.
    const other = toDefinition(renameEverywhere(state, 'steps', 'poster', 'cover'));
    expect(other.steps[1]?.when).toContain('input.poster');
    expect(other.output).toEqual({ all: '{{ steps.cover.output.assets }}' });
  });

  it('report the parts that use them', () => {
    const state = toStarterValues(definition);
    expect(findDependents(state, 'input', 'scene')).toEqual(['“Picture”']);
    expect(findDependents(state, 'steps', 'picture')).toEqual(['“Poster”']);
    expect(findDependents(state, 'steps', 'poster')).toEqual(['Results']);
    expect(findDependents(state, 'input', 'pic')).toEqual([]);
  });
});

it('says where JSON is invalid, in the words of the browser', () => {
  expect(() => parseDefinition('{ "slug": ')).toThrow(/^Invalid JSON\. ./);
});
