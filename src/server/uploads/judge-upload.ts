import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { MediaError } from '../media/media-error.ts';
import { probeFile, type MediaInfo } from '../media/probe.ts';

/**
 * What a received file really is.
 * @throws {ApiError} 400 `invalid_media_upload` with the reason in words; the signal's reason when aborted
 */
export async function judgeUpload(
  { media }: Pick<Deps, 'media'>,
  file: string,
  signal?: AbortSignal,
): Promise<MediaInfo> {
  try {
    return await probeFile(media, file, { signal });
  } catch (error) {
    if (error instanceof MediaError) throw new ApiError('invalid_media_upload', error.message, { cause: error });
    throw error;
  }
}
