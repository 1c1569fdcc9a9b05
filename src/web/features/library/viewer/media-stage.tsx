import { type ReactNode, useMemo, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { AudioStage } from '#web/media/player/audio-stage.tsx';
import { VideoStage } from '#web/media/player/video-stage.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { FailedFile } from '../failed-file.tsx';
import { useZoom } from '../zoom/use-zoom.ts';
import { ZoomButtons, zoomCommands } from '../zoom/zoom-controls.tsx';
import type { PixelDimensions } from '../zoom/zoom.ts';
import { imagePixelSize, ZoomedImage } from '../zoom/zoomed-image.tsx';

interface MediaStageProps {
  medium: MediaItem;
  title: string;
  /** False while another dialog covers the viewer. */
  onStep: (by: 1 | -1) => void;
  onError: () => void;
}

export function MediaStage(props: Omit<MediaStageProps, 'onError'> & { onReload: () => void }) {
  const { medium, onReload, ...rest } = props;
  const [failed, setFailed] = useState<string>();
  const View = stages[medium.type];
  if (failed === medium.url)
    return (
      <FailedFile
        onRetry={() => {
          setFailed(undefined);
          onReload();
        }}
      />
    );
  return <View {...rest} medium={medium} onError={() => setFailed(medium.url)} />;
}

function ImageStage({ medium, title, onStep, onError }: MediaStageProps) {
  const [measured, setMeasured] = useState<PixelDimensions | null>(null);
  const image = useMemo(() => imagePixelSize(medium) ?? measured, [medium, measured]);
  const control = useZoom({ image, onSwipe: onStep });
  useCommands(zoomCommands('Image', control));
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

const ClipStage = ({ medium, title, onError }: MediaStageProps) => (
  <VideoStage video={medium} label={title} onError={onError} />
);

const SoundStage = ({ medium, title, onError }: MediaStageProps) => (
  <AudioStage audio={medium} label={title} onError={onError} />
);

const stages = { image: ImageStage, video: ClipStage, audio: SoundStage } satisfies Record<
  MediaItem['type'],
  (props: MediaStageProps) => ReactNode
>;
