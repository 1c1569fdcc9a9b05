import type { MediaKind } from '#contract/task.ts';

/** The file types that the service accepts as uploads. Decision: Formats */
export const ACCEPTED_FILE_TYPES = {
  image: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
  video: 'video/mp4,video/quicktime,video/webm,video/x-matroska,.mkv',
  audio: 'audio/mpeg,audio/wav,audio/mp4,audio/aac,audio/flac,audio/ogg,.m4a',
} satisfies Record<MediaKind, string>;

export function mediaKindOf(file: Pick<File, 'type' | 'name'>): MediaKind | null {
  const kind = /^(image|video|audio)\//.exec(file.type)?.[1];
  if (kind) return kind as MediaKind;
  // Some systems report no MIME type for these.
  return /\.(mkv|mov)$/i.test(file.name) ? 'video' : null;
}
