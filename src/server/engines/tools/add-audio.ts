import path from 'node:path';
import * as z from 'zod/mini';
import { runFfmpeg } from '../../media/ffmpeg.ts';
import { flags } from '../../media/flags.ts';
import { toneMap } from '../../media/tone-map.ts';
import { AUDIO_CODEC, MP4_FILE, seconds, STEADY_SOUND, VIDEO_CODEC } from './encode.ts';
import { readVideo, referenceAt, type VideoSource } from './source.ts';
import { badMedia, type Tool } from './tool.ts';

const Input = z.object({
  mode: z.enum(['replace', 'mix']),
  audio_volume: z.number(),
  original_audio_volume: z.nullable(z.number()),
});

/** Pictures that MP4 holds and players show as they are, with what their track must be called. */
const COPIED: Readonly<Record<string, readonly string[]>> = {
  h264: flags('-c:v copy'),
  hevc: flags('-c:v copy -tag:v hvc1'),
  av1: flags('-c:v copy'),
  vp9: flags('-c:v copy'),
};

/**
 * A sound track under a video, whose length stays: sound is cut or padded. With `mix` the video's own sound stays too.
 * Spec: Task contracts: video.add_audio. Decision: Points that the two documents leave between them (Tools)
 */
export const addAudio: Tool = async (tools, job) => {
  const { mode, audio_volume, original_audio_volume } = Input.parse(job.input);
  const added = referenceAt(job, 'audio');
  if (!added.media.has_audio) throw badMedia('The file given as sound has no sound in it.');
  const source = await readVideo(tools, job, 'video');
  const { stream, duration_seconds } = source;
  const mixed = mode === 'mix' && source.audio !== undefined;
  const sound = mixed
    ? mixChain(source, audio_volume, original_audio_volume ?? 1)
    : `[1:a:0]${track(audio_volume, duration_seconds)}[a]`;
  const mapped = toneMap(tools, source);
  const copied = COPIED[stream.codec_name ?? ''];
  const picture =
    copied ?? flags`-vf ${[...mapped, `scale=${source.width}:${source.height}`, 'setsar=1'].join(',')} ${VIDEO_CODEC}`;
  const file = path.join(job.work_dir, 'with-sound.mp4');
  await runFfmpeg(tools, {
    args: flags`-i file:${source.file} -i file:${added.file} -filter_complex ${sound} -map 0:${stream.index} -map [a]
      ${picture} ${AUDIO_CODEC} -t ${seconds(duration_seconds)} ${MP4_FILE} file:${file}`,
    total_seconds: duration_seconds,
    signal: job.signal,
    onProgress: job.onProgress,
  });
  return { files: [file], data: null };
};

const track = (volume: number, length: number): string =>
  `${STEADY_SOUND},aformat=sample_fmts=fltp:channel_layouts=stereo,volume=${volume},apad,atrim=duration=${seconds(length)}`;

/** Both at their full volume; peaks are limited instead of clipped. */
function mixChain({ audio, duration_seconds }: VideoSource, volume: number, own_volume: number): string {
  return [
    `[0:${audio?.index ?? 'a:0'}]${track(own_volume, duration_seconds)}[own]`,
    `[1:a:0]${track(volume, duration_seconds)}[added]`,
    '[own][added]amix=inputs=2:duration=first:normalize=0,alimiter=limit=0.98:level=disabled[a]',
  ].join(';');
}
