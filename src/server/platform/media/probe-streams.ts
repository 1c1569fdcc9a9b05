import { runFfmpeg } from './ffmpeg.ts';
import { type ProbedStream, readContainer, readPackets, type ProbedContainer } from './ffprobe.ts';
import { flags } from './flags.ts';
import { invalidMediaError, MediaError, truncatedFileError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';
import { MAX_PIXELS } from './sandbox.ts';

/** Longer media are rejected: a few kilobytes of silence can claim days. */
const MAX_DURATION_SECONDS = 6 * 3600;
const FIRST_FRAME_MS = 20_000;

export interface ProbedMedia {
  kind: 'video' | 'audio';
  width: number | null;
  height: number | null;
  duration_seconds: number;
  fps: number | null;
  has_audio: boolean;
  isHdr: boolean;
  lastPacketPosition: number | null;
  container: ProbedContainer;
}

/** @throws {MediaError} when a video or audio file is not playable, truncated, too long or too large */
export async function probeStreams(tools: MediaTools, file: string, options: MeasureOptions): Promise<ProbedMedia> {
  const container = await readContainer(tools, file, options.signal);
  const video = container.streams.find(isMovingPicture);
  const audio = container.streams.find((stream) => stream.codec_type === 'audio' && hasKnownCodec(stream));
  const main = video ?? audio;
  if (!main) throw invalidMediaError('The file has no video or audio track that can be played.');
  if (!options.isDurationGuessed) assertLength(container.duration_seconds ?? 0);
  if (video) assertSize(video);
  if (hasLargeFrames(main)) tools.pictures.stopIfIdle();
  const measured = await (hasLargeFrames(main) ? measureSequentially : measureConcurrently)(
    () => decodeFirstFrame(tools, file, main, options.signal),
    () => measureStream(tools, file, container, main, options),
  );
  assertLength(measured.duration_seconds);
  return {
    kind: video ? 'video' : 'audio',
    ...(video ? displaySize(video) : { width: null, height: null }),
    ...measured,
    fps: video ? frameRate(video) : null,
    has_audio: audio !== undefined,
    isHdr: isHdr(video),
    container,
  };
}

/** Above this, decoding a frame takes longer than starting a process. */
const LARGE_PIXELS = 4_000_000;
export const hasLargeFrames = ({
  width = 0,
  height = 0,
}: {
  width?: number | undefined;
  height?: number | undefined;
}): boolean => width * height > LARGE_PIXELS;

type MeasureStrategy = (decode: () => Promise<void>, measure: () => Promise<MeasuredStream>) => Promise<MeasuredStream>;

const measureSequentially: MeasureStrategy = async (decode, measure) => {
  await decode();
  return measure();
};

/** Starting a process takes longer than its work. If both fail, the error of the decoder is reported. */
const measureConcurrently: MeasureStrategy = async (decode, measure) => {
  const [decoded, measured] = await Promise.allSettled([decode(), measure()]);
  if (decoded.status === 'rejected') throw decoded.reason;
  if (measured.status === 'rejected') throw measured.reason;
  return measured.value;
};

/** Transfer functions of high dynamic range: PQ and HLG. */
const HDR = new Set(['smpte2084', 'arib-std-b67']);

export const isHdr = (stream: ProbedStream | undefined): boolean => HDR.has(stream?.color_transfer ?? '');

export const hasKnownCodec = (stream: ProbedStream): boolean => (stream.codec_name ?? 'unknown') !== 'unknown';

/** A cover image of an audio file is not video. */
export const isMovingPicture = (stream: ProbedStream): boolean =>
  stream.codec_type === 'video' && hasKnownCodec(stream) && (stream.disposition?.attached_pic ?? 0) === 0;

const frameRate = (stream: ProbedStream): number | null =>
  parseRatio(stream.avg_frame_rate) ?? parseRatio(stream.r_frame_rate);

function assertLength(duration_seconds: number): void {
  if (duration_seconds <= MAX_DURATION_SECONDS) return;
  throw invalidMediaError(`The file is longer than ${MAX_DURATION_SECONDS / 3600} hours. Use a shorter part.`);
}

function assertSize({ width = 0, height = 0 }: ProbedStream): void {
  if (width < 1 || height < 1) throw invalidMediaError('The video track has no frame size.');
  if (width * height > MAX_PIXELS) {
    throw invalidMediaError(`The video has ${width} × ${height} pixels. The limit is ${MAX_PIXELS / 1e6} megapixels.`);
  }
}

/** A container can be valid although its video or audio is not. */
async function decodeFirstFrame(
  tools: MediaTools,
  file: string,
  stream: ProbedStream,
  signal: AbortSignal | undefined,
): Promise<void> {
  let checksums = '';
  const frames = stream.codec_type === 'video' ? '-frames:v 1' : '-frames:a 1';
  await runFfmpeg(tools, {
    args: ['-i', `file:${file}`, ...flags(`-map 0:${stream.index} ${frames} -f framecrc pipe:1`)],
    signal,
    timeoutMs: FIRST_FRAME_MS,
    isProbe: true,
    onOutput: (chunk) => void (checksums += chunk.toString()),
  }).catch((error: unknown) => {
    if (error instanceof MediaError && error.code === 'processing_failed') return;
    throw error;
  });
  if (!/^\d+,/m.test(checksums)) throw invalidMediaError('The file is damaged or in a format that cannot be played.');
}

/** `30000/1001` becomes 29.97…; null for `0/0`, `N/A` and similar. */
export function parseRatio(text: string | undefined): number | null {
  const [top, bottom = '1'] = (text ?? '').split(/[/:]/);
  const value = Number(top) / Number(bottom);
  return Number.isFinite(value) && value > 0 ? value : null;
}

function displaySize(stream: ProbedStream): { width: number; height: number } {
  const { width = 0, height = 0 } = stream;
  const wide = Math.round(width * (parseRatio(stream.sample_aspect_ratio) ?? 1));
  return isQuarterTurned(stream) ? { width: height, height: wide } : { width: wide, height };
}

function isQuarterTurned(stream: ProbedStream): boolean {
  const turned = stream.side_data_list?.find((data) => data.rotation !== undefined)?.rotation;
  return Math.abs(Math.round(turned ?? 0)) % 180 === 90;
}

const TAIL_SECONDS = 1;
/** If every packet was read, the missing part is known precisely. */
const WHOLE_READ_SLACK_SECONDS = 0.15;
/** Some builds of ffprobe read nothing when an interval has no end. */
const REST_SECONDS = 100_000;

interface MeasureOptions {
  /** The container can seek, so that reading its end is enough. */
  isIndexed: boolean;
  /** The container states no length, or a placeholder, so what ffprobe says is a guess. */
  isDurationGuessed: boolean;
  signal?: AbortSignal | undefined;
}

interface MeasuredStream {
  duration_seconds: number;
  /** Where the last packet begins in the file, or null. */
  lastPacketPosition: number | null;
}

/** Measures by the last packets, because a header can be wrong. @throws {MediaError} when the end is missing */
async function measureStream(
  tools: MediaTools,
  file: string,
  container: ProbedContainer,
  stream: ProbedStream,
  options: MeasureOptions,
): Promise<MeasuredStream> {
  const start = stream.start_time ?? container.start_seconds;
  const stated = stream.duration ?? container.duration_seconds;
  const tailFrom = start + (stated ?? 0) - TAIL_SECONDS;
  let end = Number.NEGATIVE_INFINITY;
  let lastPacketPosition: number | null = null;
  const { cutShort } = await readPackets(
    tools,
    file,
    {
      stream: stream.index,
      interval: options.isIndexed && tailFrom > 0 ? `${tailFrom.toFixed(3)}%+${REST_SECONDS}` : undefined,
      signal: options.signal,
    },
    (packet) => {
      if (packet.ptsSeconds !== null) end = Math.max(end, packet.ptsSeconds + packet.duration_seconds);
      lastPacketPosition = packet.position ?? lastPacketPosition;
    },
  );
  const measured = Math.round((end - start) * 1e6) / 1e6;
  if (cutShort || !(measured > 0)) throw truncatedFileError();
  if (stream.duration === undefined || options.isDurationGuessed)
    return { duration_seconds: measured, lastPacketPosition };
  const slack = options.isIndexed ? Math.max(1, stream.duration * 0.05) : WHOLE_READ_SLACK_SECONDS;
  if (measured < stream.duration - slack) throw truncatedFileError();
  const durationSeconds = measured > stream.duration + slack ? measured : stream.duration;
  return { duration_seconds: durationSeconds, lastPacketPosition };
}
