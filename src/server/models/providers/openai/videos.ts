import * as z from 'zod/mini';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import type { Mapping } from '#server/models/engine/mapping/mapping.ts';
import { saveOutputs } from '#server/models/engine/save-outputs.ts';
import { isNotFoundError, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  type PolledJob,
  unreadableResponseError,
  type UpstreamEngineJob,
  type UpstreamHandle,
  type UpstreamJobOf,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import { videoError } from './openai-errors.ts';
import { buildBody, buildParameters, type FilePlaceholder } from './request-parameters.ts';

export interface VideosOptions {
  model: string;
  request?: Mapping | undefined;
  max_output_bytes: number;
}

const UPLOAD_TIMEOUT_MS = 10 * 60_000;

const videoResource = z.object({
  id: z.string().check(z.regex(/^[\w-]{1,200}$/)),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  progress: z.nullish(z.number()),
  error: z.nullish(z.object({ code: z.string(), message: z.string() })),
});
type Video = z.infer<typeof videoResource>;

const handleSchema = z.object({ video_id: z.string() });

export async function submitVideo(
  http: UpstreamHttp,
  options: VideosOptions,
  job: UpstreamEngineJob,
  build: (nameReference: FilePlaceholder) => Record<string, unknown>,
  path: '/videos' | '/videos/edits' = '/videos',
): Promise<UpstreamState> {
  const { values, files } = await buildParameters(job, options.request, build);
  const response = await http.requestJson(path, {
    method: 'POST',
    ...(await buildBody({ values: path === '/videos' ? { model: options.model, ...values } : values, files })),
    signal: job.signal,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  const video = parseVideo(response);
  if (video.status === 'failed') throw videoError(video.error ?? null, http.redact);
  return acceptedState(video);
}

/** @throws {EngineError} {UpstreamBusyError} {ResponseLostError} */
export async function pollVideo(
  http: UpstreamHttp,
  { max_output_bytes }: Pick<VideosOptions, 'max_output_bytes'>,
  job: PolledJob,
  handle: UpstreamHandle,
): Promise<UpstreamState> {
  const path = videoPath(handle);
  let video: Video;
  try {
    video = parseVideo(await http.requestJson(path, { signal: job.signal }));
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
    return { status: 'unclear', reason: 'The provider no longer has this video.', result: null };
  }
  if (video.status === 'failed') throw videoError(video.error ?? null, http.redact);
  if (video.status !== 'completed') return acceptedState(video);
  const files = await saveOutputs(http, [{ url: `${path}/content` }], job, max_output_bytes);
  return { status: 'succeeded', result: { files, data: null }, cost_micro_usd: null };
}

/** OpenAI only deletes completed videos; compatible services may cancel a deleted job, else it continues. */
export async function cancelVideo(http: UpstreamHttp, handle: UpstreamHandle, signal: AbortSignal): Promise<void> {
  const path = videoPath(handle);
  try {
    const { status } = parseVideo(await http.requestJson(path, { signal }));
    if (status === 'queued' || status === 'in_progress') await http.requestVoid(path, { method: 'DELETE', signal });
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'engine_failed')) throw error;
  }
}

const acceptedState = ({ id, progress }: Video): UpstreamState => ({
  status: 'accepted',
  handle: { video_id: id },
  progress: typeof progress === 'number' ? Math.min(1, Math.max(0, progress / 100)) : null,
});

function parseVideo(response: unknown): Video {
  const { data, error } = videoResource.safeParse(response);
  if (data) return data;
  throw unreadableResponseError(error);
}

const videoPath = (handle: UpstreamHandle): string =>
  `/videos/${encodeURIComponent(handleSchema.parse(handle).video_id)}`;

const SIZES: Readonly<Record<string, { landscape: string; portrait: string }>> = {
  '720p': { landscape: '1280x720', portrait: '720x1280' },
  '1080p': { landscape: '1792x1024', portrait: '1024x1792' },
};

/** @throws {EngineError} for unsupported input */
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

function videoSize(aspectRatio: string, resolution: string, startImage: ResolvedReference | undefined): string {
  const sizes = SIZES[resolution];
  if (!sizes) throw new EngineError('engine_failed', 'This provider creates videos only in 720p and 1080p.');
  if (aspectRatio === '16:9') return sizes.landscape;
  if (aspectRatio === '9:16') return sizes.portrait;
  if (aspectRatio !== 'adaptive')
    throw new EngineError('engine_failed', 'This provider creates videos only in 16:9 and 9:16.');
  const { width, height } = startImage?.media ?? {};
  return (width ?? 0) >= (height ?? 0) && startImage ? sizes.landscape : sizes.portrait;
}

/** @throws {EngineError} for unsupported input */
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
