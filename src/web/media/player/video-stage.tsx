import { Maximize } from 'lucide-react';
import { useRef } from 'react';
import { assetSrc } from '#web/api/reference-info.ts';
import { useCommands } from '#web/ui/commands.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { VideoElement } from './media-element.tsx';
import { PlayerBar } from './player-bar.tsx';
import { playerCommands, usePlayer } from './use-player.ts';
import type { VideoPlayerProps } from './video-player.tsx';

/** Fills its container; its keys work on the whole page. Needs a `key` per file. */
export function VideoStage({ video, label, onError }: Pick<VideoPlayerProps, 'video' | 'label' | 'onError'>) {
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
