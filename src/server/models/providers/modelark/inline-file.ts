import { readFile } from 'node:fs/promises';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';

const MB = 1_000_000;
/** Of one file: docs.byteplus.com/en/docs/ModelArk/1520757 and /1541523 (read 2026-11-23). */
const MAX_BYTES = { image: 30 * MB, audio: 15 * MB } as const;
/** A request may have 64 MB, of which base64 takes four thirds of the files. */
const MAX_TOTAL_BYTES = 47 * MB;

/** Types as ModelArk spells them: it rejects `audio/mpeg`. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/webp': 'image/webp',
  'image/gif': 'image/gif',
};
const AUDIO_TYPES: Readonly<Record<string, string>> = { 'audio/mpeg': 'audio/mp3', 'audio/wav': 'audio/wav' };
const VIDEO_TYPES = ['video/mp4', 'video/quicktime'];

/** @throws {EngineError} for a file that ModelArk does not take */
export async function toDataUrl(reference: ResolvedReference, kind: 'image' | 'audio'): Promise<string> {
  const { mime_type, size_bytes } = reference.media;
  const type = (kind === 'image' ? IMAGE_TYPES : AUDIO_TYPES)[mime_type];
  if (type === undefined)
    throw new EngineError(
      'invalid_media',
      kind === 'image'
        ? 'BytePlus ModelArk takes JPEG, PNG, WebP and GIF images.'
        : 'BytePlus ModelArk takes MP3 and WAV audio.',
    );
  if (size_bytes > MAX_BYTES[kind])
    throw new EngineError('invalid_media', `BytePlus ModelArk takes ${kind} files up to ${MAX_BYTES[kind] / MB} MB.`);
  return `data:${type};base64,${await readFile(reference.file, 'base64')}`;
}

/** @throws {EngineError} if the files do not fit into one request */
export function assertTotalSize(references: readonly ResolvedReference[]): void {
  const total = references.reduce((sum, { media }) => sum + media.size_bytes, 0);
  if (total > MAX_TOTAL_BYTES)
    throw new EngineError(
      'invalid_media',
      `BytePlus ModelArk takes references of ${MAX_TOTAL_BYTES / MB} MB in total.`,
    );
}

/** ModelArk fetches videos itself: a request cannot contain them. @throws {EngineError} */
export function toPublicUrl({ url, media }: ResolvedReference): string {
  if (!VIDEO_TYPES.includes(media.mime_type))
    throw new EngineError('invalid_media', 'BytePlus ModelArk takes MP4 and MOV videos.');
  if (!url.startsWith('https://'))
    throw new EngineError('invalid_media', 'BytePlus ModelArk fetches videos itself and needs a public https address.');
  return url;
}
