import * as z from 'zod/mini';
import { EngineError } from '../engine.ts';
import type { UpstreamOutput } from '../save-outputs.ts';
import type { UpstreamHttp } from '../upstream-http.ts';
import type { VideoContent } from './interaction-schema.ts';

const fileSchema = z.object({ state: z.nullish(z.string()) });

/**
 * Finds where a video can be downloaded.
 * @returns null while the Files API still processes it
 * @throws {EngineError} if processing failed; what `requestJson` throws
 */
export async function prepareFile(
  http: UpstreamHttp,
  video: VideoContent,
  signal: AbortSignal,
): Promise<UpstreamOutput | null> {
  if ('base64' in video) return video;
  const [, name] = /\/(files\/[\w-]{1,100})(?:[:?].*)?$/.exec(video.uri) ?? [];
  if (name === undefined) return { url: video.uri };
  const { data } = fileSchema.safeParse(await http.requestJson(`/${name}`, { signal }));
  if (data?.state === 'PROCESSING') return null;
  if (data?.state === 'FAILED') throw new EngineError('engine_failed', 'The provider could not prepare the video.');
  return { url: `/${name}:download?alt=media` };
}
