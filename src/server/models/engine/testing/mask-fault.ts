import sharp from 'sharp';
import type { MaskSpec } from '#contract/task.ts';

/** What the documentation of a fake's model says of a mask. */
export interface FakeMask {
  /** Names of the inputs. */
  mask: string;
  picture: string;
  polarity: MaskSpec['polarity'];
}

export type MaskFault = 'unreadable' | 'size' | 'polarity';

/** How much a pixel changes, from 0 to 255. */
const CHANGE: Readonly<Record<MaskSpec['polarity'], (red: number, alpha: number) => number>> = {
  white: (red) => red,
  black: (red) => 255 - red,
  transparent: (_red, alpha) => 255 - alpha,
};

const readSize = async (file: Buffer) => {
  const { width, height, hasAlpha } = await sharp(file).metadata();
  return { width, height, hasAlpha };
};

/**
 * What is wrong with a mask, by what a model documents; null: nothing. A fake can't know what a person painted: tests
 * never mask the last pixel of a picture, so that one which changes says that the mask is the wrong way round.
 */
export async function findMaskFault(
  mask: Buffer,
  picture: Buffer | undefined,
  polarity: MaskSpec['polarity'],
): Promise<MaskFault | null> {
  const size = await readSize(mask).catch(() => null);
  if (!size) return 'unreadable';
  const wanted = picture && (await readSize(picture).catch(() => null));
  if (wanted && (wanted.width !== size.width || wanted.height !== size.height)) return 'size';
  if (polarity === 'transparent' && !size.hasAlpha) return 'polarity';
  const pixels = await sharp(mask).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const changeAt = (at: number): number => CHANGE[polarity](pixels[at] ?? 0, pixels[at + 3] ?? 0);
  if (changeAt(pixels.length - 4) > 127) return 'polarity';
  for (let at = 0; at < pixels.length; at += 4) if (changeAt(at) > 0) return null;
  return 'polarity';
}
