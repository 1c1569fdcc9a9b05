import { resolve } from 'node:path';
import { flags } from './flags.ts';
import { MediaError } from './media-error.ts';

export interface Confinement {
  noNetwork: readonly string[];
  /** Command prefix that stops the process when the service exits, however it exits. */
  dieWithParent: readonly string[];
  inBackground: readonly string[];
  /** Whether `prlimit` can limit memory, time and files of a process that reads untrusted media. */
  can_limit: boolean;
}

const GIB = 1024 ** 3;
const ADDRESS_BYTES = 4 * GIB;
/** WebAssembly reserves 4 GiB, or copies its whole memory each time it grows. */
const WORKER_ADDRESS_BYTES = 8 * GIB;
const OUTPUT_BYTES = 8 * GIB;
const OPEN_FILES = 256;
/** For a process that reads a few frames. One frame of 8K takes 50 MB, and a decoder keeps several. */
export const PROBE_MEMORY_BYTES = 640 * 1024 ** 2;
/** Expected memory of such a process: one can run beside the image process, two can't run together. */
export const STREAM_BYTES = 160 * 1024 ** 2;
const CPU_SECONDS = 900;
/** Rejects frames whose pixels alone would fill the memory; 36 megapixels allow 6000 × 6000 and 8K video. */
export const MAX_PIXELS = 36_000_000;

/** Every thread keeps its own frames, so the number is fixed. */
export const DECODER_THREADS = { job: 4, probe: 1 } as const;

/** Without this list a playlist named `.mp4` makes ffmpeg read any other local file. */
const DEMUXERS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mp3,wav,flac,aac,w64,aiff,amr,' +
  'gif,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,image2';

export const inputGuard = (threads: number): string[] =>
  flags(`-protocol_whitelist file,pipe -format_whitelist ${DEMUXERS} -max_pixels ${MAX_PIXELS} -threads ${threads}`);

export const GLOBAL_GUARD: readonly string[] = flags('-max_alloc 536870912');

export interface ProcessLimits {
  cpuSeconds?: number | undefined;
  /** Limit of writable memory; without it only the address space is limited. */
  memoryBytes?: number | undefined;
  addressBytes?: number | undefined;
}

/** Applies to every media process, also with trusted input: no network, and it stops with the service. */
export const confineCommand = ({ noNetwork, dieWithParent }: Confinement, command: readonly string[]): string[] => [
  // A new namespace may reset the signal that setpriv sets, so setpriv comes last.
  ...noNetwork,
  ...dieWithParent,
  ...command,
];

/** Also limits memory, processor time, file size and open files where the system supports it. */
export function sandboxCommand(
  confinement: Confinement,
  command: readonly string[],
  { cpuSeconds = CPU_SECONDS, memoryBytes, addressBytes = ADDRESS_BYTES }: ProcessLimits = {},
): string[] {
  if (!confinement.can_limit) return confineCommand(confinement, command);
  return confineCommand(confinement, [
    'prlimit',
    `--as=${addressBytes}`,
    ...(memoryBytes === undefined ? [] : [`--data=${memoryBytes}`]),
    `--cpu=${Math.max(CPU_SECONDS, Math.ceil(cpuSeconds))}`,
    `--fsize=${OUTPUT_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    '--',
    ...command,
  ]);
}

/**
 * Runs a file of this folder, or one by its absolute path, in a process of its own. The flag keeps WebAssembly, which strips the types of the file,
 * from reserving more address space than allowed.
 */
export const workerCommand = (confinement: Confinement, entry: string): string[] =>
  sandboxCommand(
    confinement,
    [process.execPath, '--disable-wasm-trap-handler', '--max-old-space-size=128', resolve(import.meta.dirname, entry)],
    { addressBytes: WORKER_ADDRESS_BYTES },
  );

/** Adds the guard before every `-i`, which must be our own file or a pipe. */
export function guardInputs(args: readonly string[], threads: number): string[] {
  return args.flatMap((arg, index) => {
    if (arg !== '-i') return [arg];
    if (!/^(file|pipe):/.test(args[index + 1] ?? '')) {
      throw new MediaError('processing_failed', 'The media could not be read.', {
        cause: new Error('An untrusted input must be file: or pipe:'),
      });
    }
    return [...inputGuard(threads), arg];
  });
}
