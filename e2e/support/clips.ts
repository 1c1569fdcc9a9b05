import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of its own for files that a test makes. */
export const scratchFolder = (): string => mkdtempSync(path.join(tmpdir(), 'emulsion-clips-'));

/** Makes a moving picture with a tone, H.264 and AAC in MP4. @returns its path */
export function makeClip(folder: string, name: string, { seconds = 4, size = '320x180', rate = 25 } = {}): string {
  const file = path.join(folder, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -shortest'.split(' ');
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, ...tone, ...codecs, `file:${file}`]);
  return file;
}

/** Seconds that the first stream of a kind lasts, as ffprobe measures it. */
export function lengthOf(file: string, stream: 'v' | 'a'): number {
  const asked = `-v error -select_streams ${stream}:0 -show_entries stream=duration -of csv=p=0`.split(' ');
  return Number(execFileSync('ffprobe', [...asked, `file:${file}`]).toString());
}
