import { EngineError, type ResolvedReference } from '../engine.ts';
import type { UpstreamJobOf } from '../upstream.ts';
import type { FilePlaceholder } from './request-parameters.ts';

const SIZES: Readonly<Record<string, { landscape: string; portrait: string }>> = {
  '720p': { landscape: '1280x720', portrait: '720x1280' },
  '1080p': { landscape: '1792x1024', portrait: '1024x1792' },
};

/**
 * Translates an input of `video.create` to parameters of the Videos API. @throws {EngineError} for unsupported input
 */
export function buildVideoRequest(
  job: UpstreamJobOf<'video.create'>,
  nameReference: FilePlaceholder,
): Record<string, unknown> {
  const { prompt, aspect_ratio, duration_seconds, resolution = '720p' } = job.input;
  const [start_image, ...others] = job.references;
  if (others.length > 0 || (start_image && (start_image.media.kind !== 'image' || start_image.path === 'last_frame'))) {
    throw new EngineError('invalid_media', 'This provider accepts one start image and no other references.');
  }
  return {
    prompt,
    seconds: String(duration_seconds),
    size: videoSize(aspect_ratio, resolution, start_image),
    ...(start_image ? { input_reference: nameReference(start_image) } : {}),
  };
}

function videoSize(aspect_ratio: string, resolution: string, start_image: ResolvedReference | undefined): string {
  const sizes = SIZES[resolution];
  if (!sizes) throw new EngineError('engine_failed', 'This provider creates videos only in 720p and 1080p.');
  if (aspect_ratio === '16:9') return sizes.landscape;
  if (aspect_ratio === '9:16') return sizes.portrait;
  if (aspect_ratio !== 'adaptive')
    throw new EngineError('engine_failed', 'This provider creates videos only in 16:9 and 9:16.');
  const { width, height } = start_image?.media ?? {};
  return (width ?? 0) >= (height ?? 0) && start_image ? sizes.landscape : sizes.portrait;
}

/** Translates an input of `video.edit` to parameters of the Videos API. @throws {EngineError} for unsupported input */
export function buildVideoEditRequest(
  job: UpstreamJobOf<'video.edit'>,
  nameReference: FilePlaceholder,
): Record<string, unknown> {
  const [video, ...others] = job.references;
  if (!video || video.path !== 'video' || others.length > 0) {
    throw new EngineError('invalid_media', 'This provider accepts no references besides the video to edit.');
  }
  return { prompt: job.input.prompt, video: nameReference(video) };
}
