import { copyFile, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags } from '#server/platform/media/flags.ts';
import { createToolsEngine } from './tools-engine.ts';
import { clickTrack, openClipFixture, type ClipFixture } from '#server/models/engine/testing/clip-fixture.ts';

let fixture: ClipFixture;
let clip: string;
beforeAll(async () => {
  fixture = await openClipFixture();
  const sources = flags`-f lavfi -i testsrc2=s=320x180:r=25:d=3 -f lavfi -i ${clickTrack(3)}`;
  clip = await fixture.createClip('clip.mp4', [...sources, ...flags('-c:v libx264 -preset ultrafast -c:a aac')]);
});
afterAll(() => fixture.close());

const TASKS = [
  ['video.trim', { start_seconds: 0, end_seconds: 2 }],
  ['video.extract_frame', { timestamp_seconds: 1, format: 'jpg' }],
  ['video.extract_audio', { format: 'mp3', bitrate: '192k' }],
  ['video.split_scenes', { threshold: 20, minimum_scene_length_seconds: 0 }],
] as const;

describe('the tools engine', () => {
  it('supports the tools without a model', () => {
    const engine = createToolsEngine(fixture.tools);
    const tools = ['video.trim', 'video.concat', 'video.extract_frame', 'video.split_scenes'] as const;
    for (const task of [...tools, 'video.extract_audio', 'video.add_audio', 'image.transform'] as const) {
      expect(engine.supports(task, null)).toBe(true);
      expect(engine.supports(task, 'omni-video')).toBe(false);
    }
    expect(engine.supports('video.create', 'omni-video')).toBe(false);
    expect(engine.supports('social.search', null)).toBe(false);
  });

  it.each(TASKS)('reports invalid media for %s when a file is truncated or empty', async (task, input) => {
    for (const size_bytes of [20_000, 0]) {
      const file = path.join(fixture.folder, 'broken.mp4');
      await copyFile(clip, file);
      const run = fixture.run(task, { video: file }, input, { before: () => truncate(file, size_bytes) });
      await expect(run).rejects.toMatchObject({
        name: 'EngineError',
        code: 'invalid_media',
        retryable: false,
        message: expect.stringMatching(/^[A-Z].*\.$/),
      });
    }
  });

  it('reports the path of missing media', async () => {
    await expect(fixture.run('video.trim', {}, { start_seconds: 0, end_seconds: 1 })).rejects.toMatchObject({
      name: 'EngineError',
      message: 'The input has no media at video.',
    });
  });
});
