import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { cx } from '#web/ui/cx.ts';
import { fittedSize, type PixelDimensions, type Zoom } from './zoom.ts';

/** Returns null if the service could not measure the image. */
export const imagePixelSize = ({ width, height }: Pick<MediaItem, 'width' | 'height'>): PixelDimensions | null =>
  width && height ? { width_px: width, height_px: height } : null;

export interface ZoomedImageProps {
  medium: Pick<MediaItem, 'id' | 'url' | 'width' | 'height' | 'derivatives'>;
  label: string;
  zoom: Zoom;
  stage: PixelDimensions;
  onMeasured?: (size: PixelDimensions) => void;
  onError?: () => void;
}

/** Shows the thumbnail until the full image has loaded. */
export function ZoomedImage({ medium, label, zoom, stage, onMeasured, onError }: ZoomedImageProps) {
  const [loaded, setLoaded] = useState(false);
  const small = medium.derivatives?.thumbnails.at(-1);
  const own = imagePixelSize(medium);
  const fitted = own && stage.width_px > 0 ? fittedSize(own, stage) : null;
  const place = {
    width: fitted?.width_px,
    height: fitted?.height_px,
    transform: `translate(-50%, -50%) translate(${zoom.x_px}px, ${zoom.y_px}px) scale(${zoom.scale})`,
    // Strongly enlarged pixels stay sharp.
    imageRendering: own && fitted && zoom.scale * fitted.width_px > own.width_px * 3 ? 'pixelated' : undefined,
  } as const;
  const picture = cx('absolute top-1/2 left-1/2 max-w-none select-none', !fitted && 'max-h-full max-w-full');
  return (
    <span className="pointer-events-none absolute inset-0 block">
      {small && !loaded ? (
        <img src={assetSrc(small.url)} alt="" draggable={false} className={picture} style={place} />
      ) : null}
      <img
        src={assetSrc(medium.url)}
        alt={label}
        draggable={false}
        decoding="async"
        className={cx(picture, small && !loaded && 'opacity-0')}
        style={place}
        onLoad={({ currentTarget }) => {
          setLoaded(true);
          onMeasured?.({ width_px: currentTarget.naturalWidth, height_px: currentTarget.naturalHeight });
        }}
        onError={onError}
      />
    </span>
  );
}
