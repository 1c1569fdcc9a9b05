import { Maximize } from 'lucide-react';
import { type ComponentProps, type ReactNode, useRef } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { useCommands } from '#web/ui/commands.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { fittedStyle } from './fitted-style.ts';
import { PlayerBar } from './player-bar.tsx';
import { VideoElement } from './media-element.tsx';
import { type Player, playerCommands, usePlayer } from './use-player.ts';

export interface VideoPlayerProps {
  video: Pick<Asset, 'url' | 'width' | 'height'> & Partial<Pick<Asset, 'duration_seconds' | 'derivatives'>>;
  label: string;
  /** Of the picture. Without it the player fills its container, and its keys work on the whole page. */
  max_height?: string | undefined;
  /** Replaces the slider. The clip then shows exact frames and does not loop. */
  renderTimeline?: (player: Player) => ReactNode;
  onStop?: (player: Player) => void;
  onError?: () => void;
  /** Of the picture only: a drag from the bar would move its slider. */
  dragProps?: Pick<ComponentProps<'video'>, 'draggable' | 'onDragStart'>;
}

const NO_COMMANDS: [] = [];

/** Needs a `key` per file. */
export function VideoPlayer({
  video,
  label,
  max_height,
  renderTimeline,
  onStop,
  onError,
  dragProps,
}: VideoPlayerProps) {
  const element = useRef<HTMLVideoElement>(null);
  const player = usePlayer(element, video.duration_seconds ?? null, onStop);
  const fills = max_height === undefined;
  useCommands(fills ? playerCommands('Video', player) : NO_COMMANDS);
  const poster = renderTimeline ? undefined : video.derivatives?.thumbnails.at(-1);
  return (
    <div
      className={cx(
        'min-w-0 overflow-hidden',
        fills ? 'flex size-full flex-col' : 'rounded-md border border-line bg-sunken',
      )}
    >
      <div className={fills ? 'relative min-h-0 flex-1' : 'flex justify-center'}>
        <VideoElement
          {...dragProps}
          ref={element}
          src={assetSrc(video.url)}
          poster={poster && assetSrc(poster.url)}
          aria-label={label}
          loop={!renderTimeline}
          preload={renderTimeline || fills ? 'auto' : 'metadata'}
          onClick={player.toggle}
          onError={onError}
          style={fills ? undefined : fittedStyle(video, max_height)}
          className={fills ? 'absolute inset-0 size-full object-contain' : 'max-w-full object-contain'}
        />
      </div>
      <PlayerBar player={player} what="Video" timeline={renderTimeline?.(player)} compact={!fills}>
        <IconButton
          className={fills ? 'max-sm:hidden' : undefined}
          label="Full screen"
          icon={<Maximize aria-hidden="true" className="size-4" />}
          onClick={() => void element.current?.requestFullscreen().catch(() => undefined)}
        />
      </PlayerBar>
    </div>
  );
}
