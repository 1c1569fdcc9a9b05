import { createCanvas, type Canvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import type { Random } from './random.ts';

export type Context = SKRSContext2D;

/** Straight (not premultiplied) RGBA, four bytes a pixel. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array<ArrayBuffer>;
}

/** One picture, in pixels; `unit` is a thousandth of the square root of its area. */
export interface Stage {
  width: number;
  height: number;
  unit: number;
  random: Random;
}

/** Draws one depth of a picture, from the ground to what is near; a clip moves near layers more. */
export type Layer = (context: Context, stage: Stage) => void;

/** The ground is left out where the background is transparent. */
export interface LayeredPicture {
  ground: Layer;
  layers: readonly Layer[];
}

export function newCanvas(width: number, height: number): { canvas: Canvas; context: Context } {
  const canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  return { canvas, context: canvas.getContext('2d') };
}

export function readPixels(canvas: Canvas): Pixels {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return { width: canvas.width, height: canvas.height, rgba: new Uint8Array(data) };
}

export function toCanvas({ width, height, rgba }: Pixels): Canvas {
  const { canvas, context } = newCanvas(width, height);
  context.putImageData(
    new ImageData(new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length), width, height),
    0,
    0,
  );
  return canvas;
}

/** `#rrggbb` with an opacity of 0 to 1. */
export const alpha = (color: string, opacity: number): string =>
  `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;

/** @param share 0: `from`, 1: `to` */
export function blend(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const [a, b] = [Number.parseInt(from.slice(at, at + 2), 16), Number.parseInt(to.slice(at, at + 2), 16)];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Colors by their place on the way, 0 to 1. */
type Stops = Readonly<Record<number, string>>;

export type Gradient = ReturnType<Context['createLinearGradient']>;

const addStops = (gradient: Gradient, stops: Stops): Gradient => {
  for (const [at, color] of Object.entries(stops)) gradient.addColorStop(Number(at), color);
  return gradient;
};

export const linear = (context: Context, line: readonly [number, number, number, number], stops: Stops): Gradient =>
  addStops(context.createLinearGradient(...line), stops);

export const radial = (context: Context, x: number, y: number, radius: number, stops: Stops): Gradient =>
  addStops(context.createRadialGradient(x, y, 0, x, y, radius), stops);

export function fillAll(context: Context, { width, height }: Stage, fill: Gradient | string): void {
  context.fillStyle = fill;
  context.fillRect(0, 0, width, height);
}

/** Film grain over everything that is drawn, and darker corners. */
export function finish(context: Context, { width, height, unit, random }: Stage, grain: boolean): void {
  const reach = Math.hypot(width, height) / 2;
  context.fillStyle = radial(context, width / 2, height / 2, reach, { 0.55: '#00000000', 1: '#0000004d' });
  context.fillRect(0, 0, width, height);
  if (!grain) return;
  const side = 256;
  const tile = newCanvas(side, side);
  const pixels = tile.context.createImageData(side, side);
  for (let at = 0; at < pixels.data.length; at += 4) {
    pixels.data.fill(random.next() * 255, at, at + 3);
    pixels.data[at + 3] = 255;
  }
  tile.context.putImageData(pixels, 0, 0);
  context.save();
  context.globalCompositeOperation = 'overlay';
  context.globalAlpha = 0.07;
  context.fillStyle = context.createPattern(tile.canvas, 'repeat');
  const scale = Math.max(1, unit * 0.7);
  context.scale(scale, scale);
  context.fillRect(0, 0, width / scale, height / scale);
  context.restore();
}
