import type { MediaItem } from '#contract/resources/media.ts';
import type { CatalogNames } from '#web/api/catalog-names.ts';
import { MEDIA_NOUNS } from '../format-media.ts';
import { formatNumber } from '#web/ui/formats.ts';

export const MEDIA_TYPE_LABELS = { image: 'Image', video: 'Video', audio: 'Audio' } satisfies Record<
  MediaItem['type'],
  string
>;
export const ORIGIN_LABELS = { upload: 'Uploads', generated: 'Results' } satisfies Record<MediaItem['origin'], string>;

export type TitledMedia = Pick<MediaItem, 'type' | 'filename' | 'generation' | 'name'>;

export function mediaTitle({ type, name, filename, generation }: TitledMedia, names: CatalogNames): string {
  if (name) return name;
  if (filename) return filename;
  const prompt = generation?.prompt?.trim();
  if (prompt) return prompt;
  if (!generation) return MEDIA_TYPE_LABELS[type];
  return generation.task === 'other.run' ? names.modelOrTask(generation) : names.task(generation.task);
}

export function creatorLabel({ generation }: Pick<MediaItem, 'generation'>, names: CatalogNames): string | undefined {
  if (!generation) return undefined;
  return generation.model ? names.model(generation.model) : names.task(generation.task);
}

export function formatMediaCount(media: readonly Pick<MediaItem, 'type'>[]): string {
  const [first] = media;
  const nouns = first && media.every(({ type }) => type === first.type) ? MEDIA_NOUNS[first.type] : FILE_NOUNS;
  return `${media.length} ${nouns[media.length === 1 ? 0 : 1]}`;
}

const FILE_NOUNS = ['file', 'files'] as const;

export const formatFileCount = (count: number): string => `${formatNumber(count)} ${FILE_NOUNS[count === 1 ? 0 : 1]}`;
