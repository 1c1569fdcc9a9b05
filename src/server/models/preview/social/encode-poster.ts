import sharp, { type Sharp } from 'sharp';

const CLIP_FRAMES = 24;
const CLIP_FPS = 12;

interface Size {
  width: number;
  height: number;
}

export const encodePoster = (picture: Sharp): Promise<Buffer> => picture.webp({ quality: 74 }).toBuffer();

/** Moves towards the middle and back for two seconds, so that the loop has no jump. */
export async function animatePoster(picture: Sharp, { width, height }: Size): Promise<Buffer> {
  const frames = await Promise.all(
    Array.from({ length: CLIP_FRAMES }, (_, index) => moveTowards(picture, { width, height }, index / CLIP_FRAMES)),
  );
  const loop = [...frames, ...frames.slice(1, -1).toReversed()];
  const raw = { width, height: height * loop.length, channels: 3 as const, pageHeight: height };
  const delay = loop.map(() => Math.round(1000 / CLIP_FPS));
  return sharp(Buffer.concat(loop), { raw }).webp({ quality: 60, effort: 2, loop: 0, delay }).toBuffer();
}

/** @param share 0: the whole picture, 1: its inner nine tenths */
function moveTowards(picture: Sharp, { width, height }: Size, share: number): Promise<Buffer> {
  const left = Math.round(0.05 * share * width);
  const top = Math.round(0.05 * share * height);
  const inner = { left, top, width: width - 2 * left, height: height - 2 * top };
  return picture.clone().extract(inner).resize(width, height).raw().toBuffer();
}
