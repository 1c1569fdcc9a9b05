import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResolvedReference } from '../../engine.ts';
import { runFfmpeg } from '../../../media/ffmpeg.ts';
import { flags } from '../../../media/flags.ts';
import type { Brief } from '../brief/brief.ts';
import type { Kit } from '../kit.ts';

/** A sound file of ours and how loud it goes into the mix. */
export interface Sound {
  file: string;
  volume: number;
}

/** How loud the bed stays under sound that was given. */
const UNDER = 0.3;

/** Brings the sound of a reference to the common loudness, as WAV, at most `duration_seconds` long. */
async function takeSound(
  tools: Kit['tools'],
  source: ResolvedReference,
  file: string,
  duration_seconds: number,
  signal: AbortSignal,
): Promise<void> {
  await runFfmpeg(tools, {
    signal,
    total_seconds: duration_seconds,
    args: [
      '-i',
      `file:${source.file}`,
      '-map',
      '0:a:0',
      '-af',
      'aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo,loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000',
      ...flags(`-t ${duration_seconds} -vn -sn -dn -c:a pcm_s16le`),
      `file:${file}`,
    ],
  });
}

/** A sound bed for the brief, and over it the sound of every reference that has any. */
export async function prepareSounds(
  options: Kit & {
    brief: Brief;
    duration_seconds: number;
    given: readonly ResolvedReference[];
    scratch: string;
    signal: AbortSignal;
  },
): Promise<Sound[]> {
  const { tools, painters, brief, duration_seconds, scratch, signal } = options;
  await mkdir(scratch, { recursive: true });
  const bed = path.join(scratch, 'bed.wav');
  await writeFile(bed, await painters.sound({ kind: 'sound', brief, duration_seconds }, signal), { signal });
  const heard: Sound[] = [];
  const audible = options.given.filter(({ media }) => media.has_audio || media.kind === 'audio');
  for (const [index, source] of audible.entries()) {
    const file = path.join(scratch, `sound-${index}.wav`);
    await takeSound(tools, source, file, duration_seconds, signal);
    heard.push({ file, volume: 1 });
  }
  return [{ file: bed, volume: heard.length > 0 ? UNDER : 1 }, ...heard];
}
