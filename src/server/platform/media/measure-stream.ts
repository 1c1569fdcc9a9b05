import type { MediaTools } from './media-tools.ts';
import { readPackets, type ProbedContainer, type ProbedStream } from './ffprobe.ts';
import { truncatedFileError } from './media-error.ts';

const TAIL_SECONDS = 1;
/** If every packet was read, the missing part is known precisely. */
const WHOLE_READ_SLACK_SECONDS = 0.15;
/** Some builds of ffprobe read nothing when an interval has no end. */
const REST_SECONDS = 100_000;

export interface MeasureOptions {
  /** The container can seek, so that reading its end is enough. */
  is_indexed: boolean;
  /** The container states no length, so ffprobe guessed it. */
  is_duration_guessed: boolean;
  signal?: AbortSignal | undefined;
}

export interface MeasuredStream {
  duration_seconds: number;
  /** Where the last packet begins in the file, or null. */
  last_packet_position: number | null;
}

/** Measures by the last packets, because a header can be wrong. @throws {MediaError} when the end is missing */
export async function measureStream(
  tools: MediaTools,
  file: string,
  container: ProbedContainer,
  stream: ProbedStream,
  options: MeasureOptions,
): Promise<MeasuredStream> {
  const start = stream.start_time ?? container.start_seconds;
  const stated = stream.duration ?? container.duration_seconds;
  const tail_from = start + (stated ?? 0) - TAIL_SECONDS;
  let end = Number.NEGATIVE_INFINITY;
  let last_packet_position: number | null = null;
  const { cut_short } = await readPackets(
    tools,
    file,
    {
      stream: stream.index,
      interval: options.is_indexed && tail_from > 0 ? `${tail_from.toFixed(3)}%+${REST_SECONDS}` : undefined,
      signal: options.signal,
    },
    (packet) => {
      if (packet.pts_seconds !== null) end = Math.max(end, packet.pts_seconds + packet.duration_seconds);
      last_packet_position = packet.position ?? last_packet_position;
    },
  );
  const measured = Math.round((end - start) * 1e6) / 1e6;
  if (cut_short || !(measured > 0)) throw truncatedFileError();
  if (stream.duration === undefined || options.is_duration_guessed)
    return { duration_seconds: measured, last_packet_position };
  const slack = options.is_indexed ? Math.max(1, stream.duration * 0.05) : WHOLE_READ_SLACK_SECONDS;
  if (measured < stream.duration - slack) throw truncatedFileError();
  const duration_seconds = measured > stream.duration + slack ? measured : stream.duration;
  return { duration_seconds, last_packet_position };
}
