import * as z from 'zod/mini';
import { flags } from './flags.ts';
import { invalidMediaError, MediaError } from './media-error.ts';
import { type MediaTools, requireStreamTools } from './media-tools.ts';
import { runProcess, type ProcessResult } from './run-process.ts';
import { DECODER_THREADS, inputGuard, PROBE_MEMORY_BYTES, sandboxCommand } from './sandbox.ts';

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_CHARS = 4_000_000;

const decimal = z.optional(z.pipe(z.string(), z.transform(Number)));
const Stream = z.object({
  index: z.int(),
  codec_type: z.optional(z.string()),
  codec_name: z.optional(z.string()),
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  sample_aspect_ratio: z.optional(z.string()),
  avg_frame_rate: z.optional(z.string()),
  r_frame_rate: z.optional(z.string()),
  start_time: decimal,
  duration: decimal,
  color_transfer: z.optional(z.string()),
  sample_rate: decimal,
  channels: z.optional(z.int()),
  pix_fmt: z.optional(z.string()),
  tags: z.optional(z.object({ alpha_mode: z.optional(z.string()) })),
  disposition: z.optional(z.object({ attached_pic: z.optional(z.int()), still_image: z.optional(z.int()) })),
  side_data_list: z.optional(z.array(z.object({ rotation: z.optional(z.number()) }))),
});
const FfprobeOutput = z.object({
  streams: z.optional(z.array(Stream)),
  chapters: z.optional(z.array(z.unknown())),
  format: z.optional(z.object({ start_time: decimal, duration: decimal })),
});
export type ProbedStream = z.infer<typeof Stream>;
export interface ProbedContainer {
  streams: readonly ProbedStream[];
  start_seconds: number;
  duration_seconds: number | null;
  hasChapters: boolean;
}

const SHOWN_ENTRIES =
  'stream=index,codec_type,codec_name,width,height,sample_aspect_ratio,avg_frame_rate,r_frame_rate,start_time,duration,' +
  'color_transfer,sample_rate,channels,pix_fmt:stream_disposition=attached_pic,still_image:stream_side_data=rotation:' +
  'stream_tags=alpha_mode:chapter=id:format=start_time,duration';

/** Reads streams, whose numbers may be wrong. @throws {MediaError}; the signal's reason when aborted */
export async function readContainer(
  tools: MediaTools,
  file: string,
  signal: AbortSignal | undefined,
): Promise<ProbedContainer> {
  let text = '';
  const result = await runFfprobe(tools, file, ['-show_entries', SHOWN_ENTRIES, '-of', 'json'], signal, (chunk) => {
    text += chunk.toString();
    if (text.length > MAX_OUTPUT_CHARS) throw invalidMediaError('The file has more streams than media have.');
  });
  const resultJson = result.exitCode === 0 ? FfprobeOutput.safeParse(parseJson(text)) : undefined;
  if (!resultJson?.success) throw unreadableFileError(result);
  return {
    streams: resultJson.data.streams ?? [],
    start_seconds: resultJson.data.format?.start_time ?? 0,
    duration_seconds: resultJson.data.format?.duration ?? null,
    hasChapters: (resultJson.data.chapters ?? []).length > 0,
  };
}

export interface Packet {
  /** Presentation time on the container's clock; null when unknown. */
  ptsSeconds: number | null;
  duration_seconds: number;
  /** Byte position in the file, or null. */
  position: number | null;
}

/**
 * @param interval in ffprobe's syntax: `3.5%+2` for 2 s from the key frame before 3.5 s
 * @returns packets, and whether the demuxer found the file truncated
 */
export async function readPackets(
  tools: MediaTools,
  file: string,
  options: { stream: number; interval?: string | undefined; signal?: AbortSignal | undefined },
  onPacket: (packet: Packet) => void,
): Promise<{ cutShort: boolean }> {
  const args = [
    ...flags(`-select_streams ${options.stream}`),
    ...(options.interval === undefined ? [] : ['-read_intervals', options.interval]),
    ...flags('-show_entries packet=pts_time,duration_time,pos -of compact=p=0:nk=0'),
  ];
  let rest = '';
  const result = await runFfprobe(tools, file, args, options.signal, (chunk) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') onPacket(parsePacket(line));
  });
  if (result.exitCode !== 0) throw unreadableFileError(result);
  return { cutShort: /partial file|ended prematurely|[Tt]runcat/.test(result.stderr) };
}

function parsePacket(line: string): Packet {
  const fields = new Map(line.split('|').map((pair) => pair.split('=', 2) as [string, string]));
  const number = (key: string): number | null => {
    const value = Number.parseFloat(fields.get(key) ?? '');
    return Number.isFinite(value) ? value : null;
  };
  return { ptsSeconds: number('pts_time'), duration_seconds: number('duration_time') ?? 0, position: number('pos') };
}

async function runFfprobe(
  tools: MediaTools,
  file: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
  onOutput: (chunk: Buffer) => void,
): Promise<ProcessResult> {
  const command = [
    requireStreamTools(tools).ffprobePath,
    ...flags('-hide_banner -v error'),
    ...inputGuard(DECODER_THREADS.probe),
    ...args,
    `file:${file}`,
  ];
  const result = await runProcess(sandboxCommand(tools, command, { memoryBytes: PROBE_MEMORY_BYTES }), {
    signal,
    timeoutMs: TIMEOUT_MS,
    onOutput,
  });
  if (result.timedOut) throw new MediaError('timeout', 'The file took too long to read.');
  return result;
}

const unreadableFileError = (result: ProcessResult): MediaError =>
  invalidMediaError(
    'The file is damaged or cut short and cannot be read.',
    new Error(`ffprobe exited with ${result.exitCode ?? result.exitSignal}: ${result.stderr.trim()}`),
  );

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
