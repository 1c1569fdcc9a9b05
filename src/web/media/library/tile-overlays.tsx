import { AudioLines, Play, Star } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { formatMediaDuration } from '../format-media.ts';
import { SilentClip } from '../player/media-element.tsx';
import type { TileBox } from './media-grid.tsx';
import { cx } from '#web/ui/cx.ts';

const HOVER_DELAY_MS = 250;

export const tileClass = 'group/tile absolute overflow-hidden rounded-sm bg-sunken contain-box';
/** The focus ring is inside, because the tile clips its overflow. */
export const tileCoverClass =
  'absolute inset-0 rounded-sm outline-none focus-visible:outline-3 focus-visible:-outline-offset-3 focus-visible:outline-focus';

export const boxStyle = ({ leftPx, topPx, widthPx, heightPx }: TileBox): CSSProperties => ({
  left: leftPx,
  top: topPx,
  width: widthPx,
  height: heightPx,
});

const labelClass =
  'pointer-events-none absolute rounded-xs bg-black/65 px-1 text-2xs font-medium text-white tabular-nums';

/** The play sign and length of a clip or sound; nothing for a picture. */
export function ClipLength({
  medium: { type, duration_seconds },
}: {
  medium: Pick<MediaItem, 'type' | 'duration_seconds'>;
}) {
  if (type === 'image' || duration_seconds === null) return null;
  return (
    <span className={cx(labelClass, 'right-1.5 bottom-1.5 flex items-center gap-1')}>
      <Play aria-hidden="true" className="size-2.5 fill-current" />
      {formatMediaDuration(duration_seconds)}
    </span>
  );
}

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
  return <ClipLength medium={medium} />;
}

export function ExpiryBadge({ label, raised }: { label: string; raised: boolean }) {
  return <span className={cx(labelClass, 'left-1.5', raised ? 'bottom-7' : 'bottom-1.5')}>{label}</span>;
}

export function StarBadge() {
  return (
    <span className="pointer-events-none absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-sm bg-black/55">
      <Star aria-hidden="true" className="size-3.5 fill-amber text-amber" />
    </span>
  );
}

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
    <SilentClip
      src={assetSrc(url)}
      autoPlay
      loop
      className="pointer-events-none absolute inset-0 size-full object-contain"
    />
  );
}
