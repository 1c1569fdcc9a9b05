import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders: string[] = [];
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Creates a temp directory, removed when all tests of the process have run. */
export function createTempDirectory(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'emulsion-clips-'));
  folders.push(folder);
  return folder;
}

/**
 * Creates a moving picture with a tone, H.264 and AAC in MP4.
 * @returns its path
 */
export function makeClip(folder: string, name: string, { seconds = 4, size = '320x180', rate = 25 } = {}): string {
  const file = path.join(folder, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`];
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac -shortest'.split(' ');
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, ...tone, ...codecs, `file:${file}`]);
  return file;
}

/**
 * Creates a clip of one second at 25 frames. Each is lighter than the previous one by a step that survives encoding.
 */
export function makeRamp(folder: string, name: string): string {
  const file = path.join(folder, name);
  const picture = "color=black:size=320x180:rate=25:duration=1,format=gray,geq=lum='20+N*8'";
  const codecs = '-c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p'.split(' ');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', picture, ...codecs, `file:${file}`]);
  return file;
}

export function makeScenes(folder: string, name: string): string {
  const file = path.join(folder, name);
  const scenes = ['testsrc2', 'mandelbrot', 'smptebars'].map(
    (source) => `${source}=size=320x180:rate=25,trim=duration=2`,
  );
  const inputs = scenes.flatMap((scene) => ['-f', 'lavfi', '-i', scene]);
  const joined = ['-filter_complex', '[0:v][1:v][2:v]concat=n=3:v=1,format=yuv420p'];
  const codecs = '-c:v libx264 -preset ultrafast'.split(' ');
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs, ...joined, ...codecs, `file:${file}`]);
  return file;
}

/** Measures the duration of the first stream of a kind in seconds with ffprobe. */
export function readDuration(file: string, stream: 'v' | 'a'): number {
  const asked = `-v error -select_streams ${stream}:0 -show_entries stream=duration -of csv=p=0`.split(' ');
  return Number(execFileSync('ffprobe', [...asked, `file:${file}`]).toString());
}
