import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatNumber } from '#web/ui/formats.ts';

export const KIND_NAMES = { image: 'Image', video: 'Video', audio: 'Sound' } satisfies Record<
  MediaItem['type'],
  string
>;
const KIND_COUNTS = {
  image: ['image', 'images'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
} satisfies Record<MediaItem['type'], readonly [string, string]>;

export const ORIGIN_NAMES = { upload: 'Uploads', generated: 'Results' } satisfies Record<MediaItem['origin'], string>;

/** What is enough of a medium to be named. */
export type Named = Pick<MediaItem, 'type' | 'filename' | 'generation'>;

/** What a medium is called: its file's name, the prompt it was made from, or what made it. */
export function titleOf({ type, filename, generation }: Named): string {
  if (filename) return filename;
  const prompt = generation?.prompt?.trim();
  if (prompt) return prompt;
  return generation ? TASKS[generation.task].name : KIND_NAMES[type];
}

/** "ImgModel B 2", "Trim video"; undefined for an upload. */
export function makerOf({ generation }: Pick<MediaItem, 'generation'>): string | undefined {
  if (!generation) return undefined;
  return generation.model ? MODEL_NAMES[generation.model] : TASKS[generation.task].name;
}

/** "1 image", "3 videos", and where kinds are mixed "4 files". */
export function mediaCount(media: readonly Pick<MediaItem, 'type'>[]): string {
  const [first] = media;
  const [one, many] = first && media.every(({ type }) => type === first.type) ? KIND_COUNTS[first.type] : FILES;
  return `${media.length} ${media.length === 1 ? one : many}`;
}

const FILES = ['file', 'files'] as const;

/** "1 file", "1,200 files". */
export const fileCount = (count: number): string => `${formatNumber(count)} ${count === 1 ? FILES[0] : FILES[1]}`;
