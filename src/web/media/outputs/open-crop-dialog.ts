import { createAtom } from '@tanstack/react-store';
import type { MediaKind } from '#contract/task.ts';

interface TransformedFile {
  id: string;
  url: string;
  type: MediaKind;
}

/** A picture that the crop dialog of the page shows. */
export interface CropRequest {
  mediaId: string;
  /** Ratios that the chosen model takes, the chosen one first. */
  ratios?: readonly string[];
  /** Receives the new picture; without it, the library opens it. */
  onDone?: (file: TransformedFile) => void;
}

export const cropRequest = createAtom<CropRequest | null>(null);

/** Id of a picture whose canvas is made larger. */
export const expandRequest = createAtom<string | null>(null);

export const openCropDialog = (request: CropRequest): void => cropRequest.set(request);
