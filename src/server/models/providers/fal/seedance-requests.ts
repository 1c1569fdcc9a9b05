import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { BuildFalRequest } from './fal-request.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import { toSeedanceResolution } from '#server/models/providers/seedance-references.ts';
import { assertAudioHasCompany } from '#server/models/providers/seedance-rules.ts';
import { defineFalRequest, type FalReferences } from './define-request.ts';
import { assertWithinLimits } from './media-limits.ts';
import { SEEDANCE_25_LIMITS, type SeedanceLimits } from './seedance-limits.ts';

type SeedanceModel = 'vidmodel-c-2' | 'vidmodel-c-2-fast' | 'vidmodel-c-2-mini' | 'vidmodel-c-2.5';

/**
 * Fields: fal.ai/models/bytedance/seedance-2.0/…/llms.txt and …/seedance-2.5/…, read 2026-11-23. `duration` is text there.
 * @param base `bytedance/seedance-2.0`
 */
export const buildSeedance = (base: string, limits: SeedanceLimits): BuildFalRequest =>
  defineFalRequest<'video.create', SeedanceModel>((input, references) => {
    const { aspect_ratio, resolution } = input;
    const body = {
      duration: String(input.duration_seconds),
      aspect_ratio: aspect_ratio === 'adaptive' ? 'auto' : aspect_ratio,
      resolution: toSeedanceResolution(resolution),
      generate_audio: input.generate_audio,
    };
    const { prompt } = input;
    const image_url = references.findUrl('first_frame');
    if (image_url !== undefined) {
      const frames = ['first_frame', 'last_frame'].flatMap(references.readList);
      assertWithinLimits(limits.name, frames, limits.frames);
      const end_image_url = references.findUrl('last_frame');
      const urls = end_image_url === undefined ? { image_url } : { image_url, end_image_url };
      return { endpoint: `${base}/image-to-video`, input: { prompt, ...body, ...urls } };
    }
    const media = readMedia(references, limits, []);
    if (media.count === 0) return { endpoint: `${base}/text-to-video`, input: { prompt, ...body } };
    const task = limits === SEEDANCE_25_LIMITS ? { task: 'reference' } : {};
    const described = appendRoles(prompt, media.named);
    return {
      endpoint: `${base}/reference-to-video`,
      input: { prompt: described, ...body, ...task, ...media.urls },
    };
  });

/** The source is the first video. Length and shape are those of the source. */
export const buildSeedanceEdit = defineFalRequest<'video.edit', 'vidmodel-c-2.5'>((input, references) => {
  const media = readMedia(references, SEEDANCE_25_LIMITS, ['video']);
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
function readMedia(
  { readList, listUrls }: FalReferences,
  { name, images, videos, audio, max_files }: SeedanceLimits,
  sources: readonly string[],
) {
  const lists = [
    { field: 'image_urls', label: '@Image', from: ['reference_images'], limits: images },
    { field: 'video_urls', label: '@Video', from: [...sources, 'reference_videos'], limits: videos },
    { field: 'audio_urls', label: '@Audio', from: ['reference_audio'], limits: audio },
  ].map((list) => ({ ...list, references: list.from.flatMap(readList) }));
  for (const list of lists) assertWithinLimits(name, list.references, list.limits);
  const [image_count = 0, video_count = 0, audio_count = 0] = lists.map((list) => list.references.length);
  assertAudioHasCompany({ images: image_count, videos: video_count, audio: audio_count });
  const count = image_count + video_count + audio_count;
  if (count > max_files)
    throw new EngineError('invalid_media', `fal’s ${name} takes at most ${max_files} references in total.`);
  return {
    count,
    named: lists.flatMap(({ label, references }) =>
      references.map((reference, index): [string, ResolvedReference] => [`${label}${index + 1}`, reference]),
    ),
    urls: Object.fromEntries(
      lists.flatMap(({ field, from, references }) =>
        references.length === 0 ? [] : [[field, from.flatMap(listUrls)]],
      ),
    ),
  };
}
