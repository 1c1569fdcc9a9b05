import { useEffect, useState } from 'react';
import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import { createMaskCanvas, type MaskState, workSize } from './mask-canvas.ts';
import { createMaskWriter } from './mask-writer.ts';

const UNCHANGED: MaskState = { canUndo: false, canRedo: false, isChanged: false };

/**
 * The canvas that a mask is painted on, once its picture and the mask to continue with are there.
 * @param picture null until its size is known
 */
export function useMaskCanvas(picture: PixelDimensions | null, src: string | null) {
  const [element, setElement] = useState<HTMLCanvasElement | null>(null);
  const [state, setState] = useState(UNCHANGED);
  /** A new object loads it again. */
  const [source, setSource] = useState({ src });
  const [opened, setOpened] = useState<ReturnType<typeof openTools> | null>(null);
  const [failed, setFailed] = useState(false);
  const { widthPx, heightPx } = picture ?? { widthPx: 0, heightPx: 0 };
  useEffect(() => {
    if (!element || widthPx === 0) return undefined;
    const tools = openTools(element, { widthPx, heightPx }, setState);
    let closed = false;
    const openMask = async () => {
      if (source.src !== null) {
        const { alpha } = await tools.writer.open({ src: source.src, size: workSize({ widthPx, heightPx }) });
        if (closed) return;
        tools.canvas.open(alpha);
      }
      setOpened(tools);
    };
    openMask().catch(() => !closed && setFailed(true));
    return () => {
      closed = true;
      tools.canvas.cancel();
      tools.writer.close();
      setOpened(null);
    };
  }, [element, widthPx, heightPx, source]);
  return {
    canvasRef: setElement,
    canvas: opened?.canvas ?? null,
    writer: opened?.writer ?? null,
    state,
    /** Whether the mask to continue with could not be loaded. */
    failed,
    reload: () => {
      setFailed(false);
      setSource({ src });
    },
  };
}

const openTools = (element: HTMLCanvasElement, picture: PixelDimensions, onChange: (state: MaskState) => void) => ({
  canvas: createMaskCanvas(element, picture, onChange),
  writer: createMaskWriter(),
});
