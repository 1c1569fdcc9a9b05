import { ImageData } from '@napi-rs/canvas';
import { css, lighten, mixColors } from '../color/color.ts';
import type { Pixels } from '../render/protocol.ts';
import { bitmap, type Bitmap, type Plane, type Stage } from './stage.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Share of the frame that prints may take. */
const ROOM = { one: 0.66, many: 0.84 };

/** Arranges images of the given ratios (width ÷ height) in rows, in order and as large as they fit. */
export function hang(ratios: readonly number[], width: number, height: number): Box[] {
  const share = ratios.length === 1 ? ROOM.one : ROOM.many;
  const gap = (Math.min(width, height) * 0.035) / Math.max(1, Math.sqrt(ratios.length) / 2);
  let best: Box[] = [];
  let best_area = 0;
  for (let rows = 1; rows <= ratios.length; rows++) {
    const boxes = inRows(ratios, rows, width * share, height * share, gap);
    const area = boxes.reduce((sum, box) => sum + box.width * box.height, 0);
    if (area > best_area) {
      best = boxes;
      best_area = area;
    }
  }
  const bottom = Math.max(...best.map((box) => box.y + box.height));
  const top = (height - bottom) / 2;
  return best.map((box) => ({ ...box, x: box.x + (width * (1 - share)) / 2, y: box.y + top }));
}

function inRows(ratios: readonly number[], rows: number, width: number, height: number, gap: number): Box[] {
  const per_row = Math.ceil(ratios.length / rows);
  const lines = Array.from({ length: rows }, (_, row) => ratios.slice(row * per_row, (row + 1) * per_row)).filter(
    (line) => line.length > 0,
  );
  const heights = lines.map((line) => (width - gap * (line.length - 1)) / line.reduce((sum, ratio) => sum + ratio, 0));
  const shrink = Math.min(1, (height - gap * (lines.length - 1)) / heights.reduce((sum, tall) => sum + tall, 0));
  let y = 0;
  return lines.flatMap((line, row) => {
    const tall = (heights[row] ?? 0) * shrink;
    const full = line.reduce((sum, ratio) => sum + ratio * tall, 0) + gap * (line.length - 1);
    let x = (width - full) / 2;
    const boxes = line.map((ratio) => {
      const box = { x, y, width: ratio * tall, height: tall };
      x += box.width + gap;
      return box;
    });
    y += tall + gap;
    return boxes;
  });
}

export function toBitmap({ rgba, width_px, height_px }: Pixels): Bitmap {
  const { canvas, ctx } = bitmap(width_px, height_px);
  ctx.putImageData(
    new ImageData(new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength), width_px, height_px),
    0,
    0,
  );
  return canvas;
}

/** Share of the height along the foot of a frame that pictures are set into. */
const FOOT = 0.36;

export const hangPrints = (stage: Stage, prints: readonly Pixels[], where: 'in the middle' | 'along the foot'): Box[] =>
  hangBoxes(
    prints.map(({ width_px, height_px }) => ({ media: { width: width_px, height: height_px } })),
    { width_px: stage.width * stage.scale, height_px: stage.height * stage.scale },
    where,
  );

export function hangBoxes(
  references: readonly { media: { width: number | null; height: number | null } }[],
  size: { width_px: number; height_px: number },
  where: 'in the middle' | 'along the foot',
): Box[] {
  if (references.length === 0) return [];
  const unit_px = Math.sqrt((size.width_px * size.height_px) / 1e6);
  const [width, height] = [size.width_px / unit_px, size.height_px / unit_px];
  const ratios = references.map(({ media }) => (media.width ?? 16) / (media.height ?? 9));
  if (where === 'in the middle') return hang(ratios, width, height);
  return hang(ratios, width, height * FOOT).map((box) => ({ ...box, y: box.y + height * (0.96 - FOOT) }));
}

/** Each print is shown whole with a narrow margin. A box without a print is an empty frame for a clip. */
export function printPlanes(stage: Stage, prints: readonly Pixels[], boxes: readonly Box[]): Plane[] {
  const { palette, scale } = stage;
  const margin = Math.min(stage.width, stage.height) * 0.009;
  return boxes.map((box, index) => {
    const print = prints[index];
    return {
      depth: 0.6,
      ...(print ? { float: (time_s: number) => Math.sin(time_s * 0.8 + index * 1.7) * 3 } : {}),
      paint(ctx) {
        ctx.save();
        ctx.shadowColor = css(palette.ink, 0.55);
        ctx.shadowBlur = margin * 5 * scale;
        ctx.shadowOffsetY = margin * 1.6 * scale;
        ctx.fillStyle = css(mixColors(lighten(palette.light, 0.05), palette.paper, 0.15));
        ctx.fillRect(box.x - margin, box.y - margin, box.width + margin * 2, box.height + margin * 2);
        ctx.restore();
        if (!print) return;
        ctx.imageSmoothingQuality = 'high';
        ctx.drawImage(toBitmap(print), box.x, box.y, box.width, box.height);
        const sheen = ctx.createLinearGradient(box.x, box.y, box.x + box.width * 0.6, box.y + box.height);
        sheen.addColorStop(0, css(palette.light, 0.1));
        sheen.addColorStop(0.4, css(palette.light, 0));
        ctx.fillStyle = sheen;
        ctx.fillRect(box.x, box.y, box.width, box.height);
      },
    };
  });
}
