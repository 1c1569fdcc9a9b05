import { expect, it } from 'vitest';
import type { TaskId } from '#contract/ids.ts';
import { rankReferences } from '#contract/media-roles.ts';
import type { FieldSpec, MediaKind } from '#contract/task.ts';
import { describeResult, labelResult } from './describe-result.ts';

const KINDS: readonly MediaKind[] = ['audio', 'video', 'image'];

/** What is signed about a result of a model that takes files in fields of these names, in this order. */
function describeMade(task: TaskId, names: readonly string[]) {
  const fields = names.map((name): FieldSpec => ({
    kind: 'reference',
    name,
    label: name,
    group: 'main',
    media: KINDS.find((kind) => name.includes(kind)) ?? 'image',
    required: true,
    with_role: false,
  }));
  const input = Object.fromEntries(names.map((name) => [name, { url: `https://files.test/${name}` }]));
  const sources = rankReferences({ fields, rules: [] }, input).map(({ kind, rank, is_guide, path }) => ({
    kind,
    rank,
    is_guide,
    title: path,
    mime_type: 'application/octet-stream',
    ai: null,
  }));
  const row = { task, input };
  const { statement, ingredients } = describeResult({
    row,
    model_name: 'Acme',
    maker: 'model',
    provider: 'fal',
    sources,
    original: null,
    is_converted: false,
    generation: { task, record: 'r' },
    title: 'a',
    at: new Date(0),
  });
  return {
    ai: labelResult({ row, maker: 'model', sources }),
    relations: Object.fromEntries(ingredients.map(({ title, relationship }) => [title, relationship])),
    actions: statement.actions.map(({ action }) => action),
    source_type: String(statement.actions.at(-1)?.['digitalSourceType']).split('/').at(-1),
  };
}

const EDITED = { ai: 'edited', source_type: 'compositeWithTrainedAlgorithmicMedia' };

it.each<[TaskId, Record<string, string>, readonly string[]]>([
  ['image.edit', { mask_image: 'inputTo', image_url: 'parentOf' }, ['c2pa.opened', 'c2pa.edited']],
  ['image.background', { input_image: 'parentOf' }, ['c2pa.opened', 'c2pa.edited']],
  ['video.edit', { style_image_url: 'inputTo', video_url: 'parentOf' }, ['c2pa.opened', 'c2pa.edited']],
  ['video.edit', { reference_video_urls: 'inputTo', source_video: 'parentOf' }, ['c2pa.opened', 'c2pa.edited']],
  ['video.upscale', { video_url: 'parentOf' }, ['c2pa.opened', 'c2pa.resized']],
  ['video.lipsync', { audio_url: 'componentOf', video_url: 'parentOf' }, ['c2pa.opened', 'c2pa.placed', 'c2pa.dubbed']],
  [
    'video.lipsync',
    { voice_audio: 'inputTo', audio_url: 'componentOf', video: 'parentOf' },
    ['c2pa.opened', 'c2pa.placed', 'c2pa.dubbed'],
  ],
])('signs %s with %j as an edit of its source', (task, relations, actions) => {
  expect(describeMade(task, Object.keys(relations))).toEqual({ ...EDITED, relations, actions });
});

it('signs what only looks at media as created', () => {
  const made = describeMade('video.create', ['first_frame_image']);
  expect(made).toEqual({
    ai: 'generated',
    relations: { first_frame_image: 'inputTo' },
    actions: ['c2pa.created'],
    source_type: 'trainedAlgorithmicMedia',
  });
});
