import type { MediaKind } from '#contract/task.ts';

interface FileType {
  mime_type: string;
  extension: string;
}

export interface Format extends FileType {
  kind: MediaKind;
  /** Used for audio alone in a container that usually contains video. */
  audioOnly?: FileType;
  /** The end can be reached by seeking, so that not all of the file must be read. */
  isIndexed?: true;
}

const AUDIO_IN_MP4 = { mime_type: 'audio/mp4', extension: 'm4a' } as const;
const MP4 = {
  mime_type: 'video/mp4',
  extension: 'mp4',
  kind: 'video',
  audioOnly: AUDIO_IN_MP4,
  isIndexed: true,
} as const satisfies Format;
const PNG = { mime_type: 'image/png', extension: 'png', kind: 'image' } as const satisfies Format;
const OGG = { mime_type: 'audio/ogg', extension: 'ogg', kind: 'audio' } as const satisfies Format;

/** Accepted formats by the extension of `file-type`. Decision: Formats */
export const FORMATS = {
  png: PNG,
  apng: PNG,
  jpg: { mime_type: 'image/jpeg', extension: 'jpg', kind: 'image' },
  webp: { mime_type: 'image/webp', extension: 'webp', kind: 'image' },
  gif: { mime_type: 'image/gif', extension: 'gif', kind: 'image' },
  avif: { mime_type: 'image/avif', extension: 'avif', kind: 'image' },
  mp4: MP4,
  m4v: MP4,
  mov: { ...MP4, mime_type: 'video/quicktime', extension: 'mov' },
  webm: {
    mime_type: 'video/webm',
    extension: 'webm',
    kind: 'video',
    audioOnly: { mime_type: 'audio/webm', extension: 'webm' },
    isIndexed: true,
  },
  mkv: {
    mime_type: 'video/x-matroska',
    extension: 'mkv',
    kind: 'video',
    audioOnly: { mime_type: 'audio/x-matroska', extension: 'mka' },
    isIndexed: true,
  },
  m4a: { ...AUDIO_IN_MP4, kind: 'audio', isIndexed: true },
  mp3: { mime_type: 'audio/mpeg', extension: 'mp3', kind: 'audio' },
  wav: { mime_type: 'audio/wav', extension: 'wav', kind: 'audio' },
  aac: { mime_type: 'audio/aac', extension: 'aac', kind: 'audio' },
  flac: { mime_type: 'audio/flac', extension: 'flac', kind: 'audio' },
  ogg: OGG,
  opus: OGG,
} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof FORMATS;

export const isFormatName = (name: string): name is FormatName => Object.hasOwn(FORMATS, name);
