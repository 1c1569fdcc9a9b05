import { EngineError } from '#server/models/engine/engine.ts';
import { appendRoles } from '#server/models/providers/reference-reader.ts';
import { defineFalRequest } from './define-request.ts';
import { assertWithinLimits } from './media-limits.ts';

const OMNI = 'google/gemini-omni-flash/v1.1';
const OMNI_MAX_PROMPT = 20_000;
/** The form has no resolution. */
const OMNI_RESOLUTION = '720p';
const OMNI_VIDEO = { name: 'reference videos', seconds: [0, 3] } as const;

/** Fields: fal.ai/models/google/gemini-omni-flash/v1.1/…/llms.txt, read 2026-11-22. `duration` is a number there. */
export const buildOmniFlash = defineFalRequest<'video.create', 'omni-video' | 'omni-video-flash'>(
  (input, { readList, listUrls }) => {
    const images = readList('reference_images');
    const videos = readList('reference_video');
    assertWithinLimits('Gemini Omni Flash', videos, OMNI_VIDEO);
    const prompt = appendRoles(input.prompt, [
      ...images.map((image, index) => [`<IMAGE_REF_${index}>`, image] as const),
      ...videos.map((video, index) => [`<VIDEO_REF_${index}>`, video] as const),
    ]);
    if (Array.from(prompt).length > OMNI_MAX_PROMPT) {
      const limit = OMNI_MAX_PROMPT.toLocaleString('en-US');
      const message = `fal’s Gemini Omni Flash takes prompts of at most ${limit} characters, roles of references included.`;
      throw new EngineError('invalid_media', message);
    }
    const { aspect_ratio, duration_seconds: duration } = input;
    const body = { prompt, aspect_ratio, duration, resolution: OMNI_RESOLUTION };
    if (images.length + videos.length === 0) return { endpoint: `${OMNI}/text-to-video`, input: body };
    return {
      endpoint: `${OMNI}/reference-to-video`,
      input: {
        ...body,
        ...(images.length > 0 ? { image_urls: listUrls('reference_images') } : {}),
        ...(videos.length > 0 ? { reference_video_urls: listUrls('reference_video') } : {}),
      },
    };
  },
);

/** Fields: fal.ai/models/fal-ai/sync-lipsync/v3/llms.txt, read 2026-11-22. */
export const buildLipsync = defineFalRequest<'video.lipsync', 'lipsync-v3'>(({ sync_mode }, { findUrl }) => ({
  endpoint: 'fal-ai/sync-lipsync/v3',
  input: { video_url: findUrl('video'), audio_url: findUrl('audio'), sync_mode },
}));
