import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { DecodeOptions } from '#server/platform/media/decode-queue.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { saveMask, savePixels } from '#server/platform/media/picture-jobs.ts';
import { readHeader } from '#server/platform/media/probe-image.ts';
import type { ResolvedReference } from './engine.ts';

/**
 * Returns the references of a job with its masks as the model reads them, as files in `folder`; the preview reads them as
 * they are stored. Masked pictures are turned upright, because not every provider applies the orientation of a file.
 * Decision: Masks
 * @throws {MediaError} when one can't be read; the signal's reason when aborted
 */
export function adaptMasks(
  tools: MediaTools,
  references: readonly ResolvedReference[],
  folder: string,
  options: DecodeOptions,
): Promise<ResolvedReference[]> {
  const masked = new Set(references.map(({ mask }) => mask?.of));
  return Promise.all(
    references.map(async (reference, index) => {
      const { path: at, file, mask, media } = reference;
      const output = path.join(folder, `adapted-${index}.png`);
      if (mask) await saveMask(tools, file, { file: output, from: 'white', to: mask.polarity }, options);
      else if (!masked.has(at) || (await readHeader(tools, file, options)).is_upright) return reference;
      else {
        const shape = { width: media.width ?? 1, height: media.height ?? 1, fit: 'inside' } as const;
        await savePixels(tools, file, { file: output, encoding: 'png', shape }, options);
      }
      const { size: size_bytes } = await stat(output);
      return { ...reference, file: output, media: { ...media, size_bytes, mime_type: 'image/png', extension: 'png' } };
    }),
  );
}
