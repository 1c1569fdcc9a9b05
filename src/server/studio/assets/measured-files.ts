import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';

/** Enough for what is used soon after it is stored, such as by the next step of a workflow. */
const MAX_FILES = 500;

const measured = new Map<string, MediaFileInfo>();

/** Remembers what a stored file is, since it never changes: measuring a video starts three processes. */
export function rememberMeasured(storage_key: string, media: MediaFileInfo): void {
  measured.delete(storage_key);
  measured.set(storage_key, media);
  const [oldest] = measured.keys();
  if (measured.size > MAX_FILES && oldest !== undefined) measured.delete(oldest);
}

export const findMeasured = (storage_key: string): MediaFileInfo | undefined => measured.get(storage_key);
