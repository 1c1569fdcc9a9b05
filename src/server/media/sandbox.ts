import { join } from 'node:path';
import { flags } from './flags.ts';
import { MediaError } from './media-error.ts';

/** How media processes are confined on this machine, found once at start. */
export interface Confinement {
  /** Put before every command so that it has no network. */
  no_network: readonly string[];
  /** Put before every command so that no process outlives us, however we end. */
  die_with_parent: readonly string[];
  /** Put before a command that is to leave the processor to others. */
  in_background: readonly string[];
  /** Whether `prlimit` is there to bound memory, time and files of a process that reads untrusted media. */
  can_limit: boolean;
}

const GIB = 1024 ** 3;
const MEMORY_BYTES = 4 * GIB;
const OUTPUT_BYTES = 8 * GIB;
const OPEN_FILES = 256;
/** Of a process that looks at a few frames. One frame of 8K takes 50 MB, and a decoder keeps several. */
export const PROBE_MEMORY_BYTES = 640 * 1024 ** 2;
/** What such a process is expected to take: one of them runs beside pictures, two do not run at once. */
export const STREAM_BYTES = 160 * 1024 ** 2;
const CPU_SECONDS = 900;
/** Refuses pictures whose pixels alone would fill the memory; 36 megapixels hold 6000 × 6000 and 8K video. */
export const MAX_PIXELS = 36_000_000;

/** Each holds frames of its own, however many processors there are. */
export const DECODER_THREADS = { job: 4, probe: 1 } as const;

/** Without this list a playlist named `.mp4` makes ffmpeg read any other local file. */
const DEMUXERS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mp3,wav,flac,aac,w64,aiff,amr,' +
  'gif,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,image2';

/** Options that ffmpeg and ffprobe take before an input they must not trust. */
export const inputGuard = (threads: number): string[] =>
  flags(`-protocol_whitelist file,pipe -format_whitelist ${DEMUXERS} -max_pixels ${MAX_PIXELS} -threads ${threads}`);

export const GLOBAL_GUARD: readonly string[] = flags('-max_alloc 536870912');

export interface ProcessLimits {
  cpu_seconds?: number | undefined;
  /** Memory that it may write to; without it, only its address space is bounded. */
  memory_bytes?: number | undefined;
}

/** What every media process gets, those with trusted input too: no network, and no life after ours. */
export const confineCommand = ({ no_network, die_with_parent }: Confinement, command: readonly string[]): string[] => [
  // A new namespace may reset the signal that setpriv asks for, so setpriv comes last.
  ...no_network,
  ...die_with_parent,
  ...command,
];

/** The command, also bounded in memory, processor time, file size and open files where the system can. */
export function sandboxCommand(
  confinement: Confinement,
  command: readonly string[],
  { cpu_seconds = CPU_SECONDS, memory_bytes }: ProcessLimits = {},
): string[] {
  if (!confinement.can_limit) return confineCommand(confinement, command);
  return confineCommand(confinement, [
    'prlimit',
    `--as=${MEMORY_BYTES}`,
    ...(memory_bytes === undefined ? [] : [`--data=${memory_bytes}`]),
    `--cpu=${Math.max(CPU_SECONDS, Math.ceil(cpu_seconds))}`,
    `--fsize=${OUTPUT_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    '--',
    ...command,
  ]);
}

/**
 * The process that decodes pictures. The flag keeps WebAssembly, which strips its types, from reserving more address
 * space than it may.
 */
export const pictureWorkerCommand = (confinement: Confinement): string[] =>
  sandboxCommand(confinement, [
    process.execPath,
    '--disable-wasm-trap-handler',
    '--max-old-space-size=128',
    join(import.meta.dirname, 'picture-worker.ts'),
  ]);

/** Puts the guard before every `-i`, which must name a file of ours or a pipe. */
export function guardInputs(args: readonly string[], threads: number): string[] {
  return args.flatMap((arg, index) => {
    if (arg !== '-i') return [arg];
    if (!/^(file|pipe):/.test(args[index + 1] ?? '')) {
      throw new MediaError('processing_failed', 'The media could not be read.', {
        cause: new Error('An untrusted input must be given as file: or pipe:'),
      });
    }
    return [...inputGuard(threads), arg];
  });
}
