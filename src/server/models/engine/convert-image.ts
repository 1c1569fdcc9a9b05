import { rename, rm, writeFile } from 'node:fs/promises';
import type { OriginMark } from '#contract/resources/media.ts';
import { abortOnSignal } from '#server/platform/core/abort-on-signal.ts';
import { carryMarks } from '#server/platform/media/marks/carry-marks.ts';

export type ImageFormat = 'png' | 'jpeg';

/**
 * Rewrites images in a format; the runner rejects a file that is no image.
 * @returns marks of origin that a rewritten image does not have
 * @throws the signal's reason when aborted
 */
export async function convertImages(
  files: readonly string[],
  format: ImageFormat,
  signal: AbortSignal,
): Promise<OriginMark[]> {
  const lost = new Set<OriginMark>();
  for (const file of files) for (const mark of await convertImage(file, format, signal)) lost.add(mark);
  return [...lost];
}

async function convertImage(file: string, format: ImageFormat, signal: AbortSignal): Promise<OriginMark[]> {
  const converted = await abortOnSignal(encode(file, format), signal);
  if (!converted) return [];
  const source = `${file}.source`;
  await rename(file, source);
  try {
    await writeFile(file, converted.image, { signal });
    return [...(await carryMarks([source], file)), ...(converted.has_lost_iptc ? (['iptc'] as const) : [])];
  } finally {
    await rm(source, { force: true });
  }
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
    const has_lost_iptc = metadata.iptc !== undefined && (await sharp(converted).metadata()).iptc === undefined;
    return { image: converted, has_lost_iptc };
  } catch {
    return null;
  }
}
