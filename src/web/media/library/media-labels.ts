import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatNumber } from '#web/ui/formats.ts';

export const MEDIA_TYPE_LABELS = { image: 'Image', video: 'Video', audio: 'Audio' } satisfies Record<
  MediaItem['type'],
  string
>;
const MEDIA_TYPE_NOUNS = {
  image: ['image', 'images'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
} satisfies Record<MediaItem['type'], readonly [string, string]>;

export const ORIGIN_LABELS = { upload: 'Uploads', generated: 'Results' } satisfies Record<MediaItem['origin'], string>;

export type TitledMedia = Pick<MediaItem, 'type' | 'filename' | 'generation'>;

/** Title of a medium: its file name, else its prompt, else its task. */
export function mediaTitle({ type, filename, generation }: TitledMedia): string {
  if (filename) return filename;
  const prompt = generation?.prompt?.trim();
  if (prompt) return prompt;
  return generation ? TASKS[generation.task].name : MEDIA_TYPE_LABELS[type];
}

/** "ImgModel B 2", "Trim video"; undefined for an upload. */
export function creatorLabel({ generation }: Pick<MediaItem, 'generation'>): string | undefined {
  if (!generation) return undefined;
  return generation.model ? MODEL_NAMES[generation.model] : TASKS[generation.task].name;
}

/** "1 image", "3 videos", "4 files" if kinds are mixed. */
export function formatMediaCount(media: readonly Pick<MediaItem, 'type'>[]): string {
  const [first] = media;
  const [one, many] =
    first && media.every(({ type }) => type === first.type) ? MEDIA_TYPE_NOUNS[first.type] : FILE_NOUNS;
  return `${media.length} ${media.length === 1 ? one : many}`;
}

const FILE_NOUNS = ['file', 'files'] as const;

/** "1 file", "1,200 files". */
export const formatFileCount = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? FILE_NOUNS[0] : FILE_NOUNS[1]}`;
