import { fileTypeFromFile } from 'file-type';
import { type ByteReader, withByteReader } from './byte-reader.ts';
import { assertNoForeignContent } from './foreign-content.ts';
import { isFormatName, type FormatName } from './formats.ts';
import { invalidMediaError, type MediaError } from './media-error.ts';
import { checkBoxes, checkEbml, checkOgg, checkRiff } from './structure/container-structures.ts';
import { checkGif, checkPng } from './structure/image-structures.ts';

const ACCEPTED_MEDIA_DESCRIPTION =
  'PNG, JPEG, WebP, GIF or AVIF images, MP4, MOV, WebM or MKV videos, and MP3, WAV, M4A, AAC, FLAC or OGG audio';

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

const UNSUPPORTED_CONTENT: readonly { looks: RegExp; is: string }[] = [
  { looks: /^\uFEFF?\s*#EXTM3U|^\uFEFF?\s*\[playlist\]|^ffconcat|<MPD[\s>]/i, is: 'a playlist' },
  { looks: /<svg[\s>]/i, is: 'an SVG image' },
  { looks: /<!doctype html|<html|<script|<body/i, is: 'a web page' },
  { looks: /^%PDF/, is: 'a PDF' },
  { looks: /^PK/, is: 'an archive' },
];

const UNSUPPORTED_TYPES: Readonly<Record<string, string>> = {
  heic: 'a HEIC image',
  tif: 'a TIFF image',
  bmp: 'a BMP image',
  psd: 'a Photoshop file',
  avi: 'an AVI video',
  '3gp': 'a 3GP video',
  '3g2': 'a 3GP video',
  asf: 'a Windows Media file',
  flv: 'a Flash video',
  ogv: 'an Ogg video',
  mts: 'an MPEG transport stream',
  mpg: 'an MPEG-1 or MPEG-2 video',
};

function unsupportedFileError(type: string | undefined, head: Buffer): MediaError {
  const text = head.toString('latin1');
  const is =
    UNSUPPORTED_CONTENT.find(({ looks }) => looks.test(text))?.is ??
    (type === undefined ? undefined : UNSUPPORTED_TYPES[type]);
  return invalidMediaError(
    is === undefined
      ? `This is not a supported image, video or audio file. Use ${ACCEPTED_MEDIA_DESCRIPTION}.`
      : `This is ${is}. Use ${ACCEPTED_MEDIA_DESCRIPTION}.`,
  );
}
