import type { DecodeOptions } from './decode-queue.ts';
import type { ProbedContainer } from './ffprobe.ts';
import { FORMATS, type Format } from './formats.ts';
import { invalidMediaError, truncatedFileError } from './media-error.ts';
import { type MediaTools, requireStreamTools } from './media-tools.ts';
import { isImageFormat, probeImage } from './probe-image.ts';
import { probeStreams } from './probe-streams.ts';
import { STREAM_BYTES } from './sandbox.ts';
import { sniffFile } from './sniff.ts';
import { type ByteReader, withByteReader } from './byte-reader.ts';

export interface MediaFileInfo {
  kind: 'image' | 'video' | 'audio';
  /** From the content, never from a name or header. */
  mime_type: string;
  extension: string;
  size_bytes: number;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  fps: number | null;
  has_audio: boolean;
  /** High dynamic range, which needs tone mapping on other screens. */
  isHdr?: boolean;
  /** Of video and audio. */
  container?: ProbedContainer;
}

/**
 * Detects and validates a file by its structure, end and first frame; time limits count from its turn in the queue.
 * @param file absolute path whose name is ours
 * @throws {MediaError} for anything but complete, accepted media; `busy`; the signal's reason when aborted
 */
export async function probeFile(tools: MediaTools, file: string, options: DecodeOptions = {}): Promise<MediaFileInfo> {
  options.signal?.throwIfAborted();
  const { format: name, size_bytes, isLengthUnknown } = await sniffFile(file);
  const format: Format = FORMATS[name];
  if (isImageFormat(name)) {
    const { mime_type, extension } = format;
    const size = await probeImage(tools, file, name, options);
    return {
      kind: 'image',
      mime_type,
      extension,
      size_bytes,
      ...size,
      duration_seconds: null,
      fps: null,
      has_audio: false,
    };
  }
  requireStreamTools(tools);
  const measuring = {
    isIndexed: format.isIndexed === true,
    isDurationGuessed: isLengthUnknown || name === 'aac' || (name === 'mp3' && !(await hasStatedLength(file))),
    signal: options.signal,
  };
  const { lastPacketPosition, ...media } = await tools.queue.run(STREAM_BYTES, options, () =>
    probeStreams(tools, file, measuring),
  );
  if (name === 'aac' && lastPacketPosition !== null) await checkAdts(file, lastPacketPosition);
  const { mime_type, extension } =
    (media.kind === format.kind ? format : format.audioOnly) ?? throwUnsupportedVideo(format);
  return { ...media, mime_type, extension, size_bytes };
}

function throwUnsupportedVideo(format: Format): never {
  throw invalidMediaError(`A video in a .${format.extension} file is not supported. Use MP4, MOV, WebM or MKV.`);
}

/** AAC alone is a sequence of frames; the last must be complete. @throws {MediaError} */
const checkAdts = (file: string, lastFrameAt: number): Promise<void> =>
  withByteReader(file, (reader) => checkLastFrame(reader, lastFrameAt));

async function checkLastFrame(reader: ByteReader, lastFrameAt: number): Promise<void> {
  const [, , , high = 0, middle = 0, low] = await reader.bytes(lastFrameAt, 6);
  if (low === undefined) throw truncatedFileError();
  const length = ((high & 0b11) << 11) | (middle << 3) | (low >> 5);
  if (lastFrameAt + length > reader.size_bytes) throw truncatedFileError();
}

const ID3_HEAD_BYTES = 10;
/** The first frame's header, side information and tag are within this many bytes. */
const SCANNED_BYTES = 200;

/** Whether an MP3 states its number of frames; without it, the length is only guessed from the size. */
const hasStatedLength = (file: string): Promise<boolean> => withByteReader(file, readStatedLength);

async function readStatedLength(reader: ByteReader): Promise<boolean> {
  const head = await reader.bytes(0, ID3_HEAD_BYTES);
  const firstFrame = head.toString('latin1', 0, 3) === 'ID3' ? ID3_HEAD_BYTES + synchsafe(head.subarray(6)) : 0;
  const frame = (await reader.bytes(firstFrame, SCANNED_BYTES)).toString('latin1');
  return /Xing|Info|VBRI/.test(frame);
}

/** Each byte of such a size carries seven bits. */
const synchsafe = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
