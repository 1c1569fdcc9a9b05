import sharp, { type OutputInfo } from 'sharp';
import { invalidMedia } from './media-error.ts';
import { MAX_IMAGE_PIXELS } from './probe-image.ts';

const SECONDS = 30;
/** A narrow strip is bounded by its height. */
const HEIGHT_PER_WIDTH = 3;

/**
 * A small WebP of a picture: turned upright, see-through where it is, of an animation the first frame, never enlarged.
 * @param width at most
 * @returns size in pixels
 * @throws {MediaError} when it can't be read
 */
export async function shrinkImage(
  file: string,
  output: string,
  width: number,
): Promise<Pick<OutputInfo, 'width' | 'height'>> {
  try {
    return await sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS, sequentialRead: true })
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width, height: width * HEIGHT_PER_WIDTH, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80, alphaQuality: 90, smartSubsample: true })
      .toFile(output);
  } catch (error) {
    throw invalidMedia('No small copy of the picture could be made.', error);
  }
}
