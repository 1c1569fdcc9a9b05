import { writeFile } from 'node:fs/promises';
import { abortOnSignal } from '#server/core/abort-on-signal.ts';

export type ImageFormat = 'png' | 'jpeg';

/**
 * Rewrites an image in a format; the runner rejects a file that is no image. @throws the signal's reason when aborted
 */
export async function convertImage(file: string, format: ImageFormat, signal: AbortSignal): Promise<void> {
  const converted = await abortOnSignal(encode(file, format), signal);
  if (converted) await writeFile(file, converted, { signal });
}

async function encode(file: string, format: ImageFormat): Promise<Buffer | null> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(file);
    const metadata = await image.metadata();
    if (metadata.format === format) return null;
    const upright = image.keepMetadata();
    return await (
      format === 'jpeg'
        ? upright.flatten({ background: '#fff' }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
        : upright.png()
    ).toBuffer();
  } catch {
    return null;
  }
}
