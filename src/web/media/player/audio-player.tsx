import { useRef } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { PlayerBar } from './player-bar.tsx';
import { SeekableWaveform } from './seekable-waveform.tsx';
import { usePlayer } from './use-player.ts';
import { cx } from '#web/ui/cx.ts';

const BARS = 160;

export interface AudioPlayerProps {
  audio: Pick<Asset, 'url'> & Partial<Pick<Asset, 'id' | 'duration_seconds' | 'derivatives'>>;
  label: string;
  plain?: boolean;
  onError?: () => void;
}

/** Needs a `key` per file. */
export function AudioPlayer({ audio, label, plain = false, onError }: AudioPlayerProps) {
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
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- generated media have no captions */}
      <audio ref={element} src={assetSrc(audio.url)} aria-label={label} preload="metadata" onError={onError} />
      <PlayerBar player={player} what="Audio" frames={false} track={!url} compact />
    </div>
  );
}
