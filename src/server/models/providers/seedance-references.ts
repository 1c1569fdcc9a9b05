import type { ResolvedReference } from '#server/models/engine/engine.ts';
import type { ReferenceReader } from './reference-reader.ts';

/**
 * Reads the references of Seedance in the order in which prompts count them, each kind on its own.
 * @param source the video of an edit, which is the first one
 * @param formatName “Image”, 1 → the name by which prompts call the first image
 */
export function readSeedanceReferences(
  { readList }: Pick<ReferenceReader, 'readList'>,
  source: readonly ResolvedReference[],
  formatName: (kind: 'Image' | 'Video' | 'Audio', number: number) => string,
) {
  const images = readList('reference_images');
  const videos = [...source, ...readList('reference_videos')];
  const audio = readList('reference_audio');
  const nameAll = (kind: 'Image' | 'Video' | 'Audio', list: readonly ResolvedReference[]) =>
    list.map((reference, index) => [formatName(kind, index + 1), reference] as const);
  return {
    images,
    videos,
    audio,
    counts: { images: images.length, videos: videos.length, audio: audio.length },
    named: [...nameAll('Image', images), ...nameAll('Video', videos), ...nameAll('Audio', audio)],
  };
}

/** Everyone who offers Seedance writes it in lower case. */
export const toSeedanceResolution = <Resolution extends string>(
  resolution: Resolution,
): Exclude<Resolution, '4K'> | '4k' => (resolution === '4K' ? '4k' : (resolution as Exclude<Resolution, '4K'>));
