import { GripVertical } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { cx } from '#web/ui/cx.ts';
import { formatClipTime } from '../format-media.ts';
import { WaveformView } from '../library/waveform-view.tsx';
import { AudioElement } from './media-element.tsx';
import { PlayerBar, stopArrowKeys } from './player-bar.tsx';
import { usePlayer } from './use-player.ts';

const BARS = 160;

export interface AudioPlayerProps {
  audio: Pick<Asset, 'url'> & Partial<Pick<Asset, 'id' | 'duration_seconds' | 'derivatives'>>;
  label: string;
  plain?: boolean;
  /** Adds a handle by which the file can be dragged: a drag from the waveform moves the position. */
  dragProps?: Pick<ComponentProps<'span'>, 'draggable' | 'onDragStart'>;
  onError?: () => void;
}

/** Needs a `key` per file. */
export function AudioPlayer({ audio, label, plain = false, dragProps, onError }: AudioPlayerProps) {
  const element = useRef<HTMLAudioElement>(null);
  const player = usePlayer(element, audio.duration_seconds ?? null);
  const url = audio.derivatives?.waveform_url;
  return (
    <div
      className={cx(
        'min-w-0 overflow-hidden bg-sunken',
        plain ? 'border-t border-line' : 'rounded-md border border-line',
      )}
    >
      {url ? (
        <SeekableWaveform
          id={audio.id ?? url}
          url={url}
          bars={BARS}
          player={player}
          className={cx('px-4 py-3', plain ? 'h-16' : 'h-28')}
        />
      ) : null}
      <AudioElement ref={element} src={assetSrc(audio.url)} aria-label={label} preload="metadata" onError={onError} />
      <PlayerBar player={player} what="Audio" frames={false} track={!url} compact>
        {dragProps ? (
          <span
            {...dragProps}
            aria-hidden="true"
            data-tooltip="Drag onto a field for audio"
            className="flex size-9 flex-none cursor-grab items-center justify-center rounded-md text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:hidden"
          >
            <GripVertical className="size-4" />
          </span>
        ) : null}
      </PlayerBar>
    </div>
  );
}

interface SeekableWaveformProps {
  id: string;
  url: string;
  bars: number;
  player: ReturnType<typeof usePlayer>;
  className: string;
}

export function SeekableWaveform({ id, url, bars, player, className }: SeekableWaveformProps) {
  const durationSeconds = player.duration_seconds;
  return (
    <div className={className}>
      <div className="relative size-full">
        <WaveformView
          id={id}
          url={url}
          bars={bars}
          played={durationSeconds ? player.at_seconds / durationSeconds : 0}
          className="size-full text-ink-3"
        />
        {durationSeconds ? (
          <input
            type="range"
            aria-label="Position in audio"
            aria-valuetext={formatClipTime(player.at_seconds)}
            min={0}
            max={durationSeconds}
            step={0.01}
            value={Math.min(player.at_seconds, durationSeconds)}
            onChange={(event) => player.seek(Number(event.target.value))}
            onKeyDown={stopArrowKeys}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
          />
        ) : null}
      </div>
    </div>
  );
}
