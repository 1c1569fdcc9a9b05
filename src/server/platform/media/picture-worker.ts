import { open, readFile, writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { MAX_IMAGE_PIXELS } from './image-limits.ts';
import type { PictureResponse, PictureHeader, PictureJob, PictureShape } from './picture-protocol.ts';
import { serveJobs } from './serve-jobs.ts';
import { transformPicture } from './transform-picture.ts';

// A separate process, because it decodes untrusted images.

// The cache is keyed by file name, and a repeated job writes other content under the same name.
sharp.cache(false);

const PIXEL_LIMIT = { limitInputPixels: MAX_IMAGE_PIXELS } as const;

async function runJob(job: PictureJob): Promise<PictureResponse> {
  const source = await readSource(job.file);
  switch (job.kind) {
    case 'header':
      return { header: toHeader(await sharp(source, { limitInputPixels: false }).metadata()) };
    case 'decode': {
      const lines = sharp(source, { ...PIXEL_LIMIT, failOn: 'error', sequentialRead: true });
      const { info } = await lines.resize(8, 8, { fit: 'fill' }).raw().toBuffer({ resolveWithObject: true });
      return toSizeResponse(info);
    }
    case 'shrink': {
      const small = sharp(source, { ...PIXEL_LIMIT, sequentialRead: true })
        .autoOrient()
        .resize({ width: job.width, height: job.height, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80, alphaQuality: 90, smartSubsample: true });
      return toSizeResponse(await small.toFile(job.output));
    }
    case 'mask':
      return toSizeResponse(await writeMask(source, job));
    case 'transform':
      return toSizeResponse(await transformPicture(source, job.output, job.format, job.changes));
    case 'pixels': {
      const upright = sharp(source, { ...PIXEL_LIMIT, failOn: 'error', autoOrient: true });
      const picture = applyShape(upright.toColourspace('srgb').ensureAlpha(), job);
      const encoded = job.encoding === 'raw' ? picture.raw() : picture.png({ compressionLevel: 1 });
      const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
      await writeFile(job.output, data);
      return toSizeResponse(info);
    }
  }
}

/** A transparent mask has the colors of a white one beside its alpha channel, so that programs may read either. */
async function writeMask(source: string | Buffer, { from, to, output }: Extract<PictureJob, { kind: 'mask' }>) {
  const upright = sharp(source, { ...PIXEL_LIMIT, failOn: 'error', autoOrient: true });
  if (from === 'transparent' && !(await upright.metadata()).hasAlpha) throw new Error('The mask has no alpha channel.');
  const white =
    from === 'transparent'
      ? upright.extractChannel('alpha').negate()
      : upright.flatten({ background: '#000' }).greyscale();
  if (to === 'white') return white.toColourspace('b-w').png().toFile(output);
  const { data, info } = await white.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 1 } as const;
  const black = sharp(data, { raw }).negate().toColourspace('b-w');
  if (to === 'black') return black.png().toFile(output);
  const alpha = await black.raw().toBuffer();
  return sharp(data, { raw }).joinChannel(alpha, { raw }).toColourspace('srgb').png().toFile(output);
}

/** Those that the library recognizes by the major brand of a file, which is all that it looks at. */
const KNOWN_BRANDS = new Set('avif heic heix hevc hevx mif1 msf1'.split(' '));
const BRAND_AT = 8;

/** An AVIF may have its brand among the compatible ones only. @returns its bytes then, else the file */
async function readSource(file: string): Promise<string | Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    const isBoxes = bytesRead === 12 && buffer.toString('latin1', 4, BRAND_AT) === 'ftyp';
    if (!isBoxes || KNOWN_BRANDS.has(buffer.toString('latin1', BRAND_AT))) return file;
  } finally {
    await handle.close();
  }
  const bytes = await readFile(file);
  bytes.write('avif', BRAND_AT, 'latin1');
  return bytes;
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
  is_upright: (meta.orientation ?? 1) === 1,
  frame_width: meta.width,
  frame_height: meta.pageHeight ?? meta.height,
  pages: meta.pages ?? 1,
  channels: meta.channels,
  sample_bits: SAMPLE_BITS[meta.depth] ?? 32,
  is_interlaced: meta.isProgressive,
  subsampling: meta.chromaSubsampling ?? null,
});

await serveJobs(runJob);
