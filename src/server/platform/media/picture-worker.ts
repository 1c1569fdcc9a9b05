import { writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from './image-limits.ts';
import type { PictureResponse, PictureHeader, PictureJob, PictureShape } from './picture-protocol.ts';
import { serveJobs } from './serve-jobs.ts';

// A separate process, because it decodes untrusted images.

// The cache is keyed by file name, and a repeated job writes other content under the same name.
sharp.cache(false);

const PIXEL_LIMIT = { limitInputPixels: MAX_IMAGE_PIXELS } as const;

async function runJob(job: PictureJob): Promise<PictureResponse> {
  switch (job.kind) {
    case 'header':
      return { header: toHeader(await sharp(job.file, { limitInputPixels: false }).metadata()) };
    case 'decode': {
      const lines = sharp(job.file, { ...PIXEL_LIMIT, failOn: 'error', sequentialRead: true });
      const { info } = await lines.resize(8, 8, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true });
      return toSizeResponse(info);
    }
    case 'shrink': {
      const small = sharp(job.file, { ...PIXEL_LIMIT, sequentialRead: true })
        .autoOrient()
        .resize({ width: job.width, height: job.height, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80, alphaQuality: 90, smartSubsample: true });
      return toSizeResponse(await small.toFile(job.output));
    }
    case 'pixels': {
      const upright = sharp(job.file, { ...PIXEL_LIMIT, failOn: 'error', autoOrient: true });
      const picture = applyShape(upright.toColourspace('srgb').ensureAlpha(), job);
      const encoded = job.encoding === 'raw' ? picture.raw() : picture.png({ compressionLevel: 1 });
      const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
      await writeFile(job.output, data);
      return toSizeResponse(info);
    }
  }
}

function applyShape(picture: Sharp, shape: PictureShape): Sharp {
  let result = picture;
  if (shape.quarters) result = result.rotate(shape.quarters * 90);
  if (shape.mirror) result = result.flop();
  if (shape.upsideDown) result = result.flip();
  result = result.resize({
    width: shape.width,
    height: shape.height,
    fit: shape.fit,
    withoutEnlargement: shape.without_enlargement ?? false,
  });
  return shape.sharpen ? result.sharpen({ sigma: shape.sharpen }) : result;
}

const toSizeResponse = ({ width, height }: { width: number; height: number }): PictureResponse => ({
  size: { width, height },
});

const SAMPLE_BITS: Readonly<Record<string, number>> = { uchar: 8, char: 8, ushort: 16, short: 16 };

const toHeader = (meta: Metadata): PictureHeader => ({
  format: meta.format,
  ...meta.autoOrient,
  frame_width: meta.width,
  frame_height: meta.pageHeight ?? meta.height,
  pages: meta.pages ?? 1,
  channels: meta.channels,
  sample_bits: SAMPLE_BITS[meta.depth] ?? 32,
  is_interlaced: meta.isProgressive,
  subsampling: meta.chromaSubsampling ?? null,
});

await serveJobs(runJob);
