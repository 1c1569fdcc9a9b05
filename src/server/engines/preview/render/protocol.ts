import type { Brief } from '../brief/brief.ts';

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
