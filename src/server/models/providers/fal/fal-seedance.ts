import type { Rule } from '#contract/task.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { maxItems, type PresetModel } from '#server/models/providers/preset.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import {
  assertAudioHasCompany,
  nameSeedanceFiles,
  readSeedanceReferences,
  SEEDANCE,
  SEEDANCE_EDIT_DISPLAY,
  type SeedanceModelId,
  toSeedanceResolution,
} from '#server/models/providers/seedance.ts';
import { defineFalModel } from './define-model.ts';
import { defineFalRequest, type FalReferences } from './define-request.ts';
import type { BuildFalRequest } from './fal-request.ts';
import { assertWithinLimits, type MediaLimits } from './media-limits.ts';

interface SeedanceLimits {
  /** How people know it. */
  name: string;
  frames: MediaLimits;
  images: MediaLimits;
  videos: MediaLimits;
  audio: MediaLimits;
  max_files: number;
}

const FRAMES = {
  name: 'JPEG, PNG and WebP images',
  mime_types: ['image/jpeg', 'image/png', 'image/webp'],
  max_megabytes: 30,
} as const satisfies MediaLimits;
const VIDEOS = { name: 'MP4 and MOV videos', mime_types: ['video/mp4', 'video/quicktime'] } as const;
const AUDIO = {
  name: 'MP3 and WAV audio',
  mime_types: ['audio/mpeg', 'audio/wav'],
  max_megabytes: 15,
} as const satisfies MediaLimits;

/** fal.ai/models/bytedance/seedance-2.0/mini/reference-to-video/llms.txt, read 2026-11-23; the same for all three. */
const SEEDANCE_20_LIMITS: SeedanceLimits = {
  name: 'Seedance 2.0',
  frames: FRAMES,
  images: FRAMES,
  videos: { ...VIDEOS, total_seconds: [2, 15], max_total_megabytes: 50, pixels: [640 * 640, 834 * 1112] },
  audio: { ...AUDIO, total_seconds: [0, 15] },
  max_files: 12,
};

/** fal.ai/models/bytedance/seedance-2.5/reference-to-video/llms.txt, read 2026-11-23. */
const SEEDANCE_25_LIMITS: SeedanceLimits = {
  name: 'Seedance 2.5',
  frames: FRAMES,
  images: {
    name: 'JPEG, PNG, WebP and GIF images',
    mime_types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    max_megabytes: 30,
  },
  videos: {
    ...VIDEOS,
    seconds: [1.8, 30.2],
    total_seconds: [0, 30.2],
    max_megabytes: 200,
    side_pixels: [300, 6000],
    ratio: [0.4, 2.5],
    fps: [24, 60],
  },
  audio: { ...AUDIO, seconds: [1.8, 30.2], total_seconds: [0, 30.2] },
  max_files: 50,
};

/**
 * Fields: fal.ai/models/bytedance/seedance-2.0/…/llms.txt and …/seedance-2.5/…, read 2026-11-23. `duration` is text there.
 * @param base `bytedance/seedance-2.0`
 */
const buildSeedance = (base: string, limits: SeedanceLimits): BuildFalRequest =>
  defineFalRequest<'video.create', SeedanceModelId>((input, references) => {
    const { aspect_ratio, resolution } = input;
    const body = {
      duration: String(input.duration_seconds),
      aspect_ratio: aspect_ratio === 'adaptive' ? 'auto' : aspect_ratio,
      resolution: toSeedanceResolution(resolution),
      generate_audio: input.generate_audio,
    };
    const { prompt } = input;
    const imageUrl = references.findUrl('first_frame');
    if (imageUrl !== undefined) {
      const frames = ['first_frame', 'last_frame'].flatMap(references.readList);
      assertWithinLimits(limits.name, frames, limits.frames);
      const endImageUrl = references.findUrl('last_frame');
      const urls =
        endImageUrl === undefined ? { image_url: imageUrl } : { image_url: imageUrl, end_image_url: endImageUrl };
      return { endpoint: `${base}/image-to-video`, input: { prompt, ...body, ...urls } };
    }
    const media = readMedia(references, limits, null);
    if (media.named.length === 0) return { endpoint: `${base}/text-to-video`, input: { prompt, ...body } };
    const task = limits === SEEDANCE_25_LIMITS ? { task: 'reference' } : {};
    const described = appendRoles(prompt, media.named);
    return {
      endpoint: `${base}/reference-to-video`,
      input: { prompt: described, ...body, ...task, ...media.urls },
    };
  });

/** The source is the first video. Length and shape are those of the source. */
const buildSeedanceEdit = defineFalRequest<'video.edit', 'vidmodel-c-2.5'>((input, references) => {
  const media = readMedia(references, SEEDANCE_25_LIMITS, 'video');
  return {
    endpoint: 'bytedance/seedance-2.5/reference-to-video',
    input: {
      task: 'editing',
      prompt: appendRoles(input.prompt, media.named),
      duration: 'auto',
      aspect_ratio: 'auto',
      resolution: input.resolution,
      generate_audio: input.generate_audio,
      ...media.urls,
    },
  };
});

/** References under the names by which prompts call them: `@Image1`, `@Video1`, `@Audio1`. @throws {EngineError} */
function readMedia(references: FalReferences, limits: SeedanceLimits, source: 'video' | null) {
  const { name, max_files } = limits;
  const sources = source === null ? [] : references.readList(source);
  const media = readSeedanceReferences(references, sources, (kind, number) => `@${kind}${number}`);
  for (const kind of ['images', 'videos', 'audio'] as const) assertWithinLimits(name, media[kind], limits[kind]);
  assertAudioHasCompany(media);
  if (media.named.length > max_files)
    throw new EngineError('invalid_media', `fal’s ${name} takes at most ${max_files} references in total.`);
  return { named: media.named, urls: nameSeedanceFiles(media, FILE_FIELDS, references.nameFile) };
}

const FILE_FIELDS = { images: 'image_urls', videos: 'video_urls', audio: 'audio_urls' } as const;

/** 864 × 496 pixels to 1280 × 720, as tokens are counted. */
const SHARE_OF_480P = '0.466';
const REFERENCE_NOTE = 'With reference videos fal takes 60 % of this per second, and counts their seconds too.';

const seedance = (
  model: SeedanceModelId,
  base: string,
  limits: SeedanceLimits,
  unitPriceUsd: string,
  resolutions: Readonly<Record<string, string>> = {},
): PresetModel =>
  defineFalModel({
    task: 'video.create',
    model,
    endpoint: `${base}/text-to-video`,
    endpoints: ['text', 'image', 'reference'].map((source) => `${base}/${source}-to-video`),
    ...SEEDANCE[model].display,
    restrictions: SEEDANCE[model].restrictions,
    price: {
      unit: 'second',
      unit_price_usd: unitPriceUsd,
      multipliers: { resolution: { '480p': SHARE_OF_480P, ...resolutions } },
      note: REFERENCE_NOTE,
    },
    build: buildSeedance(base, limits),
  });

const SEEDANCE_20 = 'bytedance/seedance-2.0';
const SEEDANCE_25 = 'bytedance/seedance-2.5';

const EDIT_RULES: readonly Rule[] = [
  maxItems('video', 'reference_videos', 0, 'fal’s Seedance edits a video without reference videos.'),
];

export const FAL_SEEDANCE_MODELS: readonly PresetModel[] = [
  // 1080p and 4K were measured by others.
  seedance('vidmodel-c-2', SEEDANCE_20, SEEDANCE_20_LIMITS, '0.3034', { '1080p': '2.25', '4K': '5.15' }),
  seedance('vidmodel-c-2-fast', `${SEEDANCE_20}/fast`, SEEDANCE_20_LIMITS, '0.2419'),
  seedance('vidmodel-c-2-mini', `${SEEDANCE_20}/mini`, SEEDANCE_20_LIMITS, '0.1547'),
  seedance('vidmodel-c-2.5', SEEDANCE_25, SEEDANCE_25_LIMITS, '0.473', { '1080p': '2.461' }),
  defineFalModel({
    task: 'video.edit',
    model: 'vidmodel-c-2.5',
    endpoint: `${SEEDANCE_25}/reference-to-video`,
    ...SEEDANCE_EDIT_DISPLAY,
    restrictions: EDIT_RULES,
    price: {
      unit: 'second',
      // 60 % of $0.473, for the source and again for the result.
      unit_price_usd: '0.5676',
      multipliers: { resolution: { '480p': SHARE_OF_480P, '1080p': '2.461' } },
      note: 'fal counts the seconds of the source and of the result.',
    },
    build: buildSeedanceEdit,
  }),
];
