import { EngineError } from '#server/models/engine/engine.ts';

const PIXELS = { '1K': 1024 * 1024, '2K': 2048 * 2048, '4K': 3840 * 2160 } as const;
// OpenAI, “Image generation” guide, read 2026-11-23: edges are multiples of 16.
const MAX_EDGE = 3840;
const MAX_PIXELS = 3840 * 2160;
const STEP = 16;
const MAX_RATIO = 3;

/**
 * Returns the API's `size` for an aspect ratio (`16:9`, `auto`) and a resolution.
 * @param sizes `free`: multiples of 16 between 1:3 and 3:1, up to the pixels of 3840x2160, as documented for gpt-image-2
 * @throws {EngineError} for an unsupported size
 */
export function openAiImageSize(aspectRatio: string, resolution: string, sizes: 'standard' | 'free'): string {
  const [width, height] = aspectRatio.split(':').map(Number);
  const ratio = width && height ? width / height : null;
  if (sizes === 'standard') return standardSize(ratio, resolution);
  if (ratio === null) return 'auto';
  if (ratio > MAX_RATIO || ratio < 1 / MAX_RATIO) throw unsupportedError('shapes from 1:3 to 3:1');
  return freeSize(ratio, pixelCount(resolution));
}

function standardSize(ratio: number | null, resolution: string): string {
  if (resolution !== '1K') throw unsupportedError('size 1K');
  if (ratio === null) return 'auto';
  if (ratio > 1.2) return '1536x1024';
  return ratio < 1 / 1.2 ? '1024x1536' : '1024x1024';
}

function freeSize(ratio: number, pixels: number): string {
  const scale = Math.min(1, MAX_EDGE / Math.sqrt(pixels * Math.max(ratio, 1 / ratio)));
  let width = roundToStep(Math.sqrt(pixels * ratio) * scale);
  let height = roundToStep(Math.sqrt(pixels / ratio) * scale);
  // Rounding may exceed the pixels and the ratio that are supported.
  if (width * height > MAX_PIXELS && width >= height) width -= STEP;
  else if (width * height > MAX_PIXELS) height -= STEP;
  return `${Math.min(width, height * MAX_RATIO)}x${Math.min(height, width * MAX_RATIO)}`;
}

const roundToStep = (length: number): number => Math.round(length / STEP) * STEP;

function pixelCount(resolution: string): number {
  if (resolution === '1K' || resolution === '2K' || resolution === '4K') return PIXELS[resolution];
  throw unsupportedError('sizes 1K, 2K and 4K');
}

const unsupportedError = (supported: string): EngineError =>
  new EngineError('engine_failed', `This provider supports only ${supported}.`);
