import { formatClipTime } from './format-clip-time.ts';
import { WaveformView } from '../library/waveform-view.tsx';
import { stopArrowKeys } from './player-bar.tsx';
import type { usePlayer } from './use-player.ts';

interface SeekableWaveformProps {
  id: string;
  url: string;
  bars: number;
  player: ReturnType<typeof usePlayer>;
  className: string;
}

export function SeekableWaveform({ id, url, bars, player, className }: SeekableWaveformProps) {
  const duration_seconds = player.duration_seconds;
  return (
    <div className={className}>
      <div className="relative size-full">
        <WaveformView
          id={id}
          url={url}
          bars={bars}
          played={duration_seconds ? player.at_seconds / duration_seconds : 0}
          className="size-full text-ink-3"
        />
        {duration_seconds ? (
          <input
            type="range"
            aria-label="Position in audio"
            aria-valuetext={formatClipTime(player.at_seconds)}
            min={0}
            max={duration_seconds}
            step={0.01}
            value={Math.min(player.at_seconds, duration_seconds)}
            onChange={(event) => player.seek(Number(event.target.value))}
            onKeyDown={stopArrowKeys}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        ) : null}
      </div>
    </div>
  );
}
