import { formatFileSize } from '#web/media/format-media.ts';

/** What the service takes. Decision: Formats */
const ACCEPTED_FORMATS = {
  image: 'Pictures can be PNG, JPEG, WebP, GIF or AVIF.',
  video: 'Videos can be MP4, MOV, WebM or MKV.',
  audio: 'Sounds can be MP3, WAV, M4A, AAC, FLAC or Ogg.',
} as const;

/** By what browsers call them; others are left to the service, which looks inside. */
const REJECTED_TYPES: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC pictures are not taken. Save it as JPEG, and send that.',
  'image/heif': 'HEIF pictures are not taken. Save it as JPEG, and send that.',
  'image/svg+xml': `SVG drawings are not taken. ${ACCEPTED_FORMATS.image}`,
  'image/tiff': `TIFF pictures are not taken. ${ACCEPTED_FORMATS.image}`,
  'image/bmp': `BMP pictures are not taken. ${ACCEPTED_FORMATS.image}`,
  'image/x-icon': `Icons are not taken. ${ACCEPTED_FORMATS.image}`,
  'application/pdf': `PDF files are not taken. ${ACCEPTED_FORMATS.image}`,
};

const POSSIBLE_MEDIA_TYPE = /^(?:(?:image|video|audio)\/.*|application\/(?:ogg|mp4|octet-stream|x-matroska)|)$/;

/**
 * Why a file need not be sent at all, as a sentence; null where it may be good.
 * @param max_bytes the service's limit; null: not known
 */
export function validateFile({ type, size }: Pick<File, 'type' | 'size'>, max_bytes: number | null): string | null {
  if (size === 0) return 'This file is empty.';
  const known = REJECTED_TYPES[type];
  if (known) return known;
  if (!POSSIBLE_MEDIA_TYPE.test(type))
    return `This is no picture, video or sound. ${Object.values(ACCEPTED_FORMATS).join(' ')}`;
  if (max_bytes !== null && size > max_bytes)
    return `This file is too large: ${formatFileSize(size)}. This service takes up to ${formatFileSize(max_bytes)} each.`;
  return null;
}
