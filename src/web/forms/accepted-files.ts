import type { MediaKind } from '#contract/task.ts';

/** What the service takes as an upload. Decision: Sizes (Formats) */
export const ACCEPTED = {
  image: 'image/png,image/jpeg,image/webp,image/gif,image/avif',
  video: 'video/mp4,video/quicktime,video/webm,video/x-matroska,.mkv',
  audio: 'audio/mpeg,audio/wav,audio/mp4,audio/aac,audio/flac,audio/ogg,.m4a',
} satisfies Record<MediaKind, string>;
