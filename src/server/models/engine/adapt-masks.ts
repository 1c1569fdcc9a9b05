import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { saveMask } from '#server/platform/media/picture-jobs.ts';
import type { ResolvedReference } from './engine.ts';

/**
 * Returns the references of a job with its masks as the model reads them, as PNG files in `folder`; the preview reads them
 * as they are stored. Decision: Masks
 * @throws {MediaError} when one can't be read; the signal's reason when aborted
 */
export const adaptMasks = (
  tools: MediaTools,
  references: readonly ResolvedReference[],
  folder: string,
  options: DecodeOptions,
): Promise<ResolvedReference[]> =>
  Promise.all(
    references.map(async (reference, index) => {
      if (!reference.mask) return reference;
      const file = path.join(folder, `mask-${index}.png`);
      const size = await saveMask(tools, reference.file, { file, from: 'white', to: reference.mask.polarity }, options);
      const { size: size_bytes } = await stat(file);
      const media = { ...reference.media, ...size, size_bytes, mime_type: 'image/png', extension: 'png' };
      return { ...reference, file, media };
    }),
  );
