import type { InputOf } from '#contract/task-input.ts';

export interface PixelSize {
  width: number;
  height: number;
}

type ImageTask = 'image.create' | 'image.edit';
type VideoResolution = keyof typeof SHORTER_PX;
type Shape = { width: number | null; height: number | null } | null;

const SIDES_PX = { '1K': 1024, '2K': 2048, '4K': 4096 } as const;
const SHORTER_PX = { '480p': 480, '720p': 720, '1080p': 1080, '4K': 2160 } as const;
/** No model supports a longer ratio. */
const LONGEST_RATIO = 8;
const LONGEST_VIDEO_RATIO = 3;

function parseRatio(text: string | undefined): number | null {
  const parts = /^(\d+):(\d+)$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2]) : null;
}

function shapeRatio(shape: Shape, longest: number): number | null {
  if (!shape?.width || !shape.height) return null;
  return Math.min(longest, Math.max(1 / longest, shape.width / shape.height));
}

const roundTo = (step: number, value: number): number => Math.max(step, Math.round(value / step) * step);

/** `size` exactly, else `resolution` at `aspect_ratio` in multiples of 8; `auto`: the first image. Decision: Sizes */
export function imageSize(
  { size, resolution = '1K', aspect_ratio }: Pick<InputOf<ImageTask>, 'size' | 'resolution' | 'aspect_ratio'>,
  firstImage: Shape,
): PixelSize {
  const exact = /^(\d+)x(\d+)$/.exec(size ?? '');
  if (exact) return { width: Number(exact[1]), height: Number(exact[2]) };
  const side = SIDES_PX[resolution];
  const ratio = parseRatio(aspect_ratio) ?? shapeRatio(firstImage, LONGEST_RATIO) ?? 1;
  return { width: roundTo(8, side * Math.sqrt(ratio)), height: roundTo(8, side / Math.sqrt(ratio)) };
}

/** Both sides are even. Decision: Sizes */
function frameSize(resolution: VideoResolution = '720p', ratio: number): PixelSize {
  const shorter = SHORTER_PX[resolution];
  if (ratio >= 1) return { width: roundTo(2, shorter * ratio), height: shorter };
  return { width: shorter, height: roundTo(2, shorter / ratio) };
}

/** `adaptive` follows `guide` (first frame, else first reference), else 16:9. Decision: Sizes */
export function videoSize(
  { aspect_ratio, resolution }: Pick<InputOf<'video.create'>, 'aspect_ratio' | 'resolution'>,
  guide: Shape,
): PixelSize {
  const ratio = parseRatio(aspect_ratio) ?? shapeRatio(guide, LONGEST_VIDEO_RATIO) ?? 16 / 9;
  return frameSize(resolution, ratio);
}

/** An edited video keeps the aspect ratio of its source. */
export const sourceSize = (resolution: VideoResolution, source: Shape): PixelSize =>
  frameSize(resolution, source?.width && source.height ? source.width / source.height : 16 / 9);
