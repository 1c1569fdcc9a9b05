import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { probeFile, type MediaFileInfo } from '#server/platform/media/probe-file.ts';

/**
 * @param options.owner the key that sent it @throws the signal's reason if aborted
 * @throws {ApiError} 400 `invalid_media_upload` with the reason; 503 `service_unavailable` if the decoder is busy
 */
export async function probeUpload(
  { media }: Deps,
  file: string,
  options: { owner: string; signal?: AbortSignal },
): Promise<MediaFileInfo> {
  try {
    return await probeFile(media, file, { ...options, isRequest: true });
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    if (error.code === 'busy') throw mediaBusyError(error);
    throw new ApiError('invalid_media_upload', error.message, { cause: error });
  }
}
