import { AudioLines, Image, ImageOff, type LucideIcon, Video } from 'lucide-react';
import { type CSSProperties, useCallback, useEffect, useState } from 'react';
import type { Derivatives, MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { WaveformView } from './waveform-view.tsx';
import { isScrollingFast } from '../outputs/scroll-speed.ts';
import { useClientThumbnail } from '../outputs/use-client-thumbnail.ts';
import { cx } from '#web/ui/cx.ts';

export type PreviewableMedia = Pick<MediaItem, 'id' | 'type' | 'url' | 'width' | 'height' | 'derivatives'>;

const ICONS = { image: Image, video: Video, audio: AudioLines } satisfies Record<MediaItem['type'], LucideIcon>;
const SETTLE_MS = 120;
const MAX_ENLARGEMENT = 2;
const BAR_PX = 4;

const fillClass = 'absolute inset-0 m-auto size-full';

export interface MediaThumbnailProps {
  medium: PreviewableMedia;
  widthPx: number;
  cover?: boolean;
}

/** Fills its parent, which has to be positioned. */
export function MediaThumbnail({ medium, widthPx, cover = false }: MediaThumbnailProps) {
  const [failedSrc, setFailedSrc] = useState<string>();
  const settled = useScrollSettled();
  const { type, derivatives } = medium;
  if (!settled) return null;
  if (type === 'audio')
    return derivatives?.waveform_url ? (
      <SoundWaveform id={medium.id} url={derivatives.waveform_url} widthPx={widthPx} />
    ) : (
      <MediaTypeIcon type={type} />
    );
  const sources = derivatives && thumbnailSources(derivatives);
  const thumbnailStyle = { cover, style: cover ? undefined : limitEnlargement(medium) };
  if (!sources) return <ClientThumbnail medium={medium} thumbnailStyle={thumbnailStyle} />;
  if (failedSrc === sources.src) return <MediaTypeIcon type={type} broken />;
  return (
    <ThumbnailImage {...sources} {...thumbnailStyle} sizes={`${widthPx}px`} onError={() => setFailedSrc(sources.src)} />
  );
}

type Sources = Required<Pick<ThumbnailImageProps, 'src' | 'srcSet'>>;

/** Cached because parsing URLs is slow, and scrolling renders hundreds of tiles. */
const sourcesCache = new WeakMap<Derivatives, Sources | null>();

function thumbnailSources(derivatives: Derivatives): Sources | null {
  const cached = sourcesCache.get(derivatives);
  if (cached !== undefined) return cached;
  const thumbnails = derivatives.thumbnails.map(({ url, width }) => ({ src: assetSrc(url), width }));
  const largest = thumbnails.at(-1);
  const srcSet = thumbnails.map(({ src, width }) => `${src} ${width}w`).join(', ');
  const sources = largest ? { src: largest.src, srcSet } : null;
  sourcesCache.set(derivatives, sources);
  return sources;
}

function ClientThumbnail({ medium, thumbnailStyle }: { medium: PreviewableMedia; thumbnailStyle: ThumbnailStyle }) {
  const src = useClientThumbnail(medium);
  return src ? <ThumbnailImage src={src} {...thumbnailStyle} /> : <MediaTypeIcon type={medium.type} />;
}

interface ThumbnailStyle {
  style: CSSProperties | undefined;
  cover: boolean;
}

interface ThumbnailImageProps extends ThumbnailStyle {
  src: string;
  srcSet?: string;
  sizes?: string;
  onError?: () => void;
}

function ThumbnailImage({ cover, ...props }: ThumbnailImageProps) {
  const ref = useCallback((element: HTMLImageElement | null) => {
    if (!element) return;
    return () => {
      if (element.complete) return;
      element.removeAttribute('srcset');
      element.removeAttribute('src');
    };
  }, []);
  return (
    <img
      {...props}
      ref={ref}
      alt=""
      decoding="async"
      draggable={false}
      className={cx(fillClass, cover ? 'object-cover' : 'object-contain')}
    />
  );
}

function SoundWaveform({ id, url, widthPx }: { id: string; url: string; widthPx: number }) {
  return (
    <WaveformView
      id={id}
      url={url}
      bars={Math.max(12, Math.round((widthPx * 0.84) / BAR_PX / 8) * 8)}
      className="absolute inset-x-[8%] inset-y-[22%] h-[56%] w-[84%] text-ink-2"
    />
  );
}

export function MediaTypeIcon({ type, broken = false }: { type: MediaItem['type']; broken?: boolean }) {
  const Icon = broken ? ImageOff : ICONS[type];
  return <Icon aria-hidden="true" className="absolute inset-0 m-auto size-6 stroke-[1.5] text-ink-3" />;
}

function limitEnlargement({ width, height }: Pick<MediaItem, 'width' | 'height'>): CSSProperties | undefined {
  return width && height ? { maxWidth: width * MAX_ENLARGEMENT, maxHeight: height * MAX_ENLARGEMENT } : undefined;
}

function useScrollSettled(): boolean {
  const [settled, setSettled] = useState(() => !isScrollingFast());
  useEffect(() => {
    if (settled) return;
    const timer = setInterval(() => {
      if (!isScrollingFast()) setSettled(true);
    }, SETTLE_MS);
    return () => clearInterval(timer);
  }, [settled]);
  return settled;
}
