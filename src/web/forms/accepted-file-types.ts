import type { MediaKind } from '#contract/task.ts';

/** What the service takes as an upload. Decision: Formats */
export const ACCEPTED_FILE_TYPES = {
  image: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
  video: 'video/mp4,video/quicktime,video/webm,video/x-matroska,.mkv',
  audio: 'audio/mpeg,audio/wav,audio/mp4,audio/aac,audio/flac,audio/ogg,.m4a',
} satisfies Record<MediaKind, string>;

/** Which kind of medium a file says it is; null for anything else. */
export function mediaKindOf(file: Pick<File, 'type' | 'name'>): MediaKind | null {
  const said = /^(image|video|audio)\//.exec(file.type)?.[1];
  if (said) return said as MediaKind;
  // Some systems have no type for these.
  return /\.(mkv|mov)$/i.test(file.name) ? 'video' : null;
}
