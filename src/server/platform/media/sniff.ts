import { fileTypeFromFile } from 'file-type';
import { type ByteReader, withByteReader } from './byte-reader.ts';
import { assertNoForeignContent } from './foreign-content.ts';
import { isFormatName, type FormatName } from './formats.ts';
import {
  invalidMediaError,
  type MediaError,
  damagedFileError,
  foreignContentError,
  MAX_PARTS,
  tooManyPartsError,
  truncatedFileError,
} from './media-error.ts';
import { checkBoxes, checkEbml, checkOgg, checkRiff } from './structure/container-structures.ts';

const SCREEN_AT = 6;
const BLOCKS_AT = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** The size of a GIF must not open a script comment. @returns the number of frames @throws {MediaError} */
async function checkGif(reader: ByteReader): Promise<number> {
  const screen = await reader.bytes(SCREEN_AT, BLOCKS_AT - SCREEN_AT);
  if (screen.length < 7) throw truncatedFileError();
  // `GIF89a/*` would make the whole file a script with the image as its comment.
  if (/\/[/*]/.test(screen.toString('latin1'))) throw foreignContentError();
  let at = BLOCKS_AT + colorTableBytes(screen[4]);
  let frames = 0;
  const budget: PartBudget = { left: MAX_PARTS };
  for (; budget.left > 0; budget.left -= 1) {
    const kind = (await reader.bytes(at, 1))[0];
    if (kind === undefined) throw truncatedFileError();
    if (kind === TRAILER) {
      if (at + 1 < reader.size_bytes) throw foreignContentError();
      return frames;
    }
    if (kind === EXTENSION) at = await skipSubBlocks(reader, at + 2, budget);
    else if (kind === IMAGE) {
      frames += 1;
      const local = (await reader.bytes(at + 9, 1))[0];
      at = await skipSubBlocks(reader, at + 10 + colorTableBytes(local) + 1, budget);
    } else throw damagedFileError();
  }
  throw tooManyPartsError();
}

const colorTableBytes = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** Shared by all blocks of a file: each may have as many parts. */
interface PartBudget {
  left: number;
}

async function skipSubBlocks(reader: ByteReader, start: number, budget: PartBudget): Promise<number> {
  let at = start;
  for (; budget.left > 0; budget.left -= 1) {
    const length = (await reader.bytes(at, 1))[0];
    if (length === undefined) throw truncatedFileError();
    at += 1 + length;
    if (length === 0) return at;
  }
  throw tooManyPartsError();
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const CHUNK_FRAME_BYTES = 12;

/** A PNG ends with its IEND chunk. @throws {MediaError} */
async function checkPng(reader: ByteReader): Promise<void> {
  let at = SIGNATURE_BYTES;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const head = await reader.bytes(at, 8);
    if (head.length < 8) throw truncatedFileError();
    at += CHUNK_FRAME_BYTES + head.readUInt32BE(0);
    if (at > reader.size_bytes) throw truncatedFileError();
    if (head.toString('latin1', 4) !== 'IEND') continue;
    if (at < reader.size_bytes) throw foreignContentError();
    return;
  }
  throw tooManyPartsError();
}

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
  const format = await detect(file, reader);
  await STRUCTURE[format]?.(reader);
  await assertNoForeignContent(reader);
  return { format, size_bytes: reader.size_bytes };
}

/** The format by its first bytes, also of a damaged file. @throws {MediaError} for anything but accepted media */
export const detectFormat = (file: string): Promise<FormatName> =>
  withByteReader(file, (reader) => detect(file, reader));

async function detect(file: string, reader: ByteReader): Promise<FormatName> {
  if (reader.size_bytes === 0) throw invalidMediaError('The file is empty.');
  // A parser that throws has not recognized the file.
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type || !isFormatName(type.ext)) throw unsupportedFileError(type?.ext, await reader.bytes(0, 1_024));
  return type.ext;
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
