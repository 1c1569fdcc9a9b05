import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { cx } from '#web/ui/cx.ts';
import { fittedSize, type PixelDimensions, type Zoom } from './zoom.ts';

/** Returns null if the service could not measure the image. */
export const imagePixelSize = ({ width, height }: Pick<MediaItem, 'width' | 'height'>): PixelDimensions | null =>
  width && height ? { widthPx: width, heightPx: height } : null;

/** Places what lies over an image, or the image itself, in the middle of its stage. */
export const zoomedStyle = (fitted: PixelDimensions | null, zoom: Zoom) => ({
  width: fitted?.widthPx,
  height: fitted?.heightPx,
  transform: `translate(-50%, -50%) translate(${zoom.xPx}px, ${zoom.yPx}px) scale(${zoom.scale})`,
});

interface ZoomedImageProps {
  medium: Pick<MediaItem, 'url' | 'width' | 'height' | 'derivatives'>;
  label: string;
  zoom: Zoom;
  stage: PixelDimensions;
  onMeasured?: (size: PixelDimensions) => void;
  onError?: () => void;
}

export function ZoomedImage({ medium, label, zoom, stage, onMeasured, onError }: ZoomedImageProps) {
  const [loaded, setLoaded] = useState(false);
  const thumbnail = medium.derivatives?.thumbnails.at(-1);
  const pixelSize = imagePixelSize(medium);
  const fitted = pixelSize && stage.widthPx > 0 ? fittedSize(pixelSize, stage) : null;
  const imageStyle = {
    ...zoomedStyle(fitted, zoom),
    // Strongly enlarged pixels stay sharp.
    imageRendering:
      pixelSize && fitted && zoom.scale * fitted.widthPx > pixelSize.widthPx * 3 ? 'pixelated' : undefined,
  } as const;
  const imageClass = cx('absolute top-1/2 left-1/2 max-w-none select-none', !fitted && 'max-h-full max-w-full');
  return (
    <span className="pointer-events-none absolute inset-0 block">
      {thumbnail && !loaded ? (
        <img src={assetSrc(thumbnail.url)} alt="" draggable={false} className={imageClass} style={imageStyle} />
      ) : null}
      <img
        src={assetSrc(medium.url)}
        alt={label}
        draggable={false}
        decoding="async"
        className={cx(imageClass, thumbnail && !loaded && 'opacity-0')}
        style={imageStyle}
        onLoad={({ currentTarget }) => {
          setLoaded(true);
          onMeasured?.({ widthPx: currentTarget.naturalWidth, heightPx: currentTarget.naturalHeight });
        }}
        onError={onError}
      />
    </span>
  );
}
