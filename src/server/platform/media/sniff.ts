import { fileTypeFromFile } from 'file-type';
import { type ByteReader, withByteReader } from './byte-reader.ts';
import { assertNoForeignContent } from './foreign-content.ts';
import { isFormatName, type FormatName } from './formats.ts';
import { invalidMediaError, type MediaError } from './media-error.ts';
import { checkBoxes, checkEbml, checkOgg, checkRiff } from './structure/container-structures.ts';
import { checkGif, checkPng } from './structure/image-structures.ts';

const ACCEPTED_MEDIA = {
  image: 'PNG, JPEG, WebP, GIF or AVIF images',
  video: 'MP4, MOV, WebM or MKV videos',
  audio: 'MP3, WAV, M4A, AAC, FLAC or OGG audio',
} as const;

/** Finds truncated files and appended data. JPEG, MP3, AAC and FLAC have no end marker. */
const STRUCTURE = {
  png: checkPng,
  apng: checkPng,
  jpg: undefined,
  webp: (reader) => checkRiff(reader, true),
  gif: checkGif,
  avif: checkBoxes,
  mp4: checkBoxes,
  m4v: checkBoxes,
  mov: checkBoxes,
  m4a: checkBoxes,
  webm: checkEbml,
  mkv: checkEbml,
  wav: (reader) => checkRiff(reader, false),
  ogg: checkOgg,
  opus: checkOgg,
  mp3: undefined,
  aac: undefined,
  flac: undefined,
} as const satisfies Record<FormatName, ((reader: ByteReader) => Promise<unknown>) | undefined>;

/** Walks the structure too. @throws {MediaError} for anything but accepted media from its first byte to its last */
export async function sniffFile(file: string): Promise<{ format: FormatName; size_bytes: number }> {
  return withByteReader(file, (reader) => sniff(file, reader));
}

async function sniff(file: string, reader: ByteReader): Promise<{ format: FormatName; size_bytes: number }> {
  if (reader.size_bytes === 0) throw invalidMediaError('The file is empty.');
  // A parser that throws has not recognized the file.
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type || !isFormatName(type.ext)) throw unsupportedFileError(type?.ext, await reader.bytes(0, 1_024));
  await STRUCTURE[type.ext]?.(reader);
  await assertNoForeignContent(reader);
  return { format: type.ext, size_bytes: reader.size_bytes };
}

/** What a file is, and what to use instead; without it, everything that is accepted. */
interface UnsupportedFile {
  is: string;
  use?: string;
}

const asImage = (is: string): UnsupportedFile => ({ is, use: ACCEPTED_MEDIA.image });
const asVideo = (is: string): UnsupportedFile => ({ is, use: ACCEPTED_MEDIA.video });

const UNSUPPORTED_CONTENT: readonly (UnsupportedFile & { looks: RegExp })[] = [
  { looks: /^\uFEFF?\s*#EXTM3U|^\uFEFF?\s*\[playlist\]|^ffconcat|<MPD[\s>]/i, is: 'a playlist' },
  { looks: /<svg[\s>]/i, ...asImage('an SVG image') },
  { looks: /<!doctype html|<html|<script|<body/i, is: 'a web page' },
  { looks: /^%PDF/, is: 'a PDF', use: `${ACCEPTED_MEDIA.image}: save its page as PNG` },
  { looks: /^PK/, is: 'an archive' },
];

const UNSUPPORTED_TYPES: Readonly<Record<string, UnsupportedFile>> = {
  heic: asImage('a HEIC image'),
  tif: asImage('a TIFF image'),
  bmp: asImage('a BMP image'),
  psd: asImage('a Photoshop file'),
  avi: asVideo('an AVI video'),
  '3gp': asVideo('a 3GP video'),
  '3g2': asVideo('a 3GP video'),
  asf: asVideo('a Windows Media file'),
  flv: asVideo('a Flash video'),
  ogv: asVideo('an Ogg video'),
  mts: asVideo('an MPEG transport stream'),
  mpg: asVideo('an MPEG-1 or MPEG-2 video'),
};

function unsupportedFileError(type: string | undefined, head: Buffer): MediaError {
  const text = head.toString('latin1');
  const found =
    UNSUPPORTED_CONTENT.find(({ looks }) => looks.test(text)) ??
    (type === undefined ? undefined : UNSUPPORTED_TYPES[type]);
  const { image, video, audio } = ACCEPTED_MEDIA;
  return invalidMediaError(
    `This is ${found?.is ?? 'not a supported image, video or audio file'}. Use ${found?.use ?? `${image}, ${video}, and ${audio}`}.`,
  );
}
