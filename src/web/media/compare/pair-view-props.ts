import type { ReactNode } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';

export type MediaPair = readonly [MediaItem, MediaItem];

export interface PairViewProps {
  pair: MediaPair;
  /** A button per file that opens it. */
  names: readonly ReactNode[];
  onError: (url: string) => void;
}
