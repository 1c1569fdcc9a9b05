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

/** Content that the service never accepts, whatever the name of the file says. */
const REJECTED_CONTENT: readonly { looks: RegExp; problem: string }[] = [
  { looks: /^%PDF/, problem: `This is a PDF. Save its page as PNG or JPEG and upload that.` },
  { looks: /^PK/, problem: `This is an archive or a document. ${Object.values(ACCEPTED_FORMATS).join(' ')}` },
];

/** How media begin. */
const MEDIA_CONTENT =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF|.E\xdf\xa3|ID3|\xff[\xe0-\xff]|fLaC|OggS|.{4}(?:ftyp|moov|mdat|free|wide|skip|pnot))/s;

/** Only where sending a file takes long is it worth to foresee what the service will say. */
const LARGE_FILE_BYTES = 8_388_608;
export const SNIFFED_BYTES = 16;

/** Returns why the content can't be uploaded; null if the service may accept it. @param head first bytes of the file */
export function validateContent(head: Uint8Array, size: number): string | null {
  const text = String.fromCharCode(...head.subarray(0, SNIFFED_BYTES));
  const rejected = REJECTED_CONTENT.find(({ looks }) => looks.test(text));
  if (rejected) return rejected.problem;
  if (size <= LARGE_FILE_BYTES || MEDIA_CONTENT.test(text)) return null;
  return `This is not an image, video or audio file. ${Object.values(ACCEPTED_FORMATS).join(' ')}`;
}

const POSSIBLE_MEDIA_TYPE = /^(?:(?:image|video|audio)\/.*|application\/(?:ogg|mp4|octet-stream|x-matroska)|)$/;

/** Returns why a file can't be uploaded; null if the service may accept it. @param maxBytes null if unknown */
export function validateFile({ type, size }: Pick<File, 'type' | 'size'>, maxBytes: number | null): string | null {
  if (size === 0) return 'This file is empty.';
  const rejection = REJECTED_TYPES[type];
  if (rejection) return rejection;
  if (!POSSIBLE_MEDIA_TYPE.test(type))
    return `This is not an image, video or audio file. ${Object.values(ACCEPTED_FORMATS).join(' ')}`;
  if (maxBytes !== null && size > maxBytes)
    return `This file is too large: ${formatFileSize(size)}. The limit is ${formatFileSize(maxBytes)} per file.`;
  return null;
}
