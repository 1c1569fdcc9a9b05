import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { readContainer } from '#server/platform/media/ffprobe.ts';
import { flags } from '#server/platform/media/flags.ts';
import { STEADY_AUDIO_FILTER } from './ffmpeg-encoding.ts';
import { changesOf, downmixChange } from './changes.ts';
import { isSound, referenceAt } from './video-source.ts';
import { invalidInputError, type Tool } from './tool.ts';

interface Encoding {
  extension: string;
  codec(bitrate: string): string[];
}

const ENCODINGS = {
  mp3: { extension: 'mp3', codec: (bitrate) => flags`-c:a libmp3lame -b:a ${bitrate} -f mp3` },
  wav: { extension: 'wav', codec: () => flags('-c:a pcm_s16le -f wav') },
  // In MP4, because a raw AAC stream states a wrong duration.
  aac: { extension: 'm4a', codec: (bitrate) => flags`-c:a aac -b:a ${bitrate} -movflags +faststart -f ipod` },
} as const satisfies Record<InputOf<'video.extract_audio'>['format'], Encoding>;

/** Audio that starts late is preceded by silence. Spec: Task contracts: video.extract_audio. Decision: Formats */
export const extractAudio: Tool<'video.extract_audio'> = async (tools, job) => {
  const { format, bitrate } = job.input;
  const { file, media } = referenceAt(job, 'video');
  if (!media.has_audio) throw invalidInputError('The video has no audio.');
  const encoding = ENCODINGS[format];
  const output = path.join(job.workDir, `sound.${encoding.extension}`);
  await runFfmpeg(tools, {
    args: flags`-i file:${file} -map 0:a:0 -vn -sn -dn -af ${STEADY_AUDIO_FILTER},${'aformat=channel_layouts=stereo|mono'}
      ${encoding.codec(bitrate)} -map_metadata -1 -map_chapters -1 file:${output}`,
    total_seconds: media.duration_seconds ?? undefined,
    signal: job.signal,
    onProgress: job.onProgress,
  });
  const container = await readContainer(tools, file, job.signal);
  const sounds = container.streams.filter(isSound);
  const { changes } = changesOf([
    sounds.length > 1 ? `Only the first of ${sounds.length} sound tracks was extracted.` : null,
    downmixChange(sounds[0]?.channels),
  ]);
  return { files: [output], data: changes === undefined ? null : { changes } };
};
