import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { type MediaTools, toneMapFilters } from '#server/platform/media/media-tools.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { formatFfmpegSeconds, STEADY_AUDIO_FILTER } from '#server/models/tools/ffmpeg-encoding.ts';
import type { VideoSource } from '#server/models/tools/video-source.ts';
import { createRandom } from './random.ts';
import type { PixelSize } from './sizes.ts';
import { CREATOR_TOOL } from './write-image.ts';

/** For temporary files: fast, and as good as the source. */
export const SCRATCH_CODEC: readonly string[] = flags(
  '-c:v libx264 -preset ultrafast -crf 12 -pix_fmt yuv420p -g 30 -bf 0',
);

export const AUDIO_FLAGS: readonly string[] = flags('-c:a aac -b:a 160k -ar 48000 -ac 2');

/** Common to all clips of this engine: H.264 in 8-bit BT.709, streamable, marked in its comment. */
export function videoFlags({ width, height }: PixelSize): string[] {
  const preset = Math.min(width, height) > 1080 ? 'ultrafast' : 'veryfast';
  return flags`-c:v libx264 -preset ${preset} -crf 20 -pix_fmt yuv420p
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv
    -map_metadata -1 -map_chapters -1 -movflags +faststart -metadata ${`comment=${CREATOR_TOOL}`}`;
}

interface ClipWork {
  scratch: string;
  duration_seconds: number;
  signal: AbortSignal;
}

/** Writes the frames of a source at a constant rate and the given size. */
export async function normalizeClip(
  tools: MediaTools,
  source: VideoSource,
  options: {
    media: Pick<MediaFileInfo, 'isHdr'>;
    size: PixelSize;
    file: string;
    signal: AbortSignal;
    onProgress(fraction: number): void;
  },
): Promise<void> {
  const { size, file, signal, onProgress } = options;
  const filters = [
    `fps=${source.rate.text}:start_time=0`,
    ...toneMapFilters(tools, options.media),
    `scale=${size.width}:${size.height}:flags=bicubic`,
    'setsar=1',
    'tpad=stop_mode=clone:stop_duration=2',
  ].join(',');
  await runFfmpeg(tools, {
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds)} -i file:${source.file}
      -filter_complex ${`[0:${source.stream.index}]${filters}[out]`} -map [out] -frames:v ${source.frame_count}
      -an -sn -dn ${SCRATCH_CODEC} file:${file}`,
    total_seconds: source.duration_seconds,
    signal,
    onProgress,
  });
}

/** A picture for the strip of references from the beginning of each video. @returns files */
export async function extractPosters(
  tools: MediaTools,
  videos: readonly ResolvedReference[],
  { scratch, signal }: Pick<ClipWork, 'scratch' | 'signal'>,
): Promise<{ file: string }[]> {
  const posters: { file: string }[] = [];
  for (const [index, { file: video }] of videos.entries()) {
    const file = path.join(scratch, `poster-${index}.png`);
    await runFfmpeg(tools, { signal, args: flags`-i file:${video} -map 0:v:0 -frames:v 1 -update 1 file:${file}` });
    posters.push({ file });
  }
  return posters;
}

export const hasSound = ({ media }: ResolvedReference): boolean => media.has_audio || media.kind === 'audio';

/** Normalizes to the loudness of common platforms. */
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000';

export async function extractSound(
  tools: MediaTools,
  source: Pick<ResolvedReference, 'file'>,
  options: { file: string; duration_seconds: number; signal: AbortSignal; filters?: readonly string[] },
): Promise<void> {
  const filters = [STEADY_AUDIO_FILTER, 'aformat=channel_layouts=stereo', ...(options.filters ?? [])].join(',');
  await runFfmpeg(tools, {
    args: flags`-i file:${source.file} -map 0:a:0 -af ${filters} -t ${options.duration_seconds.toFixed(6)} -vn -sn -dn
      -c:a pcm_s16le file:${options.file}`,
    signal: options.signal,
    total_seconds: options.duration_seconds,
  });
}

/** An input of ffmpeg with its volume. */
export interface Sound {
  input: readonly string[];
  volume: number;
}

export async function extractSounds(
  tools: MediaTools,
  references: readonly ResolvedReference[],
  { scratch, ...options }: ClipWork,
): Promise<Sound[]> {
  const sounds: Sound[] = [];
  for (const [index, source] of references.filter(hasSound).entries()) {
    const file = path.join(scratch, `sound-${index}.wav`);
    await extractSound(tools, source, { ...options, file, filters: [LOUDNESS] });
    sounds.push({ input: flags`-i file:${file}`, volume: 1 });
  }
  return sounds;
}

/** Notes of a scale in which any three sound calm together, in Hz. */
const NOTES = [110, 130.81, 146.83, 164.81, 196, 220] as const;

/** A quiet chord over soft noise. */
export function soundBed(seed: number, volume: number): Sound {
  const random = createRandom(seed).fork('sound');
  const root = random.int(0, 2);
  const tones = [0, 2, 3].map((step, index) => {
    const pitch = (NOTES[root + step] ?? 110) * (index === 2 ? 2 : 1);
    return `sin(2*PI*${pitch}*t)*(0.6+0.4*sin(2*PI*${random.range(0.05, 0.14).toFixed(3)}*t+${index}))/${index + 2}`;
  });
  const graph =
    `aevalsrc=0.2*(${tones.join('+')}):s=48000[chord];` +
    `anoisesrc=c=brown:r=48000:a=0.35:seed=${seed % 2 ** 31},lowpass=f=420[air];[chord][air]amix=inputs=2`;
  return { input: flags`-f lavfi -i ${graph}`, volume };
}

/** Mixes inputs from `first` on to the common loudness; the graph ends in `[sound]`. */
export function soundGraph(sounds: readonly Sound[], first: number, durationSeconds: number): string {
  const parts = sounds.map(({ volume }, index) => `[${first + index}:a]volume=${volume}[sound${index}]`);
  const names = sounds.map((_, index) => `[sound${index}]`).join('');
  const mix = sounds.length > 1 ? `amix=inputs=${sounds.length}:duration=longest,` : '';
  return [...parts, `${names}${mix}${LOUDNESS},apad,atrim=duration=${durationSeconds.toFixed(6)}[sound]`].join(';');
}
