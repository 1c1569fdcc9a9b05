import { fileTypeFromFile } from 'file-type';
import { type ByteReader, withByteReader } from './byte-reader.ts';
import { assertNoForeignContent } from './foreign-content.ts';
import { isFormatName, type FormatName } from './formats.ts';
import { invalidMediaError, type MediaError } from './media-error.ts';
import { flacLayout, frameLayout, oggLayout } from './structure/audio-layouts.ts';
import { boxLayout } from './structure/box-layout.ts';
import { ebmlLayout } from './structure/ebml-layout.ts';
import type { FileLayout } from './structure/file-layout.ts';
import { gifLayout, jpegLayout, pngLayout } from './structure/image-layouts.ts';
import { wavLayout, webpLayout } from './structure/riff-layouts.ts';

const ACCEPTED_MEDIA = {
  image: 'PNG, JPEG, WebP, GIF or AVIF images',
  video: 'MP4, MOV, WebM or MKV videos',
  audio: 'MP3, WAV, M4A, AAC, FLAC or OGG audio',
} as const;

/** Finds truncated files, and what does not belong to the media. */
const LAYOUTS = {
  png: pngLayout,
  apng: pngLayout,
  jpg: jpegLayout,
  webp: webpLayout,
  gif: gifLayout,
  avif: boxLayout,
  mp4: boxLayout,
  m4v: boxLayout,
  mov: boxLayout,
  m4a: boxLayout,
  webm: ebmlLayout,
  mkv: ebmlLayout,
  wav: wavLayout,
  ogg: oggLayout,
  opus: oggLayout,
  mp3: frameLayout,
  aac: frameLayout,
  flac: flacLayout,
} as const satisfies Record<FormatName, (reader: ByteReader) => Promise<FileLayout>>;

export interface SniffedFile {
  format: FormatName;
  size_bytes: number;
  /** The length that the file states is a placeholder. */
  isLengthUnknown: boolean;
}

/** Walks the structure too. @throws {MediaError} for anything but accepted media from its first byte to its last */
export async function sniffFile(file: string): Promise<SniffedFile> {
  return withByteReader(file, (reader) => sniff(file, reader));
}

async function sniff(file: string, reader: ByteReader): Promise<SniffedFile> {
  const format = await detect(file, reader);
  const layout = await LAYOUTS[format](reader);
  await assertNoForeignContent(reader, layout);
  return { format, size_bytes: reader.size_bytes, isLengthUnknown: layout.isLengthUnknown === true };
}

/** The format by its first bytes, also of a damaged file. @throws {MediaError} for anything but accepted media */
export const detectFormat = (file: string): Promise<FormatName> =>
  withByteReader(file, (reader) => detect(file, reader));

async function detect(file: string, reader: ByteReader): Promise<FormatName> {
  if (reader.size_bytes === 0) throw invalidMediaError('The file is empty.');
  const head = await reader.bytes(0, 1_024);
  const type = detectByHead(head) ?? (await detectByLibrary(file));
  if (type === undefined || !isFormatName(type)) throw unsupportedFileError(type, head);
  return type;
}

/** Other names of formats that are the same to a decoder. */
const ALIASES: Readonly<Record<string, FormatName>> = { m4b: 'm4a', f4a: 'm4a', f4v: 'mp4', oga: 'ogg', spx: 'ogg' };

async function detectByLibrary(file: string): Promise<string | undefined> {
  // A parser that throws has not recognized the file.
  const type = await fileTypeFromFile(file).catch(() => undefined);
  return type && (ALIASES[type.ext] ?? type.ext);
}

const AVIF_BRANDS = new Set(['avif', 'avis']);
const HEIC_BRANDS = new Set('heic heix heim heis hevc hevx hevm hevs mif1 mif2 msf1 miaf'.split(' '));
const MAX_BRANDS = 64;

/** What the library does not look for: the compatible brands of an image, and WAV with long lengths. */
function detectByHead(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, 12);
  if (/^(?:RF64|BW64)[^]{4}WAVE/.test(text)) return 'wav';
  if (text.slice(4, 8) !== 'ftyp') return undefined;
  const [major = '', , ...compatible] =
    head
      .toString('latin1', 8, Math.min(head.readUInt32BE(0), head.length))
      .match(/[^]{4}/g)
      ?.slice(0, MAX_BRANDS) ?? [];
  if ([major, ...compatible].some((brand) => AVIF_BRANDS.has(brand))) return 'avif';
  return HEIC_BRANDS.has(major) ? 'heic' : undefined;
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
