import { expect, it } from 'vitest';
import { addEdit, mediaFileStem, mediaName, NO_SOURCE, toSource } from './media-name.ts';

const film = {
  ...NO_SOURCE,
  id: 'ast_1',
  type: 'video',
  filename: null,
  created_at: new Date('2026-11-24T10:00:00Z'),
  generation: { task: 'video.create', prompt: 'Slow push in, mist drifts over the slate, morning light, very calm' },
} as const;

it('names each edit once, and of several scenes the last', () => {
  const edits = (['video.trim', 'video.add_audio', 'video.trim', 'video.split_scenes'] as const).reduce<string[]>(
    (all, task) => addEdit(all, task, 0),
    [],
  );
  expect(edits).toEqual(['with sound', 'trimmed', 'scene 1']);
  expect(addEdit(edits, 'video.split_scenes', 11)).toEqual(['with sound', 'trimmed', 'scene 12']);
  expect(addEdit([], 'image.create', 0)).toEqual([]);
});

it('keeps the edits of a source, and starts anew from a name that a person gave', () => {
  const trimmed = { ...film, source_name: 'Honey jar', source_id: 'ast_0', source_number: 2, edits: ['trimmed'] };
  expect(toSource(trimmed)).toMatchObject({ source_name: 'Honey jar', source_id: 'ast_0', edits: ['trimmed'] });
  expect(toSource({ ...trimmed, filename: 'Hero clip.mp4' })).toMatchObject({
    source_name: 'Hero clip',
    source_id: 'ast_1',
    edits: [],
  });
  expect(toSource(film)).toMatchObject({ source_name: 'Slow push in, mist drifts over the slate, morning light,' });
  expect(toSource({ ...film, generation: { ...film.generation, prompt: ' ' } })).toBeNull();
});

it.each([['a'.repeat(80)], ['狐'.repeat(60)], ['Honey jar on slate '.repeat(9)]])(
  'never cuts what was done to %s, and fits into a file name',
  (prompt) => {
    const source = toSource({ ...film, generation: { ...film.generation, prompt } });
    const edits = ['animated', 'edited', 'with sound', 'joined', 'trimmed', 'lip sync', 'audio', 'scene 12', 'frame'];
    const derived = { ...film, ...source, source_number: 12, edits };
    expect(mediaName(derived)).toMatch(/ \(12\) – animated, .* scene 12, frame$/);
    expect(mediaFileStem(derived)).toBe(`2026-11-24 ${mediaName(derived)}`);
    expect(Buffer.byteLength(mediaFileStem(derived))).toBeLessThanOrEqual(220);
  },
);
