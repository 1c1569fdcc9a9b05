import sharp, { type OverlayOptions, type Sharp, type SharpOptions } from 'sharp';
import { MAX_IMAGE_PIXELS } from './image-limits.ts';
import type { PictureChanges, TransformFormat } from './picture-protocol.ts';

type Source = string | Buffer;

type Edges = Omit<NonNullable<PictureChanges['expand']>, 'fill'>;

/** Of the blurred edge, which is made from a small copy. */
const BLURRED_SIDE = 256;

/**
 * Writes a changed picture in a format. GIF and WebP keep their frames, and all but CMYK and grey their color profile.
 * The camera's data are left out: a small preview among them would still show what was cropped away.
 */
export async function transformPicture(
  source: Source,
  output: string,
  format: TransformFormat,
  changes: PictureChanges,
): Promise<{ width: number; height: number }> {
  if (changes.expand?.fill === 'mask') return writeCanvasMask(output, changes.inner, changes.expand);
  const { space, pages = 1, delay, loop, depth, hasProfile } = await sharp(source).metadata();
  const hasOwnColors = space === 'srgb' || space === 'rgb16';
  const options = { ignoreIcc: hasOwnColors, limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error' } as const;
  const isAnimated = pages > 1 && (format === 'gif' || format === 'webp');
  const finish = (picture: Sharp): Sharp => {
    const deep = depth === 'ushort' && format === 'png' ? picture.toColourspace('rgb16') : picture;
    const kept = deep.keepMetadata().withExif({});
    return hasOwnColors || !hasProfile ? kept : kept.withIccProfile('srgb');
  };
  if (!isAnimated) return encode(finish(await change(source, options, changes)), format).toFile(output);
  const frames: Buffer[] = [];
  for (let page = 0; page < pages; page += 1)
    frames.push(await (await change(source, { ...options, page }, changes)).png({ compressionLevel: 1 }).toBuffer());
  const joined = sharp(frames, { join: { animated: true }, limitInputPixels: MAX_IMAGE_PIXELS });
  const timing = { loop: loop ?? 0, delay: delay ?? [] };
  const { width, pageHeight, height } = await (
    format === 'gif' ? joined.gif(timing) : joined.webp({ quality: 92, ...timing })
  ).toFile(output);
  return { width, height: pageHeight ?? height };
}

/** White where a canvas is larger than its picture, black elsewhere. Decision: Masks */
function writeCanvasMask(output: string, inner: PictureChanges['inner'], edges: Edges) {
  const { left, top, right, bottom } = edges;
  const kept = sharp({ create: { ...inner, channels: 3, background: '#000' } });
  return kept.extend({ left, top, right, bottom, background: '#fff' }).toColourspace('b-w').png().toFile(output);
}

async function change(source: Source, options: SharpOptions, changes: PictureChanges): Promise<Sharp> {
  const { crop, quarters, flip, resize, expand } = changes;
  let picture = sharp(source, { ...options, autoOrient: true });
  if (crop) picture = picture.extract(crop);
  // The library flips before it rotates.
  const isTurned = quarters % 2 === 1;
  if (flip !== 'none') picture = (flip === 'horizontal') === isTurned ? picture.flip() : picture.flop();
  if (quarters > 0) picture = picture.rotate(quarters * 90);
  if (resize) picture = picture.resize(resize);
  if (!expand) return picture;
  const { fill, ...edges } = expand;
  if (fill !== 'blurred') return picture.extend({ ...edges, background: fill === 'transparent' ? '#0000' : fill });
  const strips = await blurEdges(source, options, changes);
  const framed = picture.extend({ ...edges, background: '#000' }).composite(strips);
  return (await sharp(source).metadata()).hasAlpha ? framed : framed.removeAlpha();
}

/** Four strips of the mirrored, blurred picture around it. A small copy is enough for them. */
async function blurEdges(source: Source, options: SharpOptions, changes: PictureChanges): Promise<OverlayOptions[]> {
  const { resize, inner, expand } = changes;
  if (!expand) return [];
  const canvas = { width: inner.width + expand.left + expand.right, height: inner.height + expand.top + expand.bottom };
  const scale = Math.min(1, BLURRED_SIDE / Math.max(canvas.width, canvas.height));
  const toSmall = (pixels: number): number => Math.round(pixels * scale);
  const size = { width: Math.max(1, toSmall(inner.width)), height: Math.max(1, toSmall(inner.height)) };
  const small = await change(source, options, {
    ...changes,
    resize: { ...size, fit: resize?.fit ?? 'fill' },
    expand: null,
  });
  const { data, info } = await sharp(await small.png().toBuffer())
    .extend({
      left: toSmall(expand.left),
      top: toSmall(expand.top),
      right: toSmall(expand.right),
      bottom: toSmall(expand.bottom),
      extendWith: 'mirror',
    })
    .blur(6)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const { width } = canvas;
  const strips = [
    { left: 0, top: 0, width, height: expand.top },
    { left: 0, top: expand.top + inner.height, width, height: expand.bottom },
    { left: 0, top: expand.top, width: expand.left, height: inner.height },
    { left: expand.left + inner.width, top: expand.top, width: expand.right, height: inner.height },
  ].filter((strip) => strip.width > 0 && strip.height > 0);
  return Promise.all(
    strips.map(async (strip) => ({
      input: await sharp(data, { raw })
        .resize({ ...canvas, fit: 'fill' })
        .extract(strip)
        .png({ compressionLevel: 1 })
        .toBuffer(),
      left: strip.left,
      top: strip.top,
    })),
  );
}

function encode(picture: Sharp, format: TransformFormat): Sharp {
  switch (format) {
    case 'png':
      return picture.png();
    case 'jpeg':
      // Optimized coding keeps the whole picture in memory once more.
      return picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4', optimiseCoding: false });
    case 'webp':
      return picture.webp({ quality: 92 });
    case 'gif':
      return picture.gif();
    case 'avif':
      return picture.avif({ quality: 80, effort: 2 });
  }
}
