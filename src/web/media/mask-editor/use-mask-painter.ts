import { useEffect, useState } from 'react';
import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import type { MaskState } from './mask-canvas.ts';
import { createMaskPainter, type MaskPainter } from './mask-painter.ts';

const UNCHANGED: MaskState = { canUndo: false, canRedo: false, isChanged: false };

/**
 * Paints a mask on a canvas in the holder, once its picture and the mask to continue with are there.
 * @param picture null until its size is known
 */
export function useMaskPainter(picture: PixelDimensions | null, src: string | null) {
  const [holder, setHolder] = useState<HTMLElement | null>(null);
  const [state, setState] = useState(UNCHANGED);
  /** A new object loads it again. */
  const [source, setSource] = useState({ src });
  const [painter, setPainter] = useState<MaskPainter | null>(null);
  const [failed, setFailed] = useState(false);
  const { widthPx, heightPx } = picture ?? { widthPx: 0, heightPx: 0 };
  useEffect(() => {
    if (!holder || widthPx === 0) return undefined;
    // A canvas goes to one worker only.
    const canvas = document.createElement('canvas');
    canvas.className = 'size-full';
    holder.append(canvas);
    const opening = createMaskPainter(
      { canvas: canvas.transferControlToOffscreen(), picture: { widthPx, heightPx }, src: source.src },
      setState,
    );
    let closed = false;
    opening.opened.then(
      () => !closed && setPainter(opening),
      () => !closed && setFailed(true),
    );
    return () => {
      closed = true;
      opening.close();
      canvas.remove();
      setPainter(null);
    };
  }, [holder, widthPx, heightPx, source]);
  return {
    holderRef: setHolder,
    painter,
    state,
    /** Whether the mask to continue with could not be loaded. */
    failed,
    reload: () => {
      setFailed(false);
      setSource({ src });
    },
  };
}
