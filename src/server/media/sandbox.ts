import { flags } from './flags.ts';
import { MediaError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';

const GIB = 1024 ** 3;
const MEMORY_BYTES = 4 * GIB;
const OUTPUT_BYTES = 8 * GIB;
const OPEN_FILES = 256;
const CPU_SECONDS = 900;
/** Refuses pictures whose pixels alone would fill the memory; 36 megapixels hold 6000 × 6000 and 8K video. */
export const MAX_PIXELS = 36_000_000;

/** Each takes memory of its own, however many processors there are. */
const DECODER_THREADS = 4;

/** Without this list a playlist named `.mp4` makes ffmpeg read any other local file. */
const DEMUXERS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg,mp3,wav,flac,aac,w64,aiff,amr,' +
  'gif,png_pipe,jpeg_pipe,webp_pipe,bmp_pipe,tiff_pipe,image2';

/** Options that ffmpeg and ffprobe take before an input they must not trust. */
export const INPUT_GUARD: readonly string[] = flags(
  `-protocol_whitelist file,pipe -format_whitelist ${DEMUXERS} -max_pixels ${MAX_PIXELS} -threads ${DECODER_THREADS}`,
);

export const GLOBAL_GUARD: readonly string[] = flags('-max_alloc 536870912');

/** The command, bounded in memory, processor time, file size and open files where the system can. */
export function limited(tools: MediaTools, command: readonly string[], cpu_seconds = CPU_SECONDS): string[] {
  if (!tools.can_limit) return [...tools.die_with_parent, ...command];
  return [
    ...tools.die_with_parent,
    'prlimit',
    `--as=${MEMORY_BYTES}`,
    `--cpu=${Math.max(CPU_SECONDS, Math.ceil(cpu_seconds))}`,
    `--fsize=${OUTPUT_BYTES}`,
    `--nofile=${OPEN_FILES}`,
    '--',
    ...command,
  ];
}

/** Puts the guard before every `-i`, which must name a file of ours or a pipe. */
export function guardInputs(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    if (arg !== '-i') return [arg];
    if (!/^(file|pipe):/.test(args[index + 1] ?? '')) {
      throw new MediaError('processing_failed', 'The media could not be read.', {
        cause: new Error('An untrusted input must be given as file: or pipe:'),
      });
    }
    return [...INPUT_GUARD, arg];
  });
}
