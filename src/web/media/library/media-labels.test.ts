import { describe, expect, it } from 'vitest';
import type { MediaItem } from '#contract/resources/media.ts';
import { createCatalogNames } from '#web/api/catalog-names.ts';
import { creatorLabel, formatMediaCount, mediaTitle } from './media-labels.ts';
import { formatTimeUntilRemoval, formatRetention } from './retention-date.tsx';

const generation = {
  id: 'gen_1',
  task: 'image.create',
  model: 'imgmodel-b-2',
  prompt: ' Pears ',
  status: 'succeeded',
} as const;
const media = { type: 'image', filename: null, generation } as const;

const names = createCatalogNames();

describe('media labels', () => {
  it('title a medium by its file, its prompt or its creator', () => {
    expect(mediaTitle({ type: 'audio', filename: 'rain.wav', generation: null }, names)).toBe('rain.wav');
    expect(mediaTitle(media, names)).toBe('Pears');
    expect(mediaTitle({ ...media, name: 'Pears – frame' }, names)).toBe('Pears – frame');
    expect(
      mediaTitle({ ...media, generation: { ...generation, task: 'video.trim', model: null, prompt: null } }, names),
    ).toBe('Trim a video');
    const other = { ...generation, task: 'other.run', model: 'added-acme-mesh', prompt: null } as const;
    expect(mediaTitle({ ...media, generation: other }, createCatalogNames({ 'added-acme-mesh': 'Acme Mesh' }))).toBe(
      'Acme Mesh',
    );
    expect(mediaTitle({ type: 'audio', filename: null, generation: null }, names)).toBe('Audio');
    expect([creatorLabel(media, names), creatorLabel({ generation: null }, names)]).toEqual([
      'ImgModel B 2',
      undefined,
    ]);
  });

  it('count media by kind, or as files if kinds are mixed', () => {
    const of = (...types: MediaItem['type'][]) => formatMediaCount(types.map((type) => ({ type })));
    expect([of('image'), of('video', 'video'), of('image', 'audio'), of()]).toEqual([
      '1 image',
      '2 videos',
      '2 files',
      '0 files',
    ]);
  });
});

describe('retention', () => {
  const nowMs = Date.parse('2026-03-01T00:00:00.000Z');
  it('is described if it is limited', () => {
    expect(formatRetention(30)).toBe('Files are removed 30 days after they were created or uploaded.');
    expect(formatRetention(1)).toContain('1 day after');
    expect([formatRetention(null), formatRetention(undefined)]).toEqual([null, null]);
  });

  it('shows the time left of a file that is removed soon', () => {
    const at = (time: string) => formatTimeUntilRemoval(`2026-03-${time}.000Z`, nowMs);
    expect([at('02T12:00:00'), at('03T01:00:00'), at('09T00:00:00')]).toEqual(['1 day left', '2 days left', null]);
    expect([at('01T05:00:00'), at('01T00:10:00')]).toEqual(['Less than a day left', 'Removed within the hour']);
    expect([formatTimeUntilRemoval(null, nowMs), formatTimeUntilRemoval(undefined, nowMs)]).toEqual([null, null]);
  });
});
