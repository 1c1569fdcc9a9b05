import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContainer } from '#server/platform/media/ffprobe.ts';
import { flags } from '#server/platform/media/flags.ts';
import { probeFile } from '#server/platform/media/probe-file.ts';
import {
  clickTrack,
  numberedFrames,
  openClipFixture,
  type ClipFixture,
} from '#server/models/engine/testing/clip-fixture.ts';

let fixture: ClipFixture;
beforeAll(async () => {
  fixture = await openClipFixture();
});
afterAll(() => fixture.close());

const X264 = flags('-c:v libx264 -preset ultrafast -qp 10 -bf 2 -pix_fmt yuv420p');
const picture = (seconds: number): string[] => flags`-f lavfi -i ${numberedFrames('320x180', '30', seconds)}`;
const sound = (seconds: number): string[] => flags`-f lavfi -i ${clickTrack(seconds)}`;
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function expectClose(heard: readonly number[], expected: readonly number[]): void {
  expect(heard).toHaveLength(expected.length);
  for (const [index, at] of expected.entries()) expect(Math.abs((heard[index] ?? 99) - at)).toBeLessThan(0.02);
}

describe('video.extract_audio', () => {
  const take = (video: string, format: string, bitrate = '192k') =>
    fixture.run('video.extract_audio', { video }, { format, bitrate });

  it.each([
    ['mp3', 'audio/mpeg', 0.06],
    ['wav', 'audio/wav', 0.022],
    ['aac', 'audio/mp4', 0.03],
  ])('saves %s with the length and timing of the video', async (format, mime_type, slack) => {
    const clip = await fixture.createClip('clip.mp4', [...picture(3), ...sound(3), ...X264, ...flags('-c:a aac')]);
    const { files, data } = await take(clip, format);
    const media = await probeFile(fixture.tools, files[0] ?? '');
    expect(media).toMatchObject({ kind: 'audio', mime_type });
    expect(Math.abs((media.duration_seconds ?? 0) - 3)).toBeLessThan(slack);
    expectClose(await fixture.clicks(files[0] ?? ''), [0, 1, 2]);
    expect(data).toBeNull();
  });

  it('applies the bit rate', async () => {
    const noise = flags('-f lavfi -i anoisesrc=d=4:c=pink');
    const clip = await fixture.createClip('noise.mp4', [
      ...picture(4),
      ...noise,
      ...X264,
      ...flags('-c:a aac -b:a 256k'),
    ]);
    for (const [bitrate, kbit] of [
      ['128k', 128],
      ['320k', 320],
    ] as const) {
      const { files } = await take(clip, 'mp3', bitrate);
      const { size_bytes } = await probeFile(fixture.tools, files[0] ?? '');
      expect(Math.abs((size_bytes * 8) / 4_000 / kbit - 1)).toBeLessThan(0.1);
    }
  });

  it('starts with silence when audio starts late and downmixes surround to stereo', async () => {
    const late = flags`-itsoffset 0.5 -f lavfi -i ${clickTrack(2)}`;
    const clip = await fixture.createClip('late.mkv', [...picture(3), ...late, ...X264, ...flags('-c:a aac -ac 6')]);
    const { files } = await take(clip, 'wav');
    expectClose(await fixture.clicks(files[0] ?? ''), [0.5, 1.5]);
  });

  it('rejects a video without audio', async () => {
    const clip = await fixture.createClip('silent.mp4', [...picture(1), ...X264]);
    await expect(take(clip, 'mp3')).rejects.toMatchObject({
      code: 'invalid_media',
      message: 'The video has no audio.',
    });
  });
});

describe('video.add_audio', () => {
  const add = (video: string, audio: string, input: Record<string, unknown> = {}) =>
    fixture.run(
      'video.add_audio',
      { video, audio },
      { mode: 'replace', audio_volume: 1, original_audio_volume: null, ...input },
    );

  it.each([
    ['longer audio is cut', 5, [0, 1, 2]],
    ['shorter audio is padded', 1.5, [0, 1]],
  ])('replaces the audio: %s, and frames are unchanged', async (_name, seconds, clicks) => {
    const hum = flags('-f lavfi -i sine=f=100:d=3');
    const clip = await fixture.createClip('clip.mp4', [...picture(3), ...hum, ...X264, ...flags('-c:a aac')]);
    const audio = await fixture.createClip('clicks.wav', sound(seconds));
    const { files } = await add(clip, audio);
    const media = await probeFile(fixture.tools, files[0] ?? '');
    expect(media).toMatchObject({ mime_type: 'video/mp4', width: 320, height: 180, has_audio: true });
    expect(Math.abs((media.duration_seconds ?? 0) - 3)).toBeLessThan(0.01);
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual(range(90));
    expectClose(await fixture.clicks(files[0] ?? ''), clicks);
    const { streams } = await readContainer(fixture.tools, files[0] ?? '', undefined);
    expect(Math.abs((streams.find(({ codec_type }) => codec_type === 'audio')?.duration ?? 0) - 3)).toBeLessThan(0.03);
  });

  it('adds audio to a silent WebM and returns MP4', async () => {
    const webm = flags('-c:v libvpx -deadline realtime -cpu-used 8 -b:v 2M');
    const clip = await fixture.createClip('silent.webm', [...picture(2), ...webm]);
    const audio = await fixture.createClip('clicks.mp3', sound(2));
    const { files } = await add(clip, audio, { mode: 'mix', original_audio_volume: 1 });
    expect(await probeFile(fixture.tools, files[0] ?? '')).toMatchObject({ mime_type: 'video/mp4', has_audio: true });
    expect(await fixture.frameNumbers(files[0] ?? '')).toEqual(range(60));
    expectClose(await fixture.clicks(files[0] ?? ''), [0, 1]);
  });

  it('mixes both tracks at their volumes', async () => {
    const tone = flags('-f lavfi -i sine=f=400:d=2');
    const clip = await fixture.createClip('tone.mp4', [...picture(2), ...tone, ...X264, ...flags('-c:a aac')]);
    const audio = await fixture.createClip('high.wav', flags('-f lavfi -i sine=f=3000:d=2'));
    const levels = async (input: Record<string, unknown>): Promise<[own: number, added: number]> => {
      const { files } = await add(clip, audio, { mode: 'mix', ...input });
      const at = (filter: string): Promise<number> => loudness(files[0] ?? '', filter);
      return [await at('lowpass=f=900:p=2'), await at('highpass=f=1500:p=2')];
    };
    const [own, added] = await levels({});
    expect(Math.abs(own - added)).toBeLessThan(2);
    const [own_full, added_half] = await levels({ audio_volume: 0.5 });
    expect(own_full - added_half).toBeGreaterThan(4.5);
    expect(own_full - added_half).toBeLessThan(7.5);
    const [own_off, added_full] = await levels({ original_audio_volume: 0 });
    expect(added_full - own_off).toBeGreaterThan(20);
    expect(Math.abs(added_full - added)).toBeLessThan(1.5);
  });

  it('rejects an audio file without audio', async () => {
    const clip = await fixture.createClip('silent.mp4', [...picture(1), ...X264]);
    await expect(add(clip, clip)).rejects.toMatchObject({ name: 'EngineError', code: 'invalid_media' });
  });

  async function loudness(file: string, filter: string): Promise<number> {
    const raw = await fixture.createClip(
      'level.raw',
      flags`-i file:${file} -map 0:a:0 -af ${filter} -ac 1 -ar 48000 -f f32le`,
    );
    const bytes = await readFile(raw);
    let sum = 0;
    for (let at = 48_000; at < bytes.length - 48_000; at += 4) sum += bytes.readFloatLE(at) ** 2;
    return 10 * Math.log10(sum / ((bytes.length - 96_000) / 4) + 1e-12);
  }
});
