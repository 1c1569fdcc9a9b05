import { useCatalogNames } from '#web/api/catalog-names.ts';
import { type PointerEvent, type ReactNode, useMemo, useState } from 'react';
import { mediaTitle } from '#web/media/library/media-labels.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { fittedSize, type PixelDimensions } from '../zoom/zoom.ts';
import { useZoom, type ZoomControl } from '../zoom/use-zoom.ts';
import { ZoomButtons, zoomCommands } from '../zoom/zoom-controls.tsx';
import { imagePixelSize, ZoomedImage } from '../zoom/zoomed-image.tsx';
import type { MediaPair, PairViewProps } from './pair-view-props.ts';

const MODES = [
  { value: 'slider', label: 'Slider' },
  { value: 'side', label: 'Side by side' },
] as const;
type Mode = (typeof MODES)[number]['value'];

const FALLBACK_SIZE: PixelDimensions = { widthPx: 1024, heightPx: 1024 };
const pixelArea = ({ widthPx, heightPx }: PixelDimensions) => widthPx * heightPx;

export function ImageComparison({ pair, names, onError }: PairViewProps) {
  const [mode, setMode] = useState<Mode>('slider');
  const image = useMemo(() => {
    const [one, other] = pair.map((medium) => imagePixelSize(medium) ?? FALLBACK_SIZE);
    return one && other && pixelArea(other) > pixelArea(one) ? other : (one ?? FALLBACK_SIZE);
  }, [pair]);
  const control = useZoom({ image });
  useCommands(zoomCommands('Images', control));
  const View = mode === 'slider' ? SliderView : SideBySideView;
  return (
    <>
      <View key={mode} pair={pair} names={names} control={control} onError={onError} />
      <div className="flex flex-none flex-wrap items-center justify-center gap-3 border-t border-line bg-canvas px-3 py-2">
        <SegmentedControl label="Comparison mode" value={mode} options={MODES} onChange={setMode} />
        <ZoomButtons control={control} />
      </div>
    </>
  );
}

interface ViewProps extends PairViewProps {
  control: ZoomControl;
}

const stageClass = ({ zoom, dragging }: ZoomControl) =>
  cx(
    'relative min-h-0 min-w-0 flex-1 touch-none overflow-hidden',
    zoom.scale > 1 && (dragging ? 'cursor-grabbing' : 'cursor-grab'),
  );

/** Scales both images to the size of the larger one, so that positions match. */
const matchSizes = (pair: MediaPair, stage: PixelDimensions) => {
  const sizes = pair.map((medium) => imagePixelSize(medium) ?? FALLBACK_SIZE).map((size) => fittedSize(size, stage));
  const widthPx = Math.max(...sizes.map((size) => size.widthPx));
  return pair.map((medium, at) => {
    const size = sizes[at] ?? FALLBACK_SIZE;
    const scale = Math.min(widthPx / size.widthPx, stage.heightPx / Math.max(1, size.heightPx));
    return { medium, by: scale };
  });
};

/** The divider gets the focus once both images are loaded, after the dialog has opened. */
const focusDivider = (divider: HTMLElement | null) => divider?.focus({ preventScroll: true });

function SliderView({ pair, names, control, onError }: ViewProps) {
  const catalogNames = useCatalogNames();
  const [share, setShare] = useState(0.5);
  const { stage, zoom, frame } = control;
  const move = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box && event.buttons === 1) setShare(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const [one, other] = matchSizes(pair, frame.stage);
  if (!one || !other) return null;
  return (
    <div {...stage} className={stageClass(control)}>
      <ZoomedImage
        medium={other.medium}
        label={`B: ${mediaTitle(other.medium, catalogNames)}`}
        zoom={{ ...zoom, scale: zoom.scale * other.by }}
        stage={frame.stage}
        onError={() => onError(other.medium.url)}
      />
      <span className="absolute inset-0 bg-sunken" style={{ clipPath: `inset(0 ${100 - share * 100}% 0 0)` }}>
        <ZoomedImage
          medium={one.medium}
          label={`A: ${mediaTitle(one.medium, catalogNames)}`}
          zoom={{ ...zoom, scale: zoom.scale * one.by }}
          stage={frame.stage}
          onError={() => onError(one.medium.url)}
        />
      </span>
      <input
        type="range"
        aria-label="Divider between A and B"
        aria-valuetext={`${Math.round(share * 100)}% A`}
        ref={focusDivider}
        min={0}
        max={1}
        step={0.01}
        value={share}
        onChange={(event) => setShare(Number(event.target.value))}
        className="peer pointer-events-none absolute inset-x-0 bottom-0 h-1 opacity-0"
      />
      {/* Pointers drag this handle; the range input above handles keys. */}
      <span
        aria-hidden="true"
        style={{ left: `${share * 100}%` }}
        onPointerDown={(event) => {
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={move}
        onDoubleClick={(event) => event.stopPropagation()}
        className="absolute inset-y-0 flex w-11 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center peer-focus-visible:[&>span]:outline-2 peer-focus-visible:[&>span]:outline-focus"
      >
        <span className="absolute inset-y-0 left-1/2 w-px -translate-x-1/2 bg-white shadow-[0_0_0_1px_rgb(0_0_0/45%)]" />
        <span className="relative flex h-9 w-5 items-center justify-center rounded-sm border border-black/40 bg-white text-2xs text-black">
          ‖
        </span>
      </span>
      <CornerLabel side="left">{names[0]}</CornerLabel>
      <CornerLabel side="right">{names[1]}</CornerLabel>
    </div>
  );
}

function SideBySideView({ pair, names, control, onError }: ViewProps) {
  const catalogNames = useCatalogNames();
  const { stage, zoom, frame } = control;
  return (
    <div className="flex min-h-0 flex-1 gap-px bg-line max-sm:flex-col">
      {pair.map((medium, at) => (
        <div key={medium.id} {...stage} className={cx(stageClass(control), 'bg-sunken')}>
          <ZoomedImage
            medium={medium}
            label={`${'AB'[at]}: ${mediaTitle(medium, catalogNames)}`}
            zoom={zoom}
            stage={frame.stage}
            onError={() => onError(medium.url)}
          />
          <CornerLabel side="left">{names[at]}</CornerLabel>
        </div>
      ))}
    </div>
  );
}

function CornerLabel({ side, children }: { side: 'left' | 'right'; children: ReactNode }) {
  return (
    <span
      className={cx('absolute top-3 flex max-w-[45%]', side === 'left' ? 'left-3' : 'right-3 justify-end')}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {children}
    </span>
  );
}
