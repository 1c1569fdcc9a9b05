import { join } from 'node:path';
import { flags } from './flags.ts';
import { MediaError } from './media-error.ts';

/** How media processes are confined on this machine; detected at start. */
export interface Confinement {
  /** Prefix of every command that removes the network. */
  no_network: readonly string[];
  /** Prefix of every command that kills it with this process. */
  die_with_parent: readonly string[];
  /** Prefix of commands with low priority. */
  in_background: readonly string[];
  /** Whether `prlimit` can limit memory, time and files of a process. */
  can_limit: boolean;
}

const GIB = 1024 ** 3;
const MEMORY_BYTES = 4 * GIB;
const OUTPUT_BYTES = 8 * GIB;
const OPEN_FILES = 256;
/** Limit of a process that reads a few frames. One 8K frame takes 50 MB, and a decoder keeps several. */
export const PROBE_MEMORY_BYTES = 640 * 1024 ** 2;
/** Expected memory of such a process: one may run beside images, two may not run at once. */
export const STREAM_BYTES = 160 * 1024 ** 2;
const CPU_SECONDS = 900;
/** Rejects frames whose pixels would fill the memory; 36 megapixels allow 6000 × 6000 and 8K video. */
export const MAX_PIXELS = 36_000_000;

/** Fixed, because each thread keeps its own frames. */
export const DECODER_THREADS = { job: 4, probe: 1 } as const;

/** Without this list a playlist named `.mp4` makes ffmpeg read other local files. */
const DEMUXERS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mp3,wav,flac,aac,w64,aiff,amr,' +
  'gif,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,image2';

/** Options of ffmpeg and ffprobe for an untrusted input. */
export const inputGuard = (threads: number): string[] =>
  flags(`-protocol_whitelist file,pipe -format_whitelist ${DEMUXERS} -max_pixels ${MAX_PIXELS} -threads ${threads}`);

export const GLOBAL_GUARD: readonly string[] = flags('-max_alloc 536870912');

export interface ProcessLimits {
  cpu_seconds?: number | undefined;
  /** Limit of writable memory; without it, only the address space is limited. */
  memory_bytes?: number | undefined;
}

/** Wraps every media process: no network, killed with this process. */
export const confineCommand = ({ no_network, die_with_parent }: Confinement, command: readonly string[]): string[] => [
  // A new namespace may reset the signal that setpriv requests, so setpriv comes last.
  ...no_network,
  ...die_with_parent,
  ...command,
];

/** Wraps a command and limits memory, processor time, file size and open files where possible. */
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
 * Command of the decoder process. The flag limits the address space that WebAssembly, which strips the types, reserves.
 */
export const imageWorkerCommand = (confinement: Confinement): string[] =>
  sandboxCommand(confinement, [
    process.execPath,
    '--disable-wasm-trap-handler',
    '--max-old-space-size=128',
    join(import.meta.dirname, 'image-worker.ts'),
  ]);

/** Inserts the options before every `-i`, which must be a local file or a pipe. */
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
