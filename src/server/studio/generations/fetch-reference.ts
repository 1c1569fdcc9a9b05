import type { Deps } from '#server/platform/deps.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';

/**
 * Downloads an external reference into a new file and probes it.
 * @param options.download_signal aborts the download; `signal` aborts the probe
 * @throws {OutboundError} if the download fails
 * @throws {MediaError} if the file is not an accepted medium
 */
export async function fetchReference(
  { config, fetcher, media }: Deps,
  url: string,
  file: string,
  { download_signal, ...options }: DecodeOptions & { download_signal: AbortSignal },
): Promise<MediaFileInfo> {
  const limits = { max_bytes: config.max_reference_bytes, timeout_ms: config.reference_timeout_seconds * 1000 };
  await fetcher.download(url, file, { ...limits, signal: download_signal });
  return probeFile(media, file, options);
}
