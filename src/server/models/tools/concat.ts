import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { type MediaTools, toneMapFilters } from '#server/platform/media/media-tools.ts';
import {
  AUDIO_CODEC_FLAGS,
  MP4_FLAGS,
  formatFfmpegSeconds,
  STEADY_AUDIO_FILTER,
  VIDEO_CODEC_FLAGS,
} from './ffmpeg-encoding.ts';
import { readVideo, type VideoSource } from './video-source.ts';
import { changesOf, downmixChange, fitChange, pictureChanges } from './changes.ts';
import { invalidInputError, type Tool } from './tool.ts';

/** Repeats the last frame when a clip's video is shorter than its audio. */
const LAST_FRAME_PADDING_SECONDS = 2;

/** The first video sets size and frame rate. Spec: Task contracts: video.concat. Decision: Tools */
export const concat: Tool<'video.concat'> = async (tools, job) => {
  const paths = job.references.map((reference) => reference.path).filter((path) => path.startsWith('videos.'));
  const sources: VideoSource[] = [];
  for (const path of paths.toSorted((a, b) => videoIndex(a) - videoIndex(b)))
    sources.push(await readVideo(tools, job, path));
  const [frame] = sources;
  if (!frame || sources.length < 2) throw invalidInputError('Joining needs at least two videos.');

  const hasAudio = sources.some(({ audio }) => audio !== undefined);
  const lengths = sources.map((source) => lengthOnGrid(source, frame));
  const chains = sources.flatMap((source, index) => [
    videoChain(tools, source, index, frame, lengths[index] ?? 0),
    audioChain(source, index, lengths[index] ?? 0),
  ]);
  const pads = sources.map((_, index) => `[v${index}][a${index}]`).join('');
  // Silence is joined even without any audio track: it gives a clip of a single frame its length.
  const joined = `${pads}concat=n=${sources.length}:v=1:a=1[v][a]${hasAudio ? '' : ';[a]anullsink'}`;
  const totalSeconds = lengths.reduce((sum, length) => sum + length, 0);
  const file = path.join(job.workDir, 'joined.mp4');
  const inputs = sources.flatMap(
    (source) => flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds)} -i file:${source.file}`,
  );
  const audioFlags = hasAudio ? flags`-map [a] ${AUDIO_CODEC_FLAGS}` : [];
  await runFfmpeg(tools, {
    args: flags`${inputs} -filter_complex ${[...chains, joined].join(';')} -map [v] ${VIDEO_CODEC_FLAGS} ${audioFlags}
      ${MP4_FLAGS} file:${file}`,
    total_seconds: totalSeconds,
    signal: job.signal,
    onProgress: job.onProgress,
  });
  return {
    files: [file],
    data: { duration_seconds: Math.round(totalSeconds * 1e6) / 1e6, ...changesOf(listChanges(sources, frame)) },
  };
};

function listChanges(sources: readonly VideoSource[], frame: VideoSource): (string | null)[] {
  return sources.flatMap((source, index) => {
    const { width, height, rate, audio, audioEndSeconds, duration_seconds } = source;
    const isFitted = width !== frame.width || height !== frame.height;
    const changes = [
      ...pictureChanges({ ...source, isVariable: source.isVariable && source.rate.text === frame.rate.text }),
      isFitted ? `It was fitted to ${frame.width} × ${frame.height} pixels.` : null,
      rate.text === frame.rate.text ? null : 'It has the frame rate of the first video now.',
      downmixChange(audio?.channels),
      fitChange('Its sound', audioEndSeconds, duration_seconds),
    ].filter((change) => change !== null);
    return changes.length === 0 ? [] : [`Video ${index + 1}: ${changes.join(' ')}`];
  });
}

const videoIndex = (path: string): number => Number(path.slice('videos.'.length));

const lengthOnGrid = (source: VideoSource, { rate }: VideoSource): number =>
  Math.max(1, Math.round(source.duration_seconds * rate.per_second)) / rate.per_second;

function videoChain(
  tools: MediaTools,
  source: VideoSource,
  index: number,
  { width, height, rate }: VideoSource,
  length: number,
): string {
  const filters = [
    `fps=${rate.text}:start_time=0`,
    ...toneMapFilters(tools, source),
    // Non-square pixels are made square first, so that the fit uses the displayed shape.
    'scale=trunc(iw*sar):ih,setsar=1',
    `scale=${width}:${height}:force_original_aspect_ratio=decrease`,
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`,
    `tpad=stop_mode=clone:stop_duration=${LAST_FRAME_PADDING_SECONDS}`,
    `trim=duration=${formatFfmpegSeconds(length)},setpts=PTS-STARTPTS`,
  ];
  return `[${index}:${source.stream.index}]${filters.join(',')}[v${index}]`;
}

function audioChain({ audio }: VideoSource, index: number, length: number): string {
  const cut = `atrim=duration=${formatFfmpegSeconds(length)},asetpts=PTS-STARTPTS[a${index}]`;
  const format = 'aformat=sample_fmts=fltp:channel_layouts=stereo';
  if (!audio) return `anullsrc=r=48000:cl=stereo,${format},${cut}`;
  return `[${index}:${audio.index}]${STEADY_AUDIO_FILTER},${format},apad,${cut}`;
}
