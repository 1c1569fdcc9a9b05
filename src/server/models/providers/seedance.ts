import type { ModelCapability } from '#contract/providers.ts';
import type { ModelDisplay } from '#contract/resources/provider-preset.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { ReferenceReader } from './reference-reader.ts';

export type SeedanceModelId = 'vidmodel-c-2' | 'vidmodel-c-2-fast' | 'vidmodel-c-2-mini' | 'vidmodel-c-2.5';
export type SeedanceInput = InputOf<'video.create', SeedanceModelId>;

const REFERENCE_FIELDS = ['reference_images', 'reference_videos', 'reference_audio'] as const;

/** Frames and references are two modes of Seedance; a last frame alone is neither. */
const FRAME_RULES: readonly Rule[] = [
  ...['first_frame', 'last_frame'].flatMap((frame) =>
    REFERENCE_FIELDS.map((field): Rule => ({
      when: { field: frame, present: true },
      field,
      max_items: 0,
      message: 'Seedance does not combine frames with references.',
    })),
  ),
  {
    when: { field: 'first_frame', in: [null] },
    field: 'last_frame',
    allow: [null],
    message: 'An end frame needs a start frame.',
  },
];

/** With frames, Seedance 2.5 takes the shape of the first one. */
const FRAME_RULES_25: readonly Rule[] = [
  ...FRAME_RULES,
  {
    when: { field: 'first_frame', present: true },
    field: 'aspect_ratio',
    allow: ['adaptive'],
    message: 'With a start frame, Seedance 2.5 takes the frame’s shape: choose Adaptive.',
  },
];

const describeModel = (
  name: string,
  maxSeconds: number,
  resolutions: readonly ModelCapability[],
  description: string,
): ModelDisplay => ({
  name,
  maker: 'ByteDance',
  description,
  capabilities: ['references', 'first_frame', 'last_frame', 'sound', ...resolutions],
  max_seconds: maxSeconds,
});

/** The models as ByteDance offers them; hosts may restrict them further. */
export const SEEDANCE: Readonly<Record<SeedanceModelId, { display: ModelDisplay; restrictions: readonly Rule[] }>> = {
  'vidmodel-c-2': {
    display: describeModel(
      'Seedance 2.0',
      15,
      ['1080p', '4K'],
      'Cinematic clips with sound, up to 4K, from text, frames or references.',
    ),
    restrictions: FRAME_RULES,
  },
  'vidmodel-c-2-fast': {
    display: describeModel('Seedance 2.0 Fast', 15, [], 'Seedance 2.0 in less time and at a lower price, up to 720p.'),
    restrictions: FRAME_RULES,
  },
  'vidmodel-c-2-mini': {
    display: describeModel('Seedance 2.0 Mini', 15, [], 'The cheapest Seedance, for drafts up to 720p.'),
    restrictions: FRAME_RULES,
  },
  'vidmodel-c-2.5': {
    display: describeModel(
      'Seedance 2.5',
      30,
      ['1080p'],
      'Long clips of up to 30 seconds with sound and many references.',
    ),
    restrictions: FRAME_RULES_25,
  },
};

/** Seedance 2.5 as an editor of videos. */
export const SEEDANCE_EDIT_DISPLAY: ModelDisplay = {
  ...SEEDANCE['vidmodel-c-2.5'].display,
  description: 'Changes a clip by instruction and keeps its length and shape.',
  capabilities: ['references', 'sound', '1080p'],
};

/** Prices by resolution, without and with a video in the input. */
export type SeedancePrices = Readonly<Record<string, readonly [withoutVideo: bigint, withVideo: bigint]>>;

export function findSeedancePrice(prices: SeedancePrices, input: Readonly<Record<string, unknown>>): bigint | null {
  const videos = input['reference_videos'];
  const hasVideo = 'video' in input || (Array.isArray(videos) && videos.length > 0);
  return prices[String(input['resolution'])]?.[hasVideo ? 1 : 0] ?? null;
}

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
    named: [...nameAll('Image', images), ...nameAll('Video', videos), ...nameAll('Audio', audio)],
  };
}

type SeedanceReferences = Record<'images' | 'videos' | 'audio', readonly ResolvedReference[]>;

/** No rule of a form can say that one list needs another. @throws {EngineError} */
export function assertAudioHasCompany({ images, videos, audio }: SeedanceReferences): void {
  if (audio.length > 0 && images.length + videos.length === 0)
    throw new EngineError('invalid_media', 'Reference audio needs a reference image or a reference video.');
}

/** Lists the files under the names that a host has for them, without empty lists. */
export const nameSeedanceFiles = (
  references: SeedanceReferences,
  fields: Record<keyof SeedanceReferences, string>,
  nameFile: (reference: ResolvedReference) => string,
): Record<string, string[]> =>
  Object.fromEntries(
    (['images', 'videos', 'audio'] as const)
      .filter((kind) => references[kind].length > 0)
      .map((kind) => [fields[kind], references[kind].map(nameFile)]),
  );

/** Every host writes it in lower case. */
export const toSeedanceResolution = <Resolution extends string>(
  resolution: Resolution,
): Exclude<Resolution, '4K'> | '4k' => (resolution === '4K' ? '4k' : (resolution as Exclude<Resolution, '4K'>));
