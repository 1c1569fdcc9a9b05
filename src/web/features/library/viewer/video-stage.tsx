import { useRef } from 'react';
import { assetSrc } from '#web/api/reference-info.ts';
import { useCommands } from '#web/ui/commands.ts';
import { PlayerBar } from '#web/media/player/player-bar.tsx';
import { playerCommands } from '#web/media/player/player-commands.ts';
import { usePlayer } from '#web/media/player/use-player.ts';
import type { MediaStageProps } from './media-stage.tsx';

export function VideoStage({ medium, title, hasShortcuts, onError }: MediaStageProps) {
  const video = useRef<HTMLVideoElement>(null);
  const player = usePlayer(video, medium.duration_seconds);
  useCommands(hasShortcuts ? playerCommands('Video', player) : []);
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
