import { createRandom } from '../random.ts';
import { bitmap, createScratch, type Bitmap, type Ctx } from './stage.ts';

const TILE_PX = 256;
let tile: Bitmap | undefined;
const smallScratch = createScratch();
const blurScratch = createScratch();

function grainTile(): Bitmap {
  if (tile) return tile;
  const random = createRandom(20);
  const { canvas, ctx } = bitmap(TILE_PX, TILE_PX);
  const image = ctx.createImageData(TILE_PX, TILE_PX);
  for (let index = 0; index < image.data.length; index += 4) {
    const value = 128 + (random.next() + random.next() + random.next() - 1.5) * 105;
    image.data[index] = value;
    image.data[index + 1] = value;
    image.data[index + 2] = value;
    image.data[index + 3] = 255;
  }
  ctx.putImageData(image, 0, 0);
  tile = canvas;
  return tile;
}

/** @param shift moves the grain, so that it differs between the frames of a clip */
export function grain(ctx: Ctx, strength: number, size_px: number, shift = 0): void {
  const pattern = ctx.createPattern(grainTile(), 'repeat');
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'soft-light';
  ctx.globalAlpha = strength;
  const offset = (shift * 97) % TILE_PX;
  const zoom = Math.max(1, size_px);
  ctx.scale(zoom, zoom);
  ctx.translate(-offset, -((shift * 57) % TILE_PX));
  if (pattern) ctx.fillStyle = pattern;
  ctx.fillRect(0, 0, ctx.canvas.width / zoom + TILE_PX, ctx.canvas.height / zoom + TILE_PX);
  ctx.restore();
}

export function vignette(ctx: Ctx, strength: number): void {
  const { width, height } = ctx.canvas;
  const radius = Math.hypot(width, height) / 2;
  const gradient = ctx.createRadialGradient(
    width / 2,
    height * 0.48,
    radius * 0.45,
    width / 2,
    height * 0.48,
    radius * 1.05,
  );
  gradient.addColorStop(0, 'rgba(10,6,20,0)');
  gradient.addColorStop(0.5, `rgba(10,6,20,${strength * 0.22})`);
  gradient.addColorStop(1, `rgba(10,6,20,${strength})`);
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'multiply';
  ctx.fillStyle = gradient;
  ctx.fillRect(0, 0, width, height);
  ctx.restore();
}

export function bloom(ctx: Ctx, strength: number): void {
  const { width, height } = ctx.canvas;
  const small = smallScratch(width / 10, height / 10);
  small.ctx.imageSmoothingQuality = 'high';
  small.ctx.drawImage(ctx.canvas, 0, 0, small.canvas.width, small.canvas.height);
  small.ctx.globalCompositeOperation = 'multiply';
  small.ctx.drawImage(small.canvas, 0, 0);
  small.ctx.globalCompositeOperation = 'source-over';
  const blurred = blurScratch(small.canvas.width, small.canvas.height);
  blurred.ctx.filter = `blur(${Math.max(2, small.canvas.width / 50)}px)`;
  blurred.ctx.drawImage(small.canvas, 0, 0);
  ctx.save();
  ctx.resetTransform();
  ctx.globalCompositeOperation = 'screen';
  ctx.globalAlpha = strength;
  ctx.imageSmoothingQuality = 'low';
  ctx.drawImage(blurred.canvas, 0, 0, width, height);
  ctx.restore();
}
