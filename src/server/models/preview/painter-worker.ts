import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { serveJobs } from '#server/platform/media/serve-jobs.ts';
import type { Pixels } from './canvas.ts';
import type { PaintJob, PaintResponse, PixelFile } from './paint-protocol.ts';
import { paint, type PaintRequest } from './painter.ts';
import { animatePoster, encodePoster } from './social/encode-poster.ts';
import { writeImage } from './write-image.ts';

// A separate process, because canvases take memory that allocators return only when a process ends.

sharp.cache(false);

async function runJob(job: PaintJob): Promise<PaintResponse> {
  const pictures = paint(await loadPictures(job.request)).map(toSharp);
  switch (job.kind) {
    case 'image':
      await writeImage(single(pictures), { ...job, alpha: job.request.isTransparent });
      return { files: [job.file] };
    case 'layers':
      return { files: await Promise.all(pictures.map((picture, index) => writeLayer(picture, job.folder, index))) };
    case 'poster': {
      const picture = single(pictures).removeAlpha();
      const webp = await (job.isAnimated ? animatePoster(picture, job.request) : encodePoster(picture));
      return { base64: webp.toString('base64') };
    }
  }
}

async function loadPictures(request: PaintRequest<PixelFile>): Promise<PaintRequest> {
  const references = await Promise.all(request.references.map(loadPixels));
  return request.kind === 'edit'
    ? {
        ...request,
        references,
        base: await loadPixels(request.base),
        mask: request.mask && (await loadPixels(request.mask)),
      }
    : { ...request, references };
}

const loadPixels = async ({ width, height, file }: PixelFile): Promise<Pixels> => ({
  width,
  height,
  rgba: new Uint8Array(await readFile(file)),
});

const toSharp = ({ rgba, width, height }: Pixels): Sharp => sharp(rgba, { raw: { width, height, channels: 4 } });

function single(pictures: readonly Sharp[]): Sharp {
  const [picture] = pictures;
  if (!picture) throw new Error('The painter returned no picture.');
  return picture;
}

/** A full disk is an error of the file system here, which sharp would not pass on. */
async function writeLayer(picture: Sharp, folder: string, index: number): Promise<string> {
  const file = path.join(folder, `layer-${index}.png`);
  await writeFile(file, await picture.png({ compressionLevel: 1 }).toBuffer());
  return file;
}

const toProblem = (error: unknown): PaintResponse => ({
  problem: String(error),
  ...(error instanceof Error && 'code' in error ? { code: String(error.code) } : {}),
});

await serveJobs<PaintJob, PaintResponse>((job) => runJob(job).catch(toProblem));
