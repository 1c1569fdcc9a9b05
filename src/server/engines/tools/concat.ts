import path from 'node:path';
import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { toneMapFilters } from '#server/media/tone-map.ts';
import {
  AUDIO_CODEC_FLAGS,
  MP4_FLAGS,
  formatFfmpegSeconds,
  STEADY_AUDIO_FILTER,
  VIDEO_CODEC_FLAGS,
} from './ffmpeg-encoding.ts';
import { readVideo, type VideoSource } from './video-source.ts';
import { invalidInputError, type Tool } from './tool.ts';

/** Shows the last frame on where a clip's picture ends before its sound. */
const LAST_FRAME_PADDING_SECONDS = 2;

/**
 * Videos one after another. The first sets size and rate; others are fitted with bars, silent ones get silence.
 * Spec: Task contracts: video.concat. Decision: Tools
 */
export const concat: Tool<'video.concat'> = async (tools, job) => {
  const paths = job.references.map(({ path }) => path).filter((at) => at.startsWith('videos.'));
  const sources: VideoSource[] = [];
  for (const at of paths.toSorted((a, b) => videoIndex(a) - videoIndex(b)))
    sources.push(await readVideo(tools, job, at));
  const [frame] = sources;
  if (!frame || sources.length < 2) throw invalidInputError('Joining needs at least two videos.');

  const with_sound = sources.some(({ audio }) => audio !== undefined);
  const lengths = sources.map((source) => lengthOnGrid(source, frame));
  const chains = sources.flatMap((source, index) => [
    pictureChain(tools, source, index, frame, lengths[index] ?? 0),
    soundChain(source, index, lengths[index] ?? 0),
  ]);
  const pads = sources.map((_, index) => `[v${index}][a${index}]`).join('');
  // Silence is joined even where nobody wants it: it tells how long a clip of a single frame is.
  const joined = `${pads}concat=n=${sources.length}:v=1:a=1[v][a]${with_sound ? '' : ';[a]anullsink'}`;
  const total_seconds = lengths.reduce((sum, length) => sum + length, 0);
  const file = path.join(job.work_dir, 'joined.mp4');
  const inputs = sources.flatMap(
    (source) => flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds)} -i file:${source.file}`,
  );
  const sound = with_sound ? flags`-map [a] ${AUDIO_CODEC_FLAGS}` : [];
  await runFfmpeg(tools, {
    args: flags`${inputs} -filter_complex ${[...chains, joined].join(';')} -map [v] ${VIDEO_CODEC_FLAGS} ${sound}
      ${MP4_FLAGS} file:${file}`,
    total_seconds,
    signal: job.signal,
    onProgress: job.onProgress,
  });
  return { files: [file], data: { duration_seconds: Math.round(total_seconds * 1e6) / 1e6 } };
};

const videoIndex = (at: string): number => Number(at.slice('videos.'.length));

const lengthOnGrid = (source: VideoSource, { rate }: VideoSource): number =>
  Math.max(1, Math.round(source.duration_seconds * rate.per_second)) / rate.per_second;

function pictureChain(
  tools: MediaTools,
  source: VideoSource,
  index: number,
  { width, height, rate }: VideoSource,
  length: number,
): string {
  const filters = [
    `fps=${rate.text}:start_time=0`,
    ...toneMapFilters(tools, source),
    // Stretched pixels are made square first, so that the fit goes by what is seen.
    'scale=trunc(iw*sar):ih,setsar=1',
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`,
    `tpad=stop_mode=clone:stop_duration=${LAST_FRAME_PADDING_SECONDS}`,
    `trim=duration=${formatFfmpegSeconds(length)},setpts=PTS-STARTPTS`,
  ];
  return `[${index}:${source.stream.index}]${filters.join(',')}[v${index}]`;
}

function soundChain({ audio }: VideoSource, index: number, length: number): string {
  const cut = `atrim=duration=${formatFfmpegSeconds(length)},asetpts=PTS-STARTPTS[a${index}]`;
  const format = 'aformat=sample_fmts=fltp:channel_layouts=stereo';
  if (!audio) return `anullsrc=r=48000:cl=stereo,${format},${cut}`;
  return `[${index}:${audio.index}]${STEADY_AUDIO_FILTER},${format},apad,${cut}`;
}
