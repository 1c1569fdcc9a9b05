import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ClipFixture, openClipFixture } from '#server/models/engine/testing/clip-fixture.ts';
import { listOddClips } from '#server/models/engine/testing/odd-clips.ts';
import { expectEndTogether } from '#server/models/engine/testing/stream-ends.ts';
import { flags } from '#server/platform/media/flags.ts';

let fixture: ClipFixture;
let music: string;
beforeAll(async () => {
  fixture = await openClipFixture();
  music = await fixture.createClip('music.mp3', flags('-f lavfi -i sine=f=900:d=1.3'));
});
afterAll(() => fixture.close());

const CLIPS = listOddClips();

describe.concurrent('picture and sound end together after each tool', () => {
  it.each(CLIPS.map((clip, index) => ({ ...clip, index })))('$name', async ({ extension, args, index }) => {
    const { tools } = fixture;
    const video = await fixture.createClip(`clip-${index}.${extension}`, args);
    // Each clip starts at another frame, before, in and after sound that ends early.
    const start_seconds = (index % 10) / 10;
    const trimmed = await fixture.run('video.trim', { video }, { start_seconds, end_seconds: start_seconds + 0.5 });
    await expectEndTogether(tools, trimmed.files[0] ?? '', { seconds: Number(trimmed.data?.['duration_seconds']) });
    const whole = await fixture.run('video.trim', { video }, { start_seconds: 0, end_seconds: 9 });
    await expectEndTogether(tools, whole.files[0] ?? '', { seconds: Number(whole.data?.['duration_seconds']) });
    const joined = await fixture.run('video.concat', { 'videos.0': video, 'videos.1': video }, {});
    await expectEndTogether(tools, joined.files[0] ?? '', { seconds: Number(joined.data?.['duration_seconds']) });
    for (const mode of ['replace', 'mix']) {
      const input = { mode, audio_volume: 1, original_audio_volume: mode === 'mix' ? 1 : null };
      const { files } = await fixture.run('video.add_audio', { video, audio: music }, input);
      await expectEndTogether(tools, files[0] ?? '');
    }
    const split = await fixture.run(
      'video.split_scenes',
      { video },
      { threshold: 20, minimum_scene_length_seconds: 0.5 },
    );
    for (const file of split.files) await expectEndTogether(tools, file);
  });
});
