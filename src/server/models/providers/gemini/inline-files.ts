import { readFile } from 'node:fs/promises';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';

// Requests may have 100 MB (“Increased file size limits”, blog.google, read 2026-11-23), and base64 needs a third more.
const MAX_BYTES = 70_000_000;

/** Types that both APIs take, by ours. https://ai.google.dev/gemini-api/docs/image-understanding, read 2026-11-23 */
const MIME_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/mov',
  'video/webm': 'video/webm',
};

export interface InlineFile {
  mime_type: string;
  data: string;
}

/** Reads references for a request, in order. @throws {EngineError} for an unsupported type or too many bytes */
export async function readInlineFiles(references: readonly ResolvedReference[]): Promise<InlineFile[]> {
  const sizeBytes = references.reduce((sum, { media }) => sum + media.size_bytes, 0);
  if (sizeBytes > MAX_BYTES)
    throw new EngineError('invalid_media', 'Google takes references of at most 70 MB together.');
  const files: InlineFile[] = [];
  for (const { media, file } of references) {
    const mimeType = MIME_TYPES[media.mime_type];
    if (mimeType === undefined)
      throw new EngineError(
        'invalid_media',
        media.kind === 'image'
          ? 'Google takes images as PNG, JPEG or WebP only.'
          : 'Google takes videos as MP4, MOV or WebM only.',
      );
    files.push({ mime_type: mimeType, data: await readFile(file, 'base64') });
  }
  return files;
}
