import { Ban, Expand, ImageOff } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/forms/media-info.ts';
import { queryKeys } from '#web/queries/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';

const PictureZoom = lazy(async () => ({ default: (await import('#web/outputs/picture-zoom.tsx')).PictureZoom }));

interface AssetViewProps {
  asset: Pick<Asset, 'type' | 'url' | 'width' | 'height' | 'removed_at'>;
  label: string;
  /** What to read anew for another link, where this one has run out. */
  source?: QueryKey;
}

/** One output: a picture to look into, or a player. */
export function AssetView({ asset, label, source = queryKeys.generations.all }: AssetViewProps) {
  const [failedUrl, setFailedUrl] = useState<string>();
  if (asset.removed_at) return <Removed at={asset.removed_at} />;
  if (failedUrl === asset.url) return <Unreachable source={source} />;
  const View = views[asset.type];
  return <View asset={asset} label={label} onError={() => setFailedUrl(asset.url)} />;
}

interface ViewProps extends AssetViewProps {
  onError: () => void;
}

const frame = 'relative flex justify-center overflow-hidden rounded-md bg-sunken';
const fitted = 'max-h-[62dvh] w-auto max-w-full object-contain';
/** As large as it is or as fits, before it is loaded: nothing below jumps, away from under a pointer about to press. */
const size = ({ width, height }: ViewProps['asset']) =>
  width && height
    ? { width: `min(100%, ${width}px, ${(62 * width) / height}dvh)`, aspectRatio: `${width} / ${height}` }
    : undefined;

const views = { image: Picture, video: Clip, audio: Sound } satisfies Record<Asset['type'], typeof Picture>;

function Picture({ asset, label, onError }: ViewProps) {
  const [zoomed, setZoomed] = useState(false);
  const src = assetSrc(asset.url);
  return (
    <div className={frame}>
      <button
        type="button"
        onClick={() => setZoomed(true)}
        aria-label={`Look closer at ${label.toLowerCase()}`}
        className="group/zoom relative flex cursor-zoom-in! justify-center"
        style={size(asset)}
      >
        <img src={src} alt={label} decoding="async" className={fitted} onError={onError} />
        <span className="absolute right-2 bottom-2 flex size-8 items-center justify-center rounded-md bg-canvas text-ink-2 opacity-0 transition-opacity group-hover/zoom:opacity-100 group-focus-visible/zoom:opacity-100">
          <Expand aria-hidden="true" className="size-4" />
        </span>
      </button>
      {zoomed ? (
        <Suspense>
          <PictureZoom
            src={src}
            label={label}
            width={asset.width}
            height={asset.height}
            onClose={() => setZoomed(false)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

function Clip({ asset, label, onError }: ViewProps) {
  return (
    <div className={frame}>
      <video
        src={assetSrc(asset.url)}
        controls
        playsInline
        loop
        preload="metadata"
        aria-label={label}
        style={size(asset)}
        className={fitted}
        onError={onError}
      />
    </div>
  );
}

function Sound({ asset, label, onError }: ViewProps) {
  return (
    <audio
      src={assetSrc(asset.url)}
      controls
      preload="metadata"
      aria-label={label}
      className="w-full"
      onError={onError}
    />
  );
}

/** Somebody deleted it, or its time ran out. */
function Removed({ at }: { at: string }) {
  return (
    <div className="frame-marks flex min-h-40 flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2">
      <Ban aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
      <p>
        This file was deleted <RelativeTime at={at} />. What made it stays, with its cost.
      </p>
    </div>
  );
}

function Unreachable({ source }: { source: QueryKey }) {
  const client = useQueryClient();
  return (
    <div className="frame-marks flex min-h-40 flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2">
      <ImageOff aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
      <p>The file can’t be loaded. Its link may have run out.</p>
      <Button size="sm" onClick={() => void client.invalidateQueries({ queryKey: source })}>
        Get a new link
      </Button>
    </div>
  );
}
