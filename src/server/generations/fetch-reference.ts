import type { Deps } from '#server/deps.ts';
import type { DecodeOptions } from '#server/media/decode-queue.ts';
import { type MediaFileInfo, probeFile } from '#server/media/probe-file.ts';

export type FetchReferenceDeps = Pick<Deps, 'config' | 'fetcher' | 'media'>;

/**
 * Fetches a reference from elsewhere into a new file and finds out what it really is.
 * @param options.download_signal ends the download; `signal` ends what follows
 * @throws {OutboundError} where it can't be fetched
 * @throws {MediaError} where it is no accepted medium
 */
export async function fetchReference(
  { config, fetcher, media }: FetchReferenceDeps,
  url: string,
  file: string,
  { download_signal, ...options }: DecodeOptions & { download_signal: AbortSignal },
): Promise<MediaFileInfo> {
  const limits = { max_bytes: config.max_reference_bytes, timeout_ms: config.reference_timeout_seconds * 1000 };
  await fetcher.download(url, file, { ...limits, signal: download_signal });
  return probeFile(media, file, options);
}
