import { useMemo, useState } from 'react';
import { useCommands } from '#web/ui/commands.ts';
import { cx } from '#web/ui/cx.ts';
import type { PixelDimensions } from '../zoom/zoom.ts';
import { useZoom } from '../zoom/use-zoom.ts';
import { ZoomButtons } from '../zoom/zoom-buttons.tsx';
import { zoomCommands } from '../zoom/zoom-commands.ts';
import { imagePixelSize, ZoomedImage } from '../zoom/zoomed-image.tsx';
import type { MediaStageProps } from './media-stage.tsx';

export function ImageStage({ medium, title, hasShortcuts, onStep, onError }: MediaStageProps) {
  const [measured, setMeasured] = useState<PixelDimensions | null>(null);
  const image = useMemo(() => imagePixelSize(medium) ?? measured, [medium, measured]);
  const control = useZoom({ image, onSwipe: onStep });
  useCommands(hasShortcuts ? zoomCommands('Image', control) : []);
  const { zoom, frame, stage, dragging } = control;
  return (
    <div className="flex size-full flex-col">
      <div className="min-h-0 flex-1 overflow-hidden p-3">
        <div
          {...stage}
          className={cx(
            'relative size-full touch-none',
            zoom.scale > 1 && (dragging ? 'cursor-grabbing' : 'cursor-grab'),
          )}
        >
          <ZoomedImage
            medium={image ? { ...medium, width: image.width_px, height: image.height_px } : medium}
            label={title}
            zoom={zoom}
            stage={frame.stage}
            onMeasured={setMeasured}
            onError={onError}
          />
        </div>
      </div>
      <div className="z-1 flex flex-none justify-end border-t border-line bg-canvas px-3 py-2">
        <ZoomButtons control={control} />
      </div>
    </div>
  );
}
