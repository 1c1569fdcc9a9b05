import { type PointerEvent, type ReactNode, useMemo, useState } from 'react';
import { titleOf } from '#web/library/media-words.ts';
import { useCommands } from '#web/shell/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { fittedSize, type Size } from '../zoom/zoom.ts';
import { useZoom, type ZoomControl } from '../zoom/use-zoom.ts';
import { ZoomButtons } from '../zoom/zoom-buttons.tsx';
import { zoomCommands } from '../zoom/zoom-commands.ts';
import { sizeOf, ZoomedPicture } from '../zoom/zoomed-picture.tsx';
import type { MediaPair, PairViewProps } from './compare.tsx';

const MODES = [
  { value: 'slider', label: 'Slider' },
  { value: 'side', label: 'Side by side' },
] as const;
type Mode = (typeof MODES)[number]['value'];

const UNKNOWN: Size = { width_px: 1024, height_px: 1024 };
const areaOf = ({ width_px, height_px }: Size) => width_px * height_px;

/** Two pictures over each other with a divider, or side by side; zoomed and moved together. */
export function PicturePair({ pair, names, onError }: PairViewProps) {
  const [mode, setMode] = useState<Mode>('slider');
  const picture = useMemo(() => {
    const [one, other] = pair.map((medium) => sizeOf(medium) ?? UNKNOWN);
    return one && other && areaOf(other) > areaOf(one) ? other : (one ?? UNKNOWN);
  }, [pair]);
  const control = useZoom({ picture });
  useCommands(zoomCommands('Pictures', control));
  const View = mode === 'slider' ? WithDivider : SideBySide;
  return (
    <>
      <View key={mode} pair={pair} names={names} control={control} onError={onError} />
      <div className="flex flex-none flex-wrap items-center justify-center gap-3 border-t border-line bg-canvas px-3 py-2">
        <SegmentedControl label="How" value={mode} options={MODES} onChange={setMode} />
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

/** Both pictures are drawn as large as the larger one, so that the same place is the same place. */
const alike = (pair: MediaPair, stage: Size) => {
  const sizes = pair.map((medium) => sizeOf(medium) ?? UNKNOWN).map((size) => fittedSize(size, stage));
  const width_px = Math.max(...sizes.map((size) => size.width_px));
  return pair.map((medium, at) => {
    const size = sizes[at] ?? UNKNOWN;
    const by = Math.min(width_px / size.width_px, stage.height_px / Math.max(1, size.height_px));
    return { medium, by };
  });
};

/** Once both are there: the window was opened before. */
const focused = (divider: HTMLElement | null) => divider?.focus({ preventScroll: true });

function WithDivider({ pair, names, control, onError }: ViewProps) {
  const [share, setShare] = useState(0.5);
  const { stage, zoom, frame } = control;
  const move = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box && event.buttons === 1) setShare(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const [one, other] = alike(pair, frame.stage);
  if (!one || !other) return null;
  return (
    <div {...stage} className={stageClass(control)}>
      <ZoomedPicture
        medium={other.medium}
        label={`B: ${titleOf(other.medium)}`}
        zoom={{ ...zoom, scale: zoom.scale * other.by }}
        stage={frame.stage}
        onError={() => onError(other.medium.url)}
      />
      <span className="absolute inset-0 bg-sunken" style={{ clipPath: `inset(0 ${100 - share * 100}% 0 0)` }}>
        <ZoomedPicture
          medium={one.medium}
          label={`A: ${titleOf(one.medium)}`}
          zoom={{ ...zoom, scale: zoom.scale * one.by }}
          stage={frame.stage}
          onError={() => onError(one.medium.url)}
        />
      </span>
      <input
        type="range"
        aria-label="Divider between A and B"
        aria-valuetext={`${Math.round(share * 100)}% A`}
        ref={focused}
        min={0}
        max={1}
        step={0.01}
        value={share}
        onChange={(event) => setShare(Number(event.target.value))}
        className="peer pointer-events-none absolute inset-x-0 bottom-0 h-1 opacity-0"
      />
      {/* Dragged with the pointer; by keys the range above moves it. */}
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
      <Corner side="left">{names[0]}</Corner>
      <Corner side="right">{names[1]}</Corner>
    </div>
  );
}

function SideBySide({ pair, names, control, onError }: ViewProps) {
  const { stage, zoom, frame } = control;
  return (
    <div className="flex min-h-0 flex-1 gap-px bg-line max-sm:flex-col">
      {pair.map((medium, at) => (
        <div key={medium.id} {...stage} className={cx(stageClass(control), 'bg-sunken')}>
          <ZoomedPicture
            medium={medium}
            label={`${'AB'[at]}: ${titleOf(medium)}`}
            zoom={zoom}
            stage={frame.stage}
            onError={() => onError(medium.url)}
          />
          <Corner side="left">{names[at]}</Corner>
        </div>
      ))}
    </div>
  );
}

function Corner({ side, children }: { side: 'left' | 'right'; children: ReactNode }) {
  return (
    <span
      className={cx('absolute top-3 flex max-w-[45%]', side === 'left' ? 'left-3' : 'right-3 justify-end')}
      onPointerDown={(event) => event.stopPropagation()}
    >
      {children}
    </span>
  );
}
