import type { Brief } from '../brief/brief.ts';
import type { BackgroundRemoval } from '../edit/remove-background.ts';
import type { Look } from '../edit/look.ts';
import type { Box } from '../draw/prints.ts';

export interface Pixels {
  width_px: number;
  height_px: number;
  rgba: Uint8Array<ArrayBuffer>;
}

export interface StillRequest {
  kind: 'still';
  brief: Brief;
  width_px: number;
  height_px: number;
  detail: number;
  cutout: boolean;
  prints: readonly Pixels[];
}

export interface EditRequest extends Omit<StillRequest, 'kind'> {
  kind: 'edit';
  /** Has the size of the result. */
  base: Pixels;
  look: Look;
}

export interface EditResult {
  rgba: Uint8Array<ArrayBuffer>;
  cut: BackgroundRemoval | null;
}

export interface ClipRequest {
  kind: 'clip';
  /** Paints only weather and prints on a transparent background, as an overlay. */
  veil: boolean;
  brief: Brief;
  width_px: number;
  height_px: number;
  detail: number;
  frames: number;
  fps: number;
  first: Pixels | null;
  last: Pixels | null;
  prints: readonly Pixels[];
  /** Boxes of the prints in units of the stage; further boxes are for clips that are overlaid later. */
  boxes: readonly Box[];
}

export interface SoundRequest {
  kind: 'sound';
  brief: Brief;
  duration_seconds: number;
}

export type PaintRequest = StillRequest | EditRequest | ClipRequest | SoundRequest;

export type ByteArray = Uint8Array<ArrayBuffer>;
