import { formatFileSize } from '#web/media/format-media.ts';

/** Formats that the service accepts. Decision: Formats */
const ACCEPTED_FORMATS = {
  image: 'Supported images: PNG, JPEG, WebP, GIF, AVIF.',
  video: 'Supported videos: MP4, MOV, WebM, MKV.',
  audio: 'Supported audio: MP3, WAV, M4A, AAC, FLAC, Ogg.',
} as const;

/** By the MIME types that browsers report; the service inspects all others. */
const REJECTED_TYPES: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC images are not supported. Save the image as JPEG and upload that.',
  'image/heif': 'HEIF images are not supported. Save the image as JPEG and upload that.',
  'image/svg+xml': `SVG images are not supported. ${ACCEPTED_FORMATS.image}`,
  'image/tiff': `TIFF images are not supported. ${ACCEPTED_FORMATS.image}`,
  'image/bmp': `BMP images are not supported. ${ACCEPTED_FORMATS.image}`,
  'image/x-icon': `Icons are not supported. ${ACCEPTED_FORMATS.image}`,
  'application/pdf': `PDF files are not supported. ${ACCEPTED_FORMATS.image}`,
};

const POSSIBLE_MEDIA_TYPE = /^(?:(?:image|video|audio)\/.*|application\/(?:ogg|mp4|octet-stream|x-matroska)|)$/;

/** Returns why a file can't be uploaded; null if the service may accept it. @param max_bytes null if unknown */
export function validateFile({ type, size }: Pick<File, 'type' | 'size'>, max_bytes: number | null): string | null {
  if (size === 0) return 'This file is empty.';
  const rejection = REJECTED_TYPES[type];
  if (rejection) return rejection;
  if (!POSSIBLE_MEDIA_TYPE.test(type))
    return `This is not an image, video or audio file. ${Object.values(ACCEPTED_FORMATS).join(' ')}`;
  if (max_bytes !== null && size > max_bytes)
    return `This file is too large: ${formatFileSize(size)}. The limit is ${formatFileSize(max_bytes)} per file.`;
  return null;
}
