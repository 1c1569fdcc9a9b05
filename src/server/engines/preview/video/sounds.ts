import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import { STEADY_AUDIO_FILTER } from '../../tools/ffmpeg-encoding.ts';
import type { ResolvedReference } from '../../engine.ts';
import type { Brief } from '../brief/brief.ts';
import type { PreviewContext } from '../preview-context.ts';

export interface Sound {
  file: string;
  volume: number;
}

/** Volume of the sound bed when the input has audio. */
const BED_VOLUME = 0.3;

export async function extractSound(
  tools: PreviewContext['tools'],
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

const LEVEL = ['loudnorm=I=-16:TP=-1.5:LRA=11', 'aresample=48000'];

export const hasSound = ({ media }: ResolvedReference): boolean => media.has_audio || media.kind === 'audio';

export async function extractSounds(
  tools: PreviewContext['tools'],
  given: readonly ResolvedReference[],
  options: { duration_seconds: number; scratch: string; signal: AbortSignal },
): Promise<Sound[]> {
  const sounds: Sound[] = [];
  await mkdir(options.scratch, { recursive: true });
  for (const [index, source] of given.filter(hasSound).entries()) {
    const file = path.join(options.scratch, `sound-${index}.wav`);
    await extractSound(tools, source, { ...options, file, filters: LEVEL });
    sounds.push({ file, volume: 1 });
  }
  return sounds;
}

export async function createSoundBed(
  { renderer }: Pick<PreviewContext, 'renderer'>,
  brief: Brief,
  options: { duration_seconds: number; scratch: string; signal: AbortSignal; under_others: boolean },
): Promise<Sound> {
  const { duration_seconds, scratch, signal } = options;
  await mkdir(scratch, { recursive: true });
  const file = path.join(scratch, 'bed.wav');
  await writeFile(file, await renderer.sound({ kind: 'sound', brief, duration_seconds }, signal), { signal });
  return { file, volume: options.under_others ? BED_VOLUME : 1 };
}
