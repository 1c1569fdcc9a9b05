import type { Deps } from '#server/platform/deps.ts';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';

/**
 * Downloads an external reference into a new file and probes it.
 * @param options.downloadSignal aborts the download; `signal` aborts the probe
 * @throws {OutboundError} if the download fails
 * @throws {MediaError} if the file is not an accepted medium
 */
export async function fetchReference(
  { config, fetcher, media }: Deps,
  url: string,
  file: string,
  { downloadSignal, ...options }: DecodeOptions & { downloadSignal: AbortSignal },
): Promise<MediaFileInfo> {
  const limits = { maxBytes: config.maxReferenceBytes, timeoutMs: config.referenceTimeoutSeconds * 1000 };
  await fetcher.download(url, file, { ...limits, signal: downloadSignal });
  return probeFile(media, file, options);
}
