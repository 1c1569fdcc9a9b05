import type { Brief } from '../brief/brief.ts';
import type { Box } from '../draw/prints.ts';

/** A picture as rows of red, green, blue, opacity bytes. */
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
  /** About 0.7 (low quality) to 1.6 (maximum). */
  detail: number;
  /** Only the subject, on a transparent ground. */
  cutout: boolean;
  /** Pictures that are set into the scene, in order. */
  prints: readonly Pixels[];
}

export interface ClipRequest {
  kind: 'clip';
  brief: Brief;
  width_px: number;
  height_px: number;
  detail: number;
  frames: number;
  fps: number;
  /** The clip starts on this picture, which covers the frame. */
  first: Pixels | null;
  /** The clip ends on this picture, which covers the frame. */
  last: Pixels | null;
  prints: readonly Pixels[];
  /** Where prints hang, in units of the stage; further boxes are left for clips that are laid over later. */
  boxes: readonly Box[];
}

export interface SoundRequest {
  kind: 'sound';
  brief: Brief;
  duration_seconds: number;
}

export type PaintRequest = StillRequest | ClipRequest | SoundRequest;

/** From the thread: a frame of a clip, the pixels of a still, or a sound as a WAV file. */
export type Painted = Uint8Array<ArrayBuffer>;
