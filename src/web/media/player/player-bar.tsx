import { Pause, Play, StepBack, StepForward, Volume2, VolumeX } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { formatClipTime } from '../format-media.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Slider } from '#web/ui/controls/slider.tsx';
import { cx } from '#web/ui/cx.ts';
import { type Player, PLAYBACK_RATES, playerCommands } from './use-player.ts';

const icon = 'size-4';
const RATE_OPTIONS = PLAYBACK_RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }));

/** Keeps the arrow keys of a slider from the shortcuts of the page. */
export function stopArrowKeys(event: KeyboardEvent) {
  if (/^(Arrow|Home|End|Page)/.test(event.key) && !event.shiftKey) event.stopPropagation();
}

/** Shortcuts work inside the controls only, because a page may have several players. */
function runCommand(event: KeyboardEvent, player: Player) {
  const { target, key } = event;
  if (target instanceof HTMLInputElement) stopArrowKeys(event);
  if (event.ctrlKey || event.metaKey || event.altKey || target instanceof HTMLSelectElement) return;
  if (key === ' ' && target instanceof HTMLButtonElement) return;
  const command = playerCommands('', player).find(({ keys }) => keys === key.toLowerCase());
  if (!command) return;
  event.preventDefault();
  command.run();
}

export interface PlayerBarProps {
  player: Player;
  what: string;
  track?: boolean;
  timeline?: ReactNode;
  frames?: boolean;
  compact?: boolean;
  children?: ReactNode;
}

export function PlayerBar({
  player,
  what,
  timeline,
  track = !timeline,
  frames = true,
  compact = false,
  children,
}: PlayerBarProps) {
  const { playing, at_seconds, duration_seconds, rate, muted } = player;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the controls inside
    <section
      aria-label={`${what}, controls`}
      onKeyDown={(event) => runCommand(event, player)}
      className={cx('border-t border-line', compact ? '@container bg-surface px-1.5 py-1' : 'bg-canvas px-3 py-2')}
    >
      {timeline}
      <div className={cx('flex items-center gap-1', !compact && 'flex-wrap')}>
        <IconButton
          label={playing ? 'Pause' : 'Play'}
          icon={playing ? <Pause aria-hidden="true" className={icon} /> : <Play aria-hidden="true" className={icon} />}
          onClick={player.toggle}
        />
        {frames ? (
          <span className={cx('flex flex-none gap-1', compact && track && 'hidden @md:flex')}>
            <IconButton
              label="Previous frame (,)"
              icon={<StepBack aria-hidden="true" className={icon} />}
              onClick={() => player.step(-1)}
            />
            <IconButton
              label="Next frame (.)"
              icon={<StepForward aria-hidden="true" className={icon} />}
              onClick={() => player.step(1)}
            />
          </span>
        ) : null}
        {track && duration_seconds ? (
          <span
            className={cx(
              'flex min-w-0',
              compact ? 'flex-1 px-1' : 'order-first w-full sm:order-none sm:w-auto sm:flex-1 sm:px-2',
            )}
          >
            <Slider
              label={`Position in ${what.toLowerCase()}`}
              value={Math.min(at_seconds, duration_seconds)}
              min={0}
              max={duration_seconds}
              step={0.01}
              valueText={formatClipTime(at_seconds)}
              onChange={player.seek}
            />
          </span>
        ) : (
          <span className="flex-1" />
        )}
        <span className={cx('px-1 text-sm whitespace-nowrap text-ink-2 tabular-nums', compact && 'hidden @3xs:inline')}>
          {formatClipTime(at_seconds)}
          {duration_seconds === null ? null : (
            <span className={cx(compact && 'hidden @sm:inline')}>{` / ${formatClipTime(duration_seconds)}`}</span>
          )}
        </span>
        <span className={cx('flex items-center gap-1', !compact && 'max-sm:ml-auto')}>
          <span className={cx(compact && 'hidden @lg:block')}>
            <Select
              aria-label="Speed"
              className="w-20"
              value={String(rate)}
              options={RATE_OPTIONS}
              onChange={(value) => player.setRate(Number(value))}
            />
          </span>
          <IconButton
            label={muted ? 'Unmute (M)' : 'Mute (M)'}
            icon={
              muted ? <VolumeX aria-hidden="true" className={icon} /> : <Volume2 aria-hidden="true" className={icon} />
            }
            onClick={player.toggleMuted}
          />
          {children}
        </span>
      </div>
    </section>
  );
}
