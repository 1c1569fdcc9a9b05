import { Maximize } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { fittedStyle } from './fitted-style.ts';
import { VideoElement } from './media-element.tsx';
import { PlayerBar } from './player-bar.tsx';
import { type Player, usePlayer } from './use-player.ts';

export interface VideoPlayerProps {
  video: Pick<Asset, 'url' | 'width' | 'height'> & Partial<Pick<Asset, 'duration_seconds' | 'derivatives'>>;
  label: string;
  maxHeight: string;
  /** Replaces the slider. The clip then shows exact frames and does not loop. */
  renderTimeline?: (player: Player) => ReactNode;
  onStop?: (player: Player) => void;
  onError?: () => void;
  /** Of the picture only: a drag from the bar would move its slider. */
  dragProps?: Pick<ComponentProps<'video'>, 'draggable' | 'onDragStart'>;
}

/** Needs a `key` per file. */
export function VideoPlayer({ video, label, maxHeight, renderTimeline, onStop, onError, dragProps }: VideoPlayerProps) {
  const element = useRef<HTMLVideoElement>(null);
  const player = usePlayer(element, video.duration_seconds ?? null, onStop);
  const poster = renderTimeline ? undefined : video.derivatives?.thumbnails.at(-1);
  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex justify-center">
        <VideoElement
          {...dragProps}
          ref={element}
          src={assetSrc(video.url)}
          poster={poster && assetSrc(poster.url)}
          aria-label={label}
          loop={!renderTimeline}
          preload={renderTimeline ? 'auto' : 'metadata'}
          onClick={player.toggle}
          onError={onError}
          style={fittedStyle(video, maxHeight)}
          className="max-w-full object-contain"
        />
      </div>
      <PlayerBar player={player} what="Video" timeline={renderTimeline?.(player)} compact>
        <IconButton
          label="Full screen"
          icon={<Maximize aria-hidden="true" className="size-4" />}
          onClick={() => void element.current?.requestFullscreen().catch(() => undefined)}
        />
      </PlayerBar>
    </div>
  );
}
