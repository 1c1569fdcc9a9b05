import type { Brief } from '../brief/brief.ts';
import type { BackgroundRemoval } from '../edit/remove-background.ts';
import type { Look } from '../edit/look.ts';
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

export interface EditRequest extends Omit<StillRequest, 'kind'> {
  kind: 'edit';
  /** The picture to change, of the size of the result. */
  base: Pixels;
  look: Look;
}

/** An edited picture, and how its background was taken away where that was asked for. */
export interface EditResult {
  rgba: Uint8Array<ArrayBuffer>;
  cut: BackgroundRemoval | null;
}

export interface ClipRequest {
  kind: 'clip';
  /** Only weather and prints on a clear ground, to be laid over another clip. */
  veil: boolean;
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

export type PaintRequest = StillRequest | EditRequest | ClipRequest | SoundRequest;

/** From the thread: a frame of a clip, the pixels of a still, or a sound as a WAV file. */
export type ByteArray = Uint8Array<ArrayBuffer>;
