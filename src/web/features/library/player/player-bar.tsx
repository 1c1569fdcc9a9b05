import { Pause, Play, StepBack, StepForward, Volume2, VolumeX } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { clipClock } from '#web/forms/clip-time.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Select } from '#web/ui/select.tsx';
import { Slider } from '#web/ui/slider.tsx';
import { type Player, RATES } from './use-player.ts';

const icon = 'size-4';
const RATE_OPTIONS = RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }));

/** On a slider the arrow keys move its handle, whatever they do elsewhere. */
export function keepArrows(event: KeyboardEvent) {
  if (/^(Arrow|Home|End|Page)/.test(event.key) && !event.shiftKey) event.stopPropagation();
}

export interface PlayerBarProps {
  player: Player;
  /** "The video", "The sound". */
  what: string;
  /** Where the handle is drawn elsewhere, over a waveform, it is left out here. */
  track?: boolean;
  frames?: boolean;
  children?: ReactNode;
}

/** Plays, scrubs and steps. */
export function PlayerBar({ player, what, track = true, frames = true, children }: PlayerBarProps) {
  const { playing, at_seconds, duration_seconds, rate, muted } = player;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only keeps keys of what is inside
    <section
      aria-label={`${what}, controls`}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement) keepArrows(event);
      }}
      className="flex flex-wrap items-center gap-1 border-t border-line bg-canvas px-3 py-2"
    >
      <IconButton
        label={playing ? 'Pause' : 'Play'}
        icon={playing ? <Pause aria-hidden="true" className={icon} /> : <Play aria-hidden="true" className={icon} />}
        onClick={player.toggle}
      />
      {frames ? (
        <>
          <IconButton
            label="A frame back (,)"
            icon={<StepBack aria-hidden="true" className={icon} />}
            onClick={() => player.step(-1)}
          />
          <IconButton
            label="A frame on (.)"
            icon={<StepForward aria-hidden="true" className={icon} />}
            onClick={() => player.step(1)}
          />
        </>
      ) : null}
      {track && duration_seconds ? (
        <span className="order-first flex w-full min-w-0 sm:order-none sm:w-auto sm:flex-1 sm:px-2">
          <Slider
            label={`Place in ${what.toLowerCase()}`}
            value={Math.min(at_seconds, duration_seconds)}
            min={0}
            max={duration_seconds}
            step={0.01}
            valueText={clipClock(at_seconds)}
            onChange={player.seek}
          />
        </span>
      ) : (
        <span className="flex-1" />
      )}
      <span className="px-1 text-sm whitespace-nowrap text-ink-2 tabular-nums">
        {clipClock(at_seconds)}
        {duration_seconds === null ? '' : ` / ${clipClock(duration_seconds)}`}
      </span>
      <span className="flex items-center gap-1 max-sm:ml-auto">
        <Select
          aria-label="Speed"
          className="w-20"
          value={String(rate)}
          options={RATE_OPTIONS}
          onChange={(value) => player.setRate(Number(value))}
        />
        <IconButton
          label={muted ? 'Sound on (M)' : 'Sound off (M)'}
          icon={
            muted ? <VolumeX aria-hidden="true" className={icon} /> : <Volume2 aria-hidden="true" className={icon} />
          }
          onClick={player.toggleMuted}
        />
        {children}
      </span>
    </section>
  );
}
