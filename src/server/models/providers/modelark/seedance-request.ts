import { asInputOf } from '#contract/task-input.ts';
import type { ModelArkContent, ModelArkVideoRequest } from './modelark-requests.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { appendRoles, createReferenceReader, type ReferenceReader } from '#server/models/providers/reference-reader.ts';
import {
  assertAudioHasCompany,
  readSeedanceReferences,
  type SeedanceInput,
  type SeedanceModelId,
  toSeedanceResolution,
} from '#server/models/providers/seedance.ts';
import { assertTotalSize, toDataUrl, toPublicUrl } from './inline-file.ts';

type VideoRequest = Omit<ModelArkVideoRequest, 'execution_expires_after' | 'watermark'>;

const SEEDANCE_25 = 'dreamina-seedance-2-5-260628';
export const SEEDANCE_IDS: Record<SeedanceModelId, string> = {
  'vidmodel-c-2': 'dreamina-seedance-2-0-260128',
  'vidmodel-c-2-fast': 'dreamina-seedance-2-0-fast-260128',
  'vidmodel-c-2-mini': 'dreamina-seedance-2-0-mini-260615',
  'vidmodel-c-2.5': SEEDANCE_25,
};

/**
 * Builds a request of `video.create`. Fields: docs.byteplus.com/en/docs/ModelArk/1520757 (read 2026-11-23). The 2.0 mini
 * takes reference videos and audio as well: docs.comfy.org/built-in-nodes/ByteDance2ReferenceNodeV2 and
 * docs.comfy.org/catalog/models/bytedance/dreamina-seedance-2-0-mini (read 2026-11-28).
 */
export async function buildCreateRequest(model: SeedanceModelId, job: UpstreamEngineJob): Promise<VideoRequest> {
  const input = asInputOf('video.create', job.input) as SeedanceInput;
  const reader = createReferenceReader(job);
  const frames = await readFrames(reader);
  const references = readReferences(reader, []);
  reader.assertAllRead();
  assertTotalSize(job.references.filter(({ media }) => media.kind !== 'video'));
  const is25 = model === 'vidmodel-c-2.5';
  if (!is25) assertAudioHasCompany(references);
  const content = await references.toContent();
  return {
    model: SEEDANCE_IDS[model],
    content: [textItem(input.prompt, references.named), ...frames, ...content],
    resolution: toSeedanceResolution(input.resolution),
    ratio: input.aspect_ratio,
    duration: input.duration_seconds,
    generate_audio: input.generate_audio,
    ...(is25 && content.length > 0 ? { omni_reference_task_type: 'reference' } : {}),
  };
}

/** Builds a request of `video.edit`, whose source is the first video. Length and shape are those of the source. */
export async function buildEditRequest(job: UpstreamEngineJob): Promise<VideoRequest> {
  const input = asInputOf('video.edit', job.input);
  const reader = createReferenceReader(job);
  const references = readReferences(reader, reader.readList('video'));
  reader.assertAllRead();
  assertTotalSize(job.references.filter(({ media }) => media.kind !== 'video'));
  return {
    model: SEEDANCE_25,
    content: [textItem(input.prompt, references.named), ...(await references.toContent())],
    resolution: input.resolution,
    ratio: 'adaptive',
    duration: -1,
    generate_audio: input.generate_audio,
    omni_reference_task_type: 'edit',
  };
}

const textItem = (prompt: string, named: Parameters<typeof appendRoles>[1]): ModelArkContent => ({
  type: 'text',
  text: appendRoles(prompt, named),
});

async function readFrames(reader: ReferenceReader): Promise<ModelArkContent[]> {
  const items: ModelArkContent[] = [];
  for (const role of ['first_frame', 'last_frame'] as const) {
    const frame = reader.readOne(role);
    if (frame) items.push({ type: 'image_url', image_url: { url: await toDataUrl(frame, 'image') }, role });
  }
  return items;
}

/** Prompts call them “Image 1”, “Video 1”, “Audio 1”. */
function readReferences(reader: ReferenceReader, source: readonly ResolvedReference[]) {
  const references = readSeedanceReferences(reader, source, (kind, number) => `${kind} ${number}`);
  const { images, videos, audio } = references;
  return {
    ...references,
    toContent: (): Promise<ModelArkContent[]> =>
      Promise.all([
        ...images.map(async (image): Promise<ModelArkContent> => ({
          type: 'image_url',
          image_url: { url: await toDataUrl(image, 'image') },
          role: 'reference_image',
        })),
        ...videos.map(async (video): Promise<ModelArkContent> => ({
          type: 'video_url',
          video_url: { url: toPublicUrl(video) },
          role: 'reference_video',
        })),
        ...audio.map(async (sound): Promise<ModelArkContent> => ({
          type: 'audio_url',
          audio_url: { url: await toDataUrl(sound, 'audio') },
          role: 'reference_audio',
        })),
      ]),
  };
}
