import { useRef } from 'react';
import { assetSrc } from '#web/api/reference-info.ts';
import { MediaTypeIcon } from '#web/media/library/media-thumbnail.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { PlayerBar } from '#web/media/player/player-bar.tsx';
import { playerCommands } from '#web/media/player/player-commands.ts';
import { SeekableWaveform } from '#web/media/player/seekable-waveform.tsx';
import { usePlayer } from '#web/media/player/use-player.ts';
import type { MediaStageProps } from './media-stage.tsx';

const WAVEFORM_BARS = 240;

export function AudioStage({ medium, title, hasShortcuts, onError }: MediaStageProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const player = usePlayer(audio, medium.duration_seconds);
  useCommands(hasShortcuts ? playerCommands('Audio', player) : []);
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
