import { useRef } from 'react';
import { assetSrc } from '#web/api/reference-info.ts';
import { useCommands } from '#web/ui/commands.ts';
import { MediaTypeIcon } from '../library/media-thumbnail.tsx';
import { type AudioPlayerProps, SeekableWaveform } from './audio-player.tsx';
import { AudioElement } from './media-element.tsx';
import { PlayerBar } from './player-bar.tsx';
import { playerCommands, usePlayer } from './use-player.ts';

const BARS = 240;

/** Fills its container; its keys work on the whole page. Needs a `key` per file. */
export function AudioStage({ audio, label, onError }: Omit<AudioPlayerProps, 'plain'>) {
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
