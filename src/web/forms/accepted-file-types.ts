import type { MediaKind } from '#contract/task.ts';

/** The file types that the service accepts as uploads. Decision: Formats */
export const ACCEPTED_FILE_TYPES = {
  image: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
  video: 'video/mp4,video/quicktime,video/webm,video/x-matroska,.mkv',
  audio: 'audio/mpeg,audio/wav,audio/mp4,audio/aac,audio/flac,audio/ogg,.m4a',
} satisfies Record<MediaKind, string>;

/** The kind of media that a file's type declares; null for other files. */
export function mediaKindOf(file: Pick<File, 'type' | 'name'>): MediaKind | null {
  const declared = /^(image|video|audio)\//.exec(file.type)?.[1];
  if (declared) return declared as MediaKind;
  // Some systems report no type for these.
  return /\.(mkv|mov)$/i.test(file.name) ? 'video' : null;
}
