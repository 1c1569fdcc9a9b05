import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefCallback,
  useId,
  useRef,
  useState,
} from 'react';
import { stagePoint, type ZoomControl } from '#web/media/zoom/use-zoom.ts';
import { imagePoint, type PixelDimensions, type Point } from '#web/media/zoom/zoom.ts';
import { zoomedStyle } from '#web/media/zoom/zoomed-image.tsx';
import { cx } from '#web/ui/cx.ts';
import {
  type MaskMode,
  type MaskOperation,
  type PixelRectangle,
  pressedWidth,
  rectangleOperation,
  stepRectangle,
} from './mask-operation.ts';
import type { MaskPainter } from './mask-painter.ts';
import type { MaskTool } from './mask-tools.ts';

interface MaskStageProps {
  picture: PixelDimensions;
  /** null: nothing can be painted now. */
  painter: MaskPainter | null;
  /** Gets the canvas of the mask. */
  holderRef: RefCallback<HTMLElement>;
  control: ZoomControl;
  pans: (event: PointerEvent) => boolean;
  onSpace: (held: boolean) => void;
  tool: MaskTool;
  brushPx: number;
  /** The picture. */
  children: ReactNode;
}

const MAX_STROKE_POINTS = 10_000;

interface Drawing {
  pointerType: string;
  operation: MaskOperation;
  start: Point;
}

export function MaskStage({
  picture,
  painter,
  holderRef,
  control,
  pans,
  onSpace,
  tool,
  brushPx,
  children,
}: MaskStageProps) {
  const { zoom, frame } = control;
  const { ref: stageRef, ...stage } = control.stage;
  const pointers = useRef(new Set<number>());
  const drawing = useRef<Drawing | null>(null);
  const hintId = useId();
  const ring = useRef<HTMLSpanElement>(null);
  const [rectangle, setRectangle] = useState<PixelRectangle | null>(null);
  const isBrush = tool === 'brush' || tool === 'eraser';
  /** Pixels of the picture per pixel of the screen. */
  const share = picture.widthPx / Math.max(1, frame.fitted.widthPx * zoom.scale);

  const pushPoint = ({ operation, pointerType }: Drawing, { xPx, yPx }: Point, pressure: number) => {
    const { points } = operation;
    if (points.length >= MAX_STROKE_POINTS * 3) return;
    const [lastX, lastY] = points.slice(-3);
    if (lastX !== undefined && lastY !== undefined && Math.hypot(xPx - lastX, yPx - lastY) < share) return;
    points.push(xPx, yPx, isBrush ? (pointerType === 'pen' ? pressedWidth(brushPx, pressure) : brushPx) * share : 0);
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (!painter) return;
    const start = imagePoint(stagePoint(event), zoom, frame, picture);
    const mode: MaskMode = tool === 'eraser' || event.altKey ? 'erase' : 'paint';
    const { pointerType } = event;
    drawing.current = { pointerType, start, operation: { kind: isBrush ? 'stroke' : 'area', mode, points: [] } };
    pushPoint(drawing.current, start, event.pressure);
    setRectangle(null);
    painter.preview(drawing.current.operation);
  };
  const cancel = () => {
    drawing.current = null;
    painter?.cancel();
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const isPanning = pans(event);
    // The hand that holds a pen may rest on the screen.
    if ((event.button !== 0 && !isPanning) || drawing.current?.pointerType === 'pen') return;
    pointers.current.add(event.pointerId);
    stage.onPointerDown(event);
    if (pointers.current.size > 1) cancel();
    else if (!isPanning) begin(event);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const at = stagePoint(event);
    moveRing(event.pointerType === 'touch' ? null : at);
    if (!pointers.current.has(event.pointerId)) return;
    stage.onPointerMove(event);
    const { current } = drawing;
    if (!current || !painter) return;
    if (tool === 'rectangle') {
      const end = imagePoint(at, zoom, frame, picture);
      current.operation = rectangleOperation(current.operation.mode, current.start, end, picture);
    } else
      for (const { clientX, clientY, pressure } of coalesced(event.nativeEvent)) {
        const point = { xPx: at.xPx + clientX - event.clientX, yPx: at.yPx + clientY - event.clientY };
        pushPoint(current, imagePoint(point, zoom, frame, picture), pressure);
      }
    painter.preview(current.operation);
    if (!isBrush || current.operation.points.length < MAX_STROKE_POINTS * 3) return;
    painter.finish();
    current.operation = { ...current.operation, points: current.operation.points.slice(-3) };
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (!pointers.current.delete(event.pointerId)) return;
    stage.onPointerUp(event);
    if (!drawing.current) return;
    if (event.type === 'pointercancel') return cancel();
    drawing.current = null;
    painter?.finish();
  };
  const moveRing = (at: Point | null) => {
    const { current } = ring;
    if (!current) return;
    current.hidden = at === null;
    if (at) current.style.transform = `translate(-50%, -50%) translate(${at.xPx}px, ${at.yPx}px)`;
  };

  const toOperation = ({ xPx, yPx, widthPx, heightPx }: PixelRectangle, mode: MaskMode) =>
    rectangleOperation(mode, { xPx, yPx }, { xPx: xPx + widthPx, yPx: yPx + heightPx }, picture);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!painter || event.ctrlKey || event.metaKey) return;
    const next = stepRectangle(rectangle, event, picture);
    const isKnown =
      next !== null ||
      event.key === ' ' ||
      (rectangle && ['Enter', 'Delete', 'Backspace', 'Escape'].includes(event.key));
    if (!isKnown) return;
    event.preventDefault();
    if (event.key === ' ') return onSpace(true);
    setRectangle(next);
    if (next) painter.preview(toOperation(next, 'paint'));
    else if (event.key === 'Escape') painter.cancel();
    else if (rectangle) painter.apply(toOperation(rectangle, event.key === 'Enter' ? 'paint' : 'erase'));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is painted on
    <div
      role="application"
      aria-label="Picture to mask"
      aria-describedby={hintId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys place a rectangle
      tabIndex={0}
      data-autofocus=""
      ref={stageRef}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onPointerLeave={() => moveRing(null)}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => event.key === ' ' && onSpace(false)}
      onBlur={() => onSpace(false)}
      className={cx(
        'relative min-h-0 flex-1 touch-none overflow-hidden -outline-offset-2 outline-focus select-none not-focus-visible:outline-none',
        control.dragging ? 'cursor-grabbing' : isBrush ? 'cursor-none' : 'cursor-crosshair',
      )}
    >
      {children}
      <span id={hintId} hidden>
        Arrow keys place a rectangle, with Shift they resize it, with Alt by one pixel. Enter paints it, Delete erases
        it.
      </span>
      <div
        ref={holderRef}
        className="pointer-events-none absolute top-1/2 left-1/2 max-w-none opacity-50"
        style={zoomedStyle(frame.fitted, zoom)}
      />
      <span
        ref={ring}
        hidden
        className={cx(
          'pointer-events-none absolute top-1/2 left-1/2 rounded-full border border-white outline outline-black',
          !isBrush && 'invisible',
        )}
        style={{ width: brushPx, height: brushPx }}
      />
      <output className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center px-2">
        {rectangle ? (
          <span className="rounded-md border border-line bg-raised px-2.5 py-1 text-sm tabular-nums">
            Rectangle {rectangle.widthPx} × {rectangle.heightPx} at {rectangle.xPx}, {rectangle.yPx}. Enter paints,
            Delete erases, Escape cancels.
          </span>
        ) : null}
      </output>
    </div>
  );
}

/** The places of a pointer since the last frame; some browsers give the last one only. */
function coalesced(event: globalThis.PointerEvent): readonly globalThis.PointerEvent[] {
  const all = 'getCoalescedEvents' in event ? event.getCoalescedEvents() : [];
  return all.length > 0 ? all : [event];
}
