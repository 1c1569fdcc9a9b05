import { writeFile } from 'node:fs/promises';
import { Piscina } from 'piscina';
import sharp, { type Sharp } from 'sharp';
import type { Pixels } from './canvas.ts';
import type { PaintRequest } from './painter.ts';

/** Paints in worker threads, so that no request waits for a picture. */
export type Paint = (request: PaintRequest, signal: AbortSignal) => Promise<Pixels[]>;

/** Each thread may use half a gigabyte of canvases. */
const MAX_THREADS = 2;
/** Long enough for a person who tries several prompts, short enough to free the memory. */
const IDLE_MS = 30_000;

/** The function rejects with the signal's reason as soon as it aborts; its thread ends. */
export function createPaint(maxThreads = MAX_THREADS): Paint {
  let pool: Piscina | undefined;
  return async (request, signal) => {
    signal.throwIfAborted();
    pool ??= new Piscina({
      filename: new URL('./painter.ts', import.meta.url).href,
      name: 'paint',
      minThreads: 0,
      maxThreads,
      concurrentTasksPerWorker: 1,
      idleTimeout: IDLE_MS,
    });
    try {
      return (await pool.run(request, { signal })) as Pixels[];
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  };
}

export async function paintOne(paint: Paint, request: PaintRequest, signal: AbortSignal): Promise<Pixels> {
  const [picture] = await paint(request, signal);
  if (!picture) throw new Error('The painter returned no picture.');
  return picture;
}

export const toSharp = ({ rgba, width, height }: Pixels): Sharp => sharp(rgba, { raw: { width, height, channels: 4 } });

/** Writes a layer of a clip. A full disk is an error of the file system here, which sharp would not pass on. */
export async function writeLayer(picture: Pixels, file: string, signal: AbortSignal): Promise<void> {
  await writeFile(file, await toSharp(picture).png({ compressionLevel: 1 }).toBuffer(), { signal });
}
