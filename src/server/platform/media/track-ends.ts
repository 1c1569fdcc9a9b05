import { withByteReader, type ByteReader } from './byte-reader.ts';
import { walkBoxes } from './marks/read-marks.ts';
import type { Range } from './structure/file-layout.ts';

interface TrackEnds {
  /** On the presentation's clock; null without such a track. */
  videoSeconds: number | null;
  audioSeconds: number | null;
  /** How long the last frame is shown. */
  frameSeconds: number;
}

/** Reads when the tracks of an MP4 of our own end, from its heads. */
export const readTrackEnds = (file: string): Promise<TrackEnds> => withByteReader(file, readEnds);

async function readEnds(reader: ByteReader): Promise<TrackEnds> {
  const ends: TrackEnds = { videoSeconds: null, audioSeconds: null, frameSeconds: 0 };
  const movie = await findBox(reader, { start: 0, end: reader.size_bytes }, 'moov');
  const head = movie && (await findBox(reader, movie, 'mvhd'));
  if (!movie || !head) return ends;
  const { unitsPerSecond } = await readMediaHead(reader, head);
  for await (const { type, content } of walkBoxes(reader, movie)) {
    if (type !== 'trak') continue;
    const track = await readTrack(reader, content);
    if (track.kind === 'soun') ends.audioSeconds = track.duration / unitsPerSecond;
    if (track.kind !== 'vide') continue;
    ends.videoSeconds = track.duration / unitsPerSecond;
    ends.frameSeconds = track.lastSampleSeconds;
  }
  return ends;
}

async function findBox(reader: ByteReader, range: Range, ...path: readonly string[]): Promise<Range | null> {
  let inside: Range | null = range;
  for (const name of path) {
    let found: Range | null = null;
    for await (const { type, content } of walkBoxes(reader, inside)) if (type === name) found ??= content;
    if (!found) return null;
    inside = found;
  }
  return inside;
}

async function readTrack(reader: ByteReader, track: Range) {
  const head = await findBox(reader, track, 'tkhd');
  const handler = await findBox(reader, track, 'mdia', 'hdlr');
  const media = await findBox(reader, track, 'mdia', 'mdhd');
  const times = await findBox(reader, track, 'mdia', 'minf', 'stbl', 'stts');
  if (!head || !handler || !media) return { kind: '', duration: 0, lastSampleSeconds: 0 };
  const bytes = await reader.bytes(head.start, 40);
  const duration = isWide(bytes) ? Number(bytes.readBigUInt64BE(28)) : bytes.readUInt32BE(20);
  const { unitsPerSecond } = await readMediaHead(reader, media);
  // The last entry is a number of samples and the length of each.
  const lastDelta = times && times.end - times.start >= 16 ? (await reader.bytes(times.end - 4, 4)).readUInt32BE(0) : 0;
  return {
    kind: (await reader.bytes(handler.start + 8, 4)).toString('latin1'),
    duration,
    lastSampleSeconds: lastDelta / unitsPerSecond,
  };
}

const isWide = (head: Buffer): boolean => head[0] === 1;

/** Times take eight bytes in version 1. */
async function readMediaHead(reader: ByteReader, { start }: Range): Promise<{ unitsPerSecond: number }> {
  const bytes = await reader.bytes(start, 32);
  return { unitsPerSecond: bytes.readUInt32BE(isWide(bytes) ? 20 : 12) };
}
