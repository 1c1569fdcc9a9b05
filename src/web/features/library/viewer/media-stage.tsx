import { type ReactNode, useMemo, useState, useRef } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { FailedFile } from '#web/media/failed-file.tsx';
import { useZoom } from '#web/media/zoom/use-zoom.ts';
import { ZoomButtons, zoomCommands } from '#web/media/zoom/zoom-controls.tsx';
import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import { imagePixelSize, ZoomedImage } from '#web/media/zoom/zoomed-image.tsx';
import { assetSrc } from '#web/api/reference-info.ts';
import { MediaTypeIcon } from '#web/media/library/media-thumbnail.tsx';
import { type AudioPlayerProps, SeekableWaveform } from '#web/media/player/audio-player.tsx';
import { AudioElement, VideoElement } from '#web/media/player/media-element.tsx';
import { PlayerBar } from '#web/media/player/player-bar.tsx';
import { playerCommands, usePlayer } from '#web/media/player/use-player.ts';
import { Maximize } from 'lucide-react';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { VideoPlayerProps } from '#web/media/player/video-player.tsx';

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
            medium={image ? { ...medium, width: image.widthPx, height: image.heightPx } : medium}
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

const BARS = 240;

/** Fills its container; its keys work on the whole page. Needs a `key` per file. */
function AudioStage({ audio, label, onError }: Omit<AudioPlayerProps, 'plain'>) {
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(element, audio.duration_seconds ?? null);
  useCommands(playerCommands('Audio', player));
  const url = audio.derivatives?.waveform_url;
  return (
    <div className="flex size-full flex-col">
      <div className="relative min-h-0 flex-1">
        {url ? (
          <SeekableWaveform
            id={audio.id ?? url}
            url={url}
            bars={BARS}
            player={player}
            className="absolute inset-x-6 top-1/2 h-[min(18rem,60%)] -translate-y-1/2 md:inset-x-16"
          />
        ) : (
          <MediaTypeIcon type="audio" />
        )}
      </div>
      <AudioElement ref={element} src={assetSrc(audio.url)} aria-label={label} preload="auto" onError={onError} />
      <PlayerBar player={player} what="Audio" frames={false} track={!url} />
    </div>
  );
}

/** Fills its container; its keys work on the whole page. Needs a `key` per file. */
function VideoStage({ video, label, onError }: Pick<VideoPlayerProps, 'video' | 'label' | 'onError'>) {
  const element = useRef<HTMLVideoElement>(null);
  const player = usePlayer(element, video.duration_seconds ?? null);
  useCommands(playerCommands('Video', player));
  const poster = video.derivatives?.thumbnails.at(-1);
  return (
    <div className="flex size-full flex-col">
      <div className="relative min-h-0 flex-1">
        <VideoElement
          ref={element}
          src={assetSrc(video.url)}
          poster={poster && assetSrc(poster.url)}
          aria-label={label}
          loop
          preload="auto"
          onClick={player.toggle}
          onError={onError}
          className="absolute inset-0 size-full object-contain"
        />
      </div>
      <PlayerBar player={player} what="Video">
        <IconButton
          className="max-sm:hidden"
          label="Full screen"
          icon={<Maximize aria-hidden="true" className="size-4" />}
          onClick={() => void element.current?.requestFullscreen().catch(() => undefined)}
        />
      </PlayerBar>
    </div>
  );
}
