import { EngineError, type ResolvedReference } from '../engine.ts';
import type { UpstreamJobOf } from '../upstream.ts';
import type { FilePlaceholder } from './request-parameters.ts';

/** The sizes that are documented, by our resolution; without one, 720p. */
const SIZES: Readonly<Record<string, { landscape: string; portrait: string }>> = {
  '720p': { landscape: '1280x720', portrait: '720x1280' },
  '1080p': { landscape: '1792x1024', portrait: '1024x1792' },
};

/** The parameters of the Videos API for our input of `video.create`. @throws {EngineError} for what it can't take */
export function buildVideoRequest(
  job: UpstreamJobOf<'video.create'>,
  fileOf: FilePlaceholder,
): Record<string, unknown> {
  const { prompt, aspect_ratio, duration_seconds, resolution = '720p' } = job.input;
  const [picture, ...others] = job.references;
  if (others.length > 0 || (picture && (picture.media.kind !== 'image' || picture.path === 'last_frame'))) {
    throw new EngineError('invalid_media', 'This engine takes one picture to start from, and no other references.');
  }
  return {
    prompt,
    seconds: String(duration_seconds),
    size: pickSize(aspect_ratio, resolution, picture),
    ...(picture ? { input_reference: fileOf(picture) } : {}),
  };
}

function pickSize(aspect_ratio: string, resolution: string, picture: ResolvedReference | undefined): string {
  const sizes = SIZES[resolution];
  if (!sizes) throw new EngineError('engine_failed', 'This engine makes videos only in 720p and 1080p.');
  if (aspect_ratio === '16:9') return sizes.landscape;
  if (aspect_ratio === '9:16') return sizes.portrait;
  if (aspect_ratio !== 'adaptive')
    throw new EngineError('engine_failed', 'This engine makes videos only in 16:9 and 9:16.');
  const { width, height } = picture?.media ?? {};
  return (width ?? 0) >= (height ?? 0) && picture ? sizes.landscape : sizes.portrait;
}

/** The parameters of the Videos API for our input of `video.edit`. @throws {EngineError} for what it can't take */
export function buildVideoEditRequest(
  job: UpstreamJobOf<'video.edit'>,
  fileOf: FilePlaceholder,
): Record<string, unknown> {
  const [video, ...others] = job.references;
  if (!video || video.path !== 'video' || others.length > 0) {
    throw new EngineError('invalid_media', 'This engine edits a video without other references.');
  }
  return { prompt: job.input.prompt, video: fileOf(video) };
}
