import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { toneMapFilters } from '#server/platform/media/media-tools.ts';
import {
  AUDIO_CODEC_FLAGS,
  MP4_FLAGS,
  formatFfmpegSeconds,
  STEADY_AUDIO_FILTER,
  VIDEO_CODEC_FLAGS,
} from './ffmpeg-encoding.ts';
import { readVideo, referenceAt, type VideoSource } from './video-source.ts';
import { changesOf, downmixChange, fitChange, pictureChanges } from './changes.ts';
import { invalidInputError, type Tool } from './tool.ts';

/** With the tag that the track needs. */
const COPY_FLAGS: Readonly<Record<string, readonly string[]>> = {
  h264: flags('-c:v copy'),
  hevc: flags('-c:v copy -tag:v hvc1'),
  av1: flags('-c:v copy'),
  vp9: flags('-c:v copy'),
};

/** Cuts or pads audio to the video; `mix` keeps its own. Spec: Task contracts: video.add_audio. Decision: Tools */
export const addAudio: Tool<'video.add_audio'> = async (tools, job) => {
  const { mode, audio_volume, original_audio_volume } = job.input;
  const addedAudio = referenceAt(job, 'audio');
  if (!addedAudio.media.has_audio) throw invalidInputError('The audio file contains no audio.');
  const source = await readVideo(tools, job, 'video');
  const { stream, duration_seconds } = source;
  const isMixed = mode === 'mix' && source.audio !== undefined;
  const audioFilters = isMixed
    ? mixFilters(source, audio_volume, original_audio_volume ?? 1)
    : `[1:a:0]${trackFilters(audio_volume, duration_seconds)}[a]`;
  const toneMap = toneMapFilters(tools, source);
  const copyFlags = COPY_FLAGS[stream.codec_name ?? ''];
  const videoFlags =
    copyFlags ??
    flags`-vf ${[...toneMap, `scale=${source.width}:${source.height}`, 'setsar=1'].join(',')} ${VIDEO_CODEC_FLAGS}`;
  const file = path.join(job.workDir, 'with-sound.mp4');
  await runFfmpeg(tools, {
    args: flags`-i file:${source.file} -i file:${addedAudio.file} -filter_complex ${audioFilters} -map 0:${stream.index} -map [a]
      ${videoFlags} ${AUDIO_CODEC_FLAGS} -t ${formatFfmpegSeconds(duration_seconds)} ${MP4_FLAGS} file:${file}`,
    total_seconds: duration_seconds,
    signal: job.signal,
    onProgress: job.onProgress,
  });
  const { changes } = changesOf([
    ...pictureChanges({ ...source, ...(copyFlags ? { isVariable: false, isHdr: false, hasAlpha: false } : {}) }),
    fitChange('The added audio', addedAudio.media.duration_seconds, duration_seconds),
    isMixed ? fitChange('The sound of the video', source.audioEndSeconds, duration_seconds) : null,
    isMixed ? downmixChange(source.audio?.channels) : null,
  ]);
  return { files: [file], data: changes === undefined ? null : { changes } };
};

const trackFilters = (volume: number, length: number): string =>
  `${STEADY_AUDIO_FILTER},aformat=sample_fmts=fltp:channel_layouts=stereo,volume=${volume},apad,atrim=duration=${formatFfmpegSeconds(length)}`;

/** `amix` would halve both volumes without `normalize=0`; a limiter then prevents clipping. */
function mixFilters({ audio, duration_seconds }: VideoSource, volume: number, ownVolume: number): string {
  return [
    `[0:${audio?.index ?? 'a:0'}]${trackFilters(ownVolume, duration_seconds)}[own]`,
    `[1:a:0]${trackFilters(volume, duration_seconds)}[added]`,
    '[own][added]amix=inputs=2:duration=first:normalize=0,alimiter=limit=0.98:level=disabled[a]',
  ].join(';');
}
