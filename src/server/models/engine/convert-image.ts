import { rename, writeFile } from 'node:fs/promises';
import type { OriginMark } from '#contract/resources/media.ts';
import { abortOnSignal } from '#server/platform/core/process/abort-on-signal.ts';
import { carryXmp } from '#server/platform/media/marks/carry-xmp.ts';
import type { EngineResult } from './engine.ts';

export type ImageFormat = 'png' | 'jpeg';

/**
 * Rewrites images in a format; the runner rejects a file that is no image.
 * @returns the marks of origin that a rewritten image does not have; `originals` beside the images, which keep theirs
 * @throws the signal's reason when aborted
 */
export async function convertImages(
  files: readonly string[],
  format: ImageFormat,
  signal: AbortSignal,
): Promise<Required<Pick<EngineResult, 'lost_marks' | 'originals'>>> {
  const lost = new Set<OriginMark>();
  const originals: (string | null)[] = [];
  for (const file of files) {
    const converted = await convertImage(file, format, signal);
    for (const mark of converted?.lost_marks ?? []) lost.add(mark);
    originals.push(converted?.original ?? null);
  }
  return { lost_marks: [...lost], originals };
}

/** @returns null if the image has that format already */
async function convertImage(
  file: string,
  format: ImageFormat,
  signal: AbortSignal,
): Promise<{ original: string; lost_marks: OriginMark[] } | null> {
  const converted = await abortOnSignal(encode(file, format), signal);
  if (!converted) return null;
  const original = `${file}.source`;
  await rename(file, original);
  await writeFile(file, converted.image, { signal });
  const lostXmp = await carryXmp([original], file);
  return {
    original,
    lost_marks: [...(lostXmp ? (['xmp'] as const) : []), ...(converted.has_lost_iptc ? (['iptc'] as const) : [])],
  };
}

async function encode(file: string, format: ImageFormat): Promise<{ image: Buffer; has_lost_iptc: boolean } | null> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(file);
    const metadata = await image.metadata();
    if (metadata.format === format) return null;
    const upright = image.keepMetadata();
    const converted = await (
      format === 'jpeg'
        ? upright.flatten({ background: '#fff' }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
        : upright.png()
    ).toBuffer();
    const hasLostIptc = metadata.iptc !== undefined && (await sharp(converted).metadata()).iptc === undefined;
    return { image: converted, has_lost_iptc: hasLostIptc };
  } catch {
    return null;
  }
}
