import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClipFixture, openClipFixture } from '#server/models/engine/testing/clip-fixture.ts';
import { listOddClips } from '#server/models/engine/testing/odd-clips.ts';
import { expectEndTogether } from '#server/models/engine/testing/stream-ends.ts';
import { flags } from '#server/platform/media/flags.ts';

let fixture: ClipFixture;
beforeAll(async () => {
  fixture = await openClipFixture();
});
afterAll(() => fixture.close());

const CLIPS = listOddClips();
const create = (name: string) => {
  const clip = CLIPS.find((each) => each.name === name);
  if (!clip) throw new Error(`No clip is called ${name}.`);
  return fixture.createClip(`clip.${clip.extension}`, clip.args);
};

it.each([
  ['MP4 of one fragment with aac, both from 0', 0.5, 1.5],
  ['MP4 in fragments of half a second with aac, late sound', 0, 1.2],
  ['MKV with flac, sound that ends early', 1, 1.8],
  ['live WebM with libopus, varying frame rate', 0.3, 1.5],
] as const)('trims %s to picture and sound of one length', async (name, start_seconds, end_seconds) => {
  const video = await create(name);
  const { files, data } = await fixture.run('video.trim', { video }, { start_seconds, end_seconds });
  await expectEndTogether(fixture.tools, files[0] ?? '', { seconds: end_seconds - start_seconds });
  if (name === 'MKV with flac, sound that ends early')
    expect(data).toMatchObject({
      changes: expect.stringMatching(/^The sound is .* s shorter than the picture: silence follows\.$/),
    });
});

it('says which tracks of a source a result does not have', async () => {
  const sounds = flags('-f lavfi -i sine=d=1 -f lavfi -i sine=f=200:d=3 -map 0 -map 1 -map 2');
  const codecs = flags('-c:v libx264 -preset ultrafast -c:a aac -ac:a:0 6');
  const picture = flags('-f lavfi -i testsrc2=s=64x36:r=10:d=1');
  const video = await fixture.createClip('two.mp4', [...picture, ...sounds, ...codecs]);
  const trimmed = await fixture.run('video.trim', { video }, { start_seconds: 0, end_seconds: 1 });
  expect(trimmed.data).toMatchObject({ changes: 'Left out: a second sound track.' });
  const extracted = await fixture.run('video.extract_audio', { video }, { format: 'mp3', bitrate: '128k' });
  expect(extracted.data).toEqual({
    changes: 'Only the first of 2 sound tracks was extracted. The surround sound became stereo.',
  });
  const audio = await fixture.createClip('long.wav', flags('-f lavfi -i sine=d=4'));
  const input = { mode: 'replace', audio_volume: 1, original_audio_volume: null };
  const added = await fixture.run('video.add_audio', { video, audio }, input);
  expect(added.data).toEqual({
    changes: 'Left out: a second sound track. The added audio is 3 s longer than the picture: the rest was left out.',
  });
});
