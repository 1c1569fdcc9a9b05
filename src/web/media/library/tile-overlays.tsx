import { AudioLines, Star } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { formatMediaDuration } from '../format-media.ts';
import type { TileBox } from './media-grid.tsx';
import { cx } from '#web/ui/cx.ts';

/** A preview begins when the pointer has rested that long. */
const HOVER_DELAY_MS = 250;

export const tileClass = 'group/tile absolute overflow-hidden rounded-sm bg-sunken contain-box';
/** Of what covers a tile and is pressed: the focus is drawn inside, where nothing cuts it off. */
export const tileCoverClass =
  'absolute inset-0 rounded-sm outline-none focus-visible:outline-3 focus-visible:-outline-offset-3 focus-visible:outline-focus';

export const boxStyle = ({ left_px, top_px, width_px, height_px }: TileBox): CSSProperties => ({
  left: left_px,
  top: top_px,
  width: width_px,
  height: height_px,
});

const label = 'pointer-events-none absolute rounded-xs bg-black/65 px-1 text-2xs font-medium text-white tabular-nums';

/** How long it lasts, in the corner; of a sound also what it is called, for there is nothing else to know it by. */
export function TileInfo({ medium, title }: { medium: Pick<MediaItem, 'type' | 'duration_seconds'>; title: string }) {
  const length = medium.duration_seconds === null ? null : formatMediaDuration(medium.duration_seconds);
  if (medium.type === 'audio')
    return (
      <span className="pointer-events-none absolute inset-x-2 bottom-1.5 flex items-center gap-1.5 text-xs text-ink-2">
        <AudioLines aria-hidden="true" className="size-3.5 flex-none text-ink-3" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title}
        </span>
        <span className="tabular-nums">{length}</span>
      </span>
    );
  return length ? <span className={cx(label, 'right-1.5 bottom-1.5')}>{length}</span> : null;
}

/** That a medium is removed soon. */
export function ExpiryBadge({ words, raised }: { words: string; raised: boolean }) {
  return <span className={cx(label, 'left-1.5', raised ? 'bottom-7' : 'bottom-1.5')}>{words}</span>;
}

/** A star that only says so. */
export function StarBadge() {
  return (
    <span className="pointer-events-none absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-sm bg-black/55">
      <Star aria-hidden="true" className="size-3.5 fill-amber text-amber" />
    </span>
  );
}

/** The first moments of a clip, once the pointer has rested; nothing for those who want no motion. */
export function HoverPreview({ medium }: { medium: Pick<MediaItem, 'type' | 'derivatives'> }) {
  const url = medium.derivatives?.preview_url ?? null;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (url === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = setTimeout(() => setShown(true), HOVER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [url]);
  if (url === null || !shown) return null;
  return (
    <video
      src={assetSrc(url)}
      autoPlay
      muted
      loop
      playsInline
      aria-hidden="true"
      tabIndex={-1}
      className="pointer-events-none absolute inset-0 size-full object-contain"
    />
  );
}
