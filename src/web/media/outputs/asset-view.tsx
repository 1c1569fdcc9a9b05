import { Ban, Expand, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { mediaDragProps } from '../media-drag.ts';
import { AudioPlayer } from '../player/audio-player.tsx';
import { fittedStyle } from '../player/fitted-style.ts';
import { VideoPlayer } from '../player/video-player.tsx';
import { invalidate, type StaleTarget } from '#web/api/api-query.ts';
import { GENERATION_READS } from '#web/api/queries/stale-endpoints.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { ImageZoom } from './image-zoom.tsx';

interface AssetViewProps {
  asset: Pick<Asset, 'type' | 'url' | 'width' | 'height' | 'removed_at'> &
    Partial<Pick<Asset, 'id' | 'duration_seconds' | 'derivatives'>>;
  label: string;
  /** What is read again for a new link when this one has expired. */
  source?: readonly StaleTarget[];
  maxHeight?: string | undefined;
}

export function AssetView({ asset, label, source = GENERATION_READS, maxHeight = '62dvh' }: AssetViewProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  if (asset.removed_at) return <RemovedNotice at={asset.removed_at} />;
  if (failedUrl === asset.url) return <ExpiredLinkNotice source={source} />;
  const View = views[asset.type];
  return <View asset={asset} label={label} maxHeight={maxHeight} onError={() => setFailedUrl(asset.url)} />;
}

interface ViewProps extends Pick<AssetViewProps, 'asset' | 'label'> {
  maxHeight: string;
  onError: () => void;
}

function ImageView({ asset, label, maxHeight, onError }: ViewProps) {
  const [zoomed, setZoomed] = useState(false);
  const src = assetSrc(asset.url);
  return (
    <div className="relative flex justify-center overflow-hidden rounded-md bg-sunken">
      <button
        type="button"
        {...mediaDragProps(asset)}
        onClick={() => setZoomed(true)}
        aria-label={`Enlarge ${label.toLowerCase()}`}
        className="group/zoom relative flex cursor-zoom-in! justify-center"
        style={fittedStyle(asset, maxHeight)}
      >
        <img
          src={src}
          alt={label}
          decoding="async"
          draggable={false}
          style={{ maxHeight }}
          className="max-w-full object-contain"
          onError={onError}
        />
        <span className="absolute right-2 bottom-2 flex size-8 items-center justify-center rounded-md bg-canvas text-ink-2 opacity-0 transition-opacity group-hover/zoom:opacity-100 group-focus-visible/zoom:opacity-100">
          <Expand aria-hidden="true" className="size-4" />
        </span>
      </button>
      {zoomed ? <ImageZoom image={{ ...asset, label }} onClose={() => setZoomed(false)} /> : null}
    </div>
  );
}

const VideoView = ({ asset, ...rest }: ViewProps) => (
  <VideoPlayer video={asset} dragProps={mediaDragProps(asset)} {...rest} />
);

const AudioView = ({ asset, label, onError }: ViewProps) => (
  <AudioPlayer audio={asset} label={label} dragProps={mediaDragProps(asset)} onError={onError} />
);

const views = { image: ImageView, video: VideoView, audio: AudioView } satisfies Record<
  Asset['type'],
  typeof ImageView
>;

function RemovedNotice({ at }: { at: string }) {
  return (
    <div className="frame-marks flex min-h-40 flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2">
      <Ban aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
      <p>
        This file was deleted <RelativeTime at={at} />. Its generation and cost are kept.
      </p>
    </div>
  );
}

function ExpiredLinkNotice({ source }: { source: readonly StaleTarget[] }) {
  const client = useQueryClient();
  return (
    <div className="frame-marks flex min-h-40 flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2">
      <ImageOff aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
      <p>The file can’t be loaded. Its link may have expired.</p>
      <Button size="sm" onClick={() => void invalidate(client, ...source)}>
        Get a new link
      </Button>
    </div>
  );
}
