import { type MouseEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useElementSize } from '#web/ui/hooks/use-element-size.ts';
import {
  FIT_ZOOM,
  panZoom,
  type Point,
  type PixelDimensions,
  type Zoom,
  computeZoomFrame,
  stepZoom,
  zoomTo,
  toggleZoom,
} from './zoom.ts';

/** Zoom per pixel of a wheel event; a pinch on a touchpad arrives as a wheel event with Ctrl. */
const WHEEL_ZOOM_FACTORS = { wheel: 0.0018, pinch: 0.012 };
const NUDGE_PX = 80;
/** A horizontal move of a finger by this much steps to the next image. */
const SWIPE_PX = 64;

interface ZoomOptions {
  /** The larger of the images in its own pixels; null until it is known. */
  image: PixelDimensions | null;
  onSwipe?: ((by: 1 | -1) => void) | undefined;
  /** Whether one pointer pans, which it does by default. Two fingers always do. */
  pansAlone?: (event: PointerEvent) => boolean;
}

/**
 * Zooms and pans by wheel, pinch, drag, double click, buttons and keys. Spread `stage` on the container; sharing it between
 * two containers of equal size moves them together.
 */
export function useZoom({ image, onSwipe, pansAlone }: ZoomOptions) {
  const { ref: measure, widthPx, heightPx } = useElementSize();
  const [zoom, setZoom] = useState<Zoom>(FIT_ZOOM);
  const [dragging, setDragging] = useState(false);
  const frame = useMemo(
    () => computeZoomFrame(image ?? { widthPx: 1, heightPx: 1 }, { widthPx, heightPx }),
    [image, widthPx, heightPx],
  );

  const onWheel = useRef<(event: WheelEvent) => void>(null);
  useEffect(() => {
    onWheel.current = (event) => {
      event.preventDefault();
      const unitPx = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const by = Math.exp(
        -event.deltaY * unitPx * (event.ctrlKey ? WHEEL_ZOOM_FACTORS.pinch : WHEEL_ZOOM_FACTORS.wheel),
      );
      const point = stagePoint(event);
      setZoom((now) => zoomTo(now, now.scale * by, point, frame));
    };
  }, [frame]);
  const ref = useCallback(
    (stage: HTMLElement | null) => {
      if (!stage) return;
      const listener = (event: WheelEvent) => onWheel.current?.(event);
      // React adds passive wheel listeners, so the page would scroll.
      stage.addEventListener('wheel', listener, { passive: false });
      const stop = measure(stage);
      return () => {
        stage.removeEventListener('wheel', listener);
        stop?.();
      };
    },
    [measure],
  );

  const fingers = useRef(new Map<number, Point>());
  const swipe = useRef<{ from: Point; alone: boolean } | null>(null);
  const canPan = useRef(true);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 && !pansAlone?.(event)) return;
    canPan.current = pansAlone?.(event) ?? true;
    const point = stagePoint(event);
    fingers.current.set(event.pointerId, point);
    event.currentTarget.setPointerCapture(event.pointerId);
    const alone = fingers.current.size === 1;
    swipe.current = event.pointerType === 'touch' && zoom.scale === 1 && alone ? { from: point, alone } : null;
    setDragging(canPan.current);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const point = stagePoint(event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, point);
    const by = { xPx: point.xPx - before.xPx, yPx: point.yPx - before.yPx };
    if (!other) return canPan.current ? setZoom((now) => panZoom(now, by, frame)) : undefined;
    const spread = distance(point, other) / Math.max(1, distance(before, other));
    const center = { xPx: (point.xPx + other.xPx) / 2, yPx: (point.yPx + other.yPx) / 2 };
    const half = { xPx: by.xPx / 2, yPx: by.yPx / 2 };
    setZoom((now) => panZoom(zoomTo(now, now.scale * spread, center, frame), half, frame));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    fingers.current.delete(event.pointerId);
    setDragging(fingers.current.size > 0);
    const { current } = swipe;
    swipe.current = null;
    if (!current || event.type !== 'pointerup') return;
    const end = stagePoint(event);
    const [xPx, yPx] = [end.xPx - current.from.xPx, end.yPx - current.from.yPx];
    if (Math.abs(xPx) > SWIPE_PX && Math.abs(xPx) > 2 * Math.abs(yPx)) onSwipe?.(xPx < 0 ? 1 : -1);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>) => {
    if (image) setZoom(toggleZoom(zoom, stagePoint(event), image, frame));
  };

  return {
    zoom,
    frame,
    /** Share of the image's own size; null until it is known. */
    share: image && widthPx > 0 ? (zoom.scale * frame.fitted.widthPx) / image.widthPx : null,
    stage: { ref, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onDoubleClick },
    dragging: dragging && zoom.scale > 1,
    step: (by: 1 | -1) => setZoom(stepZoom(zoom, by, frame)),
    fit: () => setZoom(FIT_ZOOM),
    toggle: () => image && setZoom(toggleZoom(zoom, { xPx: 0, yPx: 0 }, image, frame)),
    nudge: (x: number, y: number) => setZoom(panZoom(zoom, { xPx: x * NUDGE_PX, yPx: y * NUDGE_PX }, frame)),
  };
}

export type ZoomControl = ReturnType<typeof useZoom>;

/** A place on the stage, from its center. */
export function stagePoint({ currentTarget, clientX, clientY }: PointerPosition): Point {
  if (!(currentTarget instanceof Element)) return { xPx: 0, yPx: 0 };
  const box = currentTarget.getBoundingClientRect();
  return { xPx: clientX - box.left - box.width / 2, yPx: clientY - box.top - box.height / 2 };
}

interface PointerPosition {
  currentTarget: EventTarget | null;
  clientX: number;
  clientY: number;
}

const distance = (one: Point, other: Point) => Math.hypot(one.xPx - other.xPx, one.yPx - other.yPx);
