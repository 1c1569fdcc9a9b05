import type { DecodeOptions } from './decode-queue.ts';
import type { FORMATS, FormatName } from './formats.ts';
import { decodedBytes, MAX_ANIMATION_PIXELS, MAX_DECODED_BYTES, MAX_IMAGE_PIXELS } from './image-limits.ts';
import { invalidMediaError, type MediaError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';
import type { DecodeJob, PictureHeader } from './picture-protocol.ts';

const HEADER_MS = 20_000;
const DECODE_MS = 30_000;
/** Also encodes a whole picture. */
const TRANSFORM_MS = 180_000;
const BASE_BYTES = 16 * 1024 ** 2;

export type ImageFormatName = {
  [Name in FormatName]: (typeof FORMATS)[Name]['kind'] extends 'image' ? Name : never;
}[FormatName];

/** Name of sharp's loader; a file that another loader accepts is not the format that it claims. */
const LOADER = {
  png: 'png',
  apng: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
} as const satisfies Record<ImageFormatName, string>;

export const isImageFormat = (format: FormatName): format is ImageFormatName => Object.hasOwn(LOADER, format);

interface Size {
  width: number;
  height: number;
}

/** Returns the display size after decoding the first frame to check that it is complete. @throws {MediaError} */
export async function probeImage(
  tools: MediaTools,
  file: string,
  format: ImageFormatName,
  options: DecodeOptions,
): Promise<Size> {
  const header = await readHeader(tools, file, options);
  if (LOADER[format] !== header.format)
    throw unreadablePictureError(new Error(`${format} was loaded as ${header.format}`));
  await decodePicture(tools, header, { kind: 'decode', file }, options);
  const { width, height } = header;
  return { width, height };
}

/**
 * Decodes in the queue, if the header is within the limits. @throws {MediaError}
 * @param header skips reading the header again
 */
export async function decodePicture(
  tools: MediaTools,
  header: PictureHeader | null,
  job: DecodeJob,
  options: DecodeOptions,
): Promise<Size> {
  const imageHeader = header ?? (await readHeader(tools, job.file, options));
  assertBounded(imageHeader);
  const { width, height } = job.kind === 'pixels' ? job : imageHeader;
  const outputBytes = job.kind === 'pixels' || job.kind === 'mask' ? 4 * width * height : 0;
  const timeoutMs = job.kind === 'transform' ? TRANSFORM_MS : DECODE_MS;
  return tools.queue.run(BASE_BYTES + decodedBytes(imageHeader) + outputBytes, options, async () => {
    const response = await tools.pictures.run(job, { timeoutMs, signal: options.signal });
    if ('size' in response) return response.size;
    throw unreadablePictureError(
      new Error('problem' in response ? response.problem : 'received a header instead of a size'),
    );
  });
}

export const readHeader = (tools: MediaTools, file: string, options: DecodeOptions): Promise<PictureHeader> =>
  tools.queue.run(BASE_BYTES, options, async () => {
    const response = await tools.pictures.run(
      { kind: 'header', file },
      { timeoutMs: HEADER_MS, signal: options.signal },
    );
    if ('header' in response) return response.header;
    throw unreadablePictureError(
      new Error('problem' in response ? response.problem : 'received a size instead of a header'),
    );
  });

function assertBounded(header: PictureHeader): void {
  const { width, height, frame_width, frame_height } = header;
  const pixels = frame_width * frame_height;
  if (pixels > MAX_IMAGE_PIXELS) {
    throw invalidMediaError(
      `The image has ${width} × ${height} pixels. The limit is ${MAX_IMAGE_PIXELS / 1e6} megapixels: make it smaller.`,
    );
  }
  if (pixels * header.pages > MAX_ANIMATION_PIXELS) {
    throw invalidMediaError('The animation has too many pixels. Use fewer or smaller frames.');
  }
  const bytes = decodedBytes(header);
  if (bytes > MAX_DECODED_BYTES) {
    const most = Math.floor((pixels * MAX_DECODED_BYTES) / bytes / 1e6);
    throw invalidMediaError(
      `The image has ${width} × ${height} pixels. The limit for this format is ${most} megapixels: ` +
        'make it smaller, or save it as an ordinary JPEG.',
    );
  }
}

const unreadablePictureError = (cause: unknown): MediaError =>
  invalidMediaError('The image is damaged or incomplete and cannot be read.', cause);
