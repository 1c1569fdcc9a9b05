import { ChevronLeft, ChevronRight, Maximize, Minus, Plus } from 'lucide-react';
import { createContext, type PointerEvent, use, useRef, useState } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { CloseButton } from '#web/ui/close-button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Modal } from '#web/ui/overlays/modal.tsx';

const SCALES = [0.25, 0.5, 1, 2, 4];

function zoomLevels({ width, height }: { width: number | null; height: number | null }): (number | null)[] {
  const fitScale = Math.min(1, window.innerWidth / (width ?? 1), window.innerHeight / (height ?? 1));
  return [null, ...SCALES.filter((scale) => scale > fitScale * 1.05)];
}

export type ZoomedAsset = Pick<Asset, 'url' | 'width' | 'height'> & { label: string };

/** The images around one, which the enlarged view leads to. */
export const ZoomSiblings = createContext<readonly ZoomedAsset[]>([]);

interface ImageZoomProps {
  image: ZoomedAsset;
  onClose: () => void;
}

export function ImageZoom({ image, onClose }: ImageZoomProps) {
  const siblings = use(ZoomSiblings);
  const [shownUrl, setShownUrl] = useState(image.url);
  const [level, setLevel] = useState(0);
  const at = siblings.findIndex(({ url }) => url === shownUrl);
  const { url, label, width, height } = siblings[at] ?? image;
  const src = assetSrc(url);
  const [before, after] = at === -1 ? [] : [siblings[at - 1], siblings[at + 1]];
  const show = (next: ZoomedAsset | undefined) => {
    if (!next) return;
    setShownUrl(next.url);
    setLevel(0);
  };
  const levels = zoomLevels({ width, height });
  const zoom = levels[level] ?? null;
  const step = (by: 1 | -1) => setLevel((current) => Math.min(levels.length - 1, Math.max(0, current + by)));
  const drag = useDragToScroll();
  const group = 'Image';
  useCommands([
    { group, label: 'Zoom in', keys: '+', inDialog: true, hiddenInPalette: true, run: () => step(1) },
    { group, label: 'Zoom out', keys: '-', inDialog: true, hiddenInPalette: true, run: () => step(-1) },
    { group, label: 'Fit to window', keys: '0', inDialog: true, hiddenInPalette: true, run: () => setLevel(0) },
    // The arrow keys scroll a larger image.
    ...(zoom === null && siblings.length > 1
      ? ([
          {
            group,
            label: 'Previous',
            keys: 'arrowleft',
            inDialog: true,
            hiddenInPalette: true,
            run: () => show(before),
          },
          { group, label: 'Next', keys: 'arrowright', inDialog: true, hiddenInPalette: true, run: () => show(after) },
        ] as const)
      : []),
  ]);
  return (
    <Modal onDismiss={onClose} aria-label={label} className="full-window bg-sunken!">
      <div className="absolute top-3 right-3 z-1 flex gap-1 rounded-md border border-line bg-raised p-1">
        {siblings.length > 1 && at !== -1 ? (
          <>
            <IconButton
              label="Previous"
              size="sm"
              disabled={!before}
              icon={<ChevronLeft aria-hidden="true" className="size-4" />}
              onClick={() => show(before)}
            />
            <output className="flex items-center px-1 text-sm text-ink-2 tabular-nums">
              {at + 1} of {siblings.length}
            </output>
            <IconButton
              label="Next"
              size="sm"
              disabled={!after}
              icon={<ChevronRight aria-hidden="true" className="size-4" />}
              onClick={() => show(after)}
            />
          </>
        ) : null}
        <IconButton
          label="Zoom out"
          size="sm"
          disabled={level === 0}
          icon={<Minus aria-hidden="true" className="size-4" />}
          onClick={() => step(-1)}
        />
        <output className="flex min-w-14 items-center justify-center text-sm text-ink-2 tabular-nums">
          {zoom === null ? 'Fit' : `${zoom * 100}%`}
        </output>
        <IconButton
          label="Zoom in"
          size="sm"
          disabled={level === levels.length - 1}
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => step(1)}
        />
        <IconButton
          label="Fit to window"
          size="sm"
          icon={<Maximize aria-hidden="true" className="size-4" />}
          onClick={() => setLevel(0)}
        />
        <CloseButton size="sm" onClose={onClose} />
      </div>
      <div
        {...drag}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll the image
        tabIndex={0}
        className="grid size-full grid-cols-[auto] place-items-center overflow-auto outline-none"
      >
        {zoom === null ? (
          <img src={src} alt={label} className="max-h-dvh max-w-full object-contain" />
        ) : (
          <img
            src={src}
            alt={label}
            draggable={false}
            style={{ width: (width ?? 1024) * zoom, height: height ? height * zoom : undefined }}
            className="max-w-none cursor-grab"
          />
        )}
      </div>
    </Modal>
  );
}

function useDragToScroll() {
  const start = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.pointerType !== 'mouse') return;
      const { scrollLeft: left, scrollTop: top } = event.currentTarget;
      start.current = { x: event.clientX, y: event.clientY, left, top };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!start.current) return;
      event.currentTarget.scrollLeft = start.current.left - (event.clientX - start.current.x);
      event.currentTarget.scrollTop = start.current.top - (event.clientY - start.current.y);
    },
    onPointerUp: () => {
      start.current = null;
    },
  };
}
