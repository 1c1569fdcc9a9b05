import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { MediaTypeIcon } from '#web/media/library/media-thumbnail.tsx';
import { SeekableWaveform } from '#web/media/player/audio-player.tsx';
import { PlayerBar } from '#web/media/player/player-bar.tsx';
import { playerCommands, usePlayer } from '#web/media/player/use-player.ts';
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

const stages = { image: ImageStage, video: VideoStage, audio: AudioStage } satisfies Record<
  MediaItem['type'],
  (props: MediaStageProps) => ReactNode
>;

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

function VideoStage({ medium, title, onError }: MediaStageProps) {
  const video = useRef<HTMLVideoElement>(null);
  const player = usePlayer(video, medium.duration_seconds);
  useCommands(playerCommands('Video', player));
  const poster = medium.derivatives?.thumbnails.at(-1);
  return (
    <div className="flex size-full flex-col">
      <div className="relative min-h-0 flex-1">
        {/* Uploaded and generated videos have no captions. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- see above */}
        <video
          ref={video}
          src={assetSrc(medium.url)}
          poster={poster && assetSrc(poster.url)}
          aria-label={title}
          playsInline
          loop
          preload="auto"
          onClick={player.toggle}
          onError={onError}
          className="absolute inset-0 size-full object-contain"
        />
      </div>
      <PlayerBar player={player} what="Video" />
    </div>
  );
}

const WAVEFORM_BARS = 240;

function AudioStage({ medium, title, onError }: MediaStageProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const player = usePlayer(audio, medium.duration_seconds);
  useCommands(playerCommands('Audio', player));
  const url = medium.derivatives?.waveform_url;
  return (
    <div className="flex size-full flex-col">
      <div className="relative min-h-0 flex-1">
        {url ? (
          <SeekableWaveform
            id={medium.id}
            url={url}
            bars={WAVEFORM_BARS}
            player={player}
            className="absolute inset-x-6 top-1/2 h-[min(18rem,60%)] -translate-y-1/2 md:inset-x-16"
          />
        ) : (
          <MediaTypeIcon type="audio" />
        )}
      </div>
      {/* Uploaded and generated audio has no captions. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- see above */}
      <audio ref={audio} src={assetSrc(medium.url)} aria-label={title} preload="auto" onError={onError} />
      <PlayerBar player={player} what="Audio" frames={false} track={!url} />
    </div>
  );
}
