import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import { MAX_SIDE_PIXELS } from '#contract/tasks/picture-tools.ts';
import { MAX_IMAGE_PIXELS } from '#server/platform/media/image-limits.ts';
import { writeTransformed } from '#server/platform/media/picture-jobs.ts';
import type { PictureChanges, TransformFormat } from '#server/platform/media/picture-protocol.ts';
import { changesOf } from './changes.ts';
import { invalidInputError, type Tool } from './tool.ts';

type TransformInput = InputOf<'image.transform'>;

interface Size {
  width: number;
  height: number;
}

/** By the extension of the source. */
const FORMATS: Readonly<Record<string, TransformFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  avif: 'avif',
};

const COLOR = /^#[0-9a-f]{6}$/i;
const NAMED_FILLS: readonly string[] = ['blurred', 'transparent', 'white', 'black', 'mask'];

/** Crops, rotates, flips, resizes and extends an image. Decision: Transforming pictures */
export const transformImage: Tool<'image.transform'> = async (tools, job) => {
  const reference = job.references.find((each) => each.path === 'image');
  if (!reference) throw invalidInputError('The input has no media at image.');
  const { file, media } = reference;
  const source = FORMATS[media.extension];
  if (!source || media.width === null || media.height === null) throw invalidInputError('The file is no image.');
  const changes = planChanges(job.input, source, { width: media.width, height: media.height });
  const isFilled = source === 'jpeg' && changes.expand?.fill === 'transparent';
  const format = isFilled || changes.expand?.fill === 'mask' ? 'png' : source;
  const output = path.join(job.workDir, `image.${format === source ? media.extension : 'png'}`);
  const { width, height } = await writeTransformed(
    tools,
    file,
    { file: output, format, changes },
    { owner: 'tools', signal: job.signal },
  );
  const said = changesOf([isFilled ? 'JPEG has no transparency: the result is a PNG.' : null]);
  return { files: [output], data: { width, height, ...said } };
};

/** @throws {EngineError} that says what does not fit the picture */
function planChanges(
  { crop, rotate, flip, resize, expand }: TransformInput,
  format: TransformFormat,
  source: Size,
): PictureChanges {
  if (crop && (crop.x + crop.width > source.width || crop.y + crop.height > source.height))
    throw invalidInputError(
      `The crop reaches past the image, which has ${source.width} × ${source.height} pixels when it is upright.`,
    );
  const kept = crop ?? source;
  const turned = rotate % 180 === 0 ? kept : { width: kept.height, height: kept.width };
  const resized = resize ? planResize(resize, turned) : null;
  const inner = resized ?? turned;
  const fill: string = expand?.fill ?? 'blurred';
  if (!NAMED_FILLS.includes(fill) && !COLOR.test(fill))
    throw invalidInputError('The fill is no color. Write one such as #ff8800.');
  assertBounded(format, {
    width: inner.width + (expand?.left ?? 0) + (expand?.right ?? 0),
    height: inner.height + (expand?.top ?? 0) + (expand?.bottom ?? 0),
  });
  return {
    crop: crop ? { left: crop.x, top: crop.y, width: crop.width, height: crop.height } : null,
    quarters: rotate / 90,
    flip,
    resize: resized,
    inner: { width: inner.width, height: inner.height },
    expand: expand ? { left: expand.left, top: expand.top, right: expand.right, bottom: expand.bottom, fill } : null,
  };
}

function planResize(
  { width, height, fit }: NonNullable<TransformInput['resize']>,
  from: Size,
): NonNullable<PictureChanges['resize']> {
  if (width === null && height === null) throw invalidInputError('Resizing needs a width or a height.');
  if (fit !== 'inside' && width !== null && height !== null) return { width, height, fit };
  const scale = Math.min((width ?? Infinity) / from.width, (height ?? Infinity) / from.height);
  const toPixels = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  return { width: toPixels(from.width), height: toPixels(from.height), fit: 'fill' };
}

/** What reading an AVIF allows. */
const MAX_AVIF_PIXELS = 12_000_000;

function assertBounded(format: TransformFormat, { width, height }: Size): void {
  const most = format === 'avif' ? MAX_AVIF_PIXELS : MAX_IMAGE_PIXELS;
  if (Math.max(width, height) > MAX_SIDE_PIXELS || width * height > most)
    throw invalidInputError(
      `The result would have ${width} × ${height} pixels. The limit is ${most / 1e6} megapixels, and ${MAX_SIDE_PIXELS} pixels a side.`,
    );
}
