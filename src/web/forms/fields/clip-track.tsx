import type { CSSProperties } from 'react';
import type { NumberFieldSpec } from '#contract/task.ts';
import { formatClipTime } from '#web/media/format-media.ts';
import { useFormValue } from '../form-context.ts';
import { cx } from '#web/ui/cx.ts';

const STEP_SECONDS = 0.01;

// Half a handle wider than the track on each side: the center of a handle is at its time.
const rangeClass = 'absolute inset-y-0 -inset-x-1.5 appearance-none rounded-sm bg-transparent';
const handleClass = cx(
  'pointer-events-none',
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:h-7 [&::-webkit-slider-thumb]:w-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-xs [&::-webkit-slider-thumb]:border [&::-webkit-slider-thumb]:border-amber-ink [&::-webkit-slider-thumb]:bg-amber',
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:h-7 [&::-moz-range-thumb]:w-3 [&::-moz-range-thumb]:rounded-xs [&::-moz-range-thumb]:border [&::-moz-range-thumb]:border-amber-ink [&::-moz-range-thumb]:bg-amber',
);
const seekerClass = 'opacity-0 [&::-webkit-slider-thumb]:w-3 [&::-moz-range-thumb]:w-3';

export function ClipTrack({
  times,
  duration_seconds,
  now_seconds,
  onSeek,
  onSet,
}: {
  times: readonly NumberFieldSpec[];
  duration_seconds: number | null;
  now_seconds: number;
  onSeek: (seconds: number) => void;
  onSet: (field: NumberFieldSpec, seconds: number) => void;
}) {
  const end_seconds = duration_seconds ?? 0;
  const joinedTimes = useFormValue((values) => times.map(({ name }) => String(values[name] ?? '')).join(' '));
  const positions = joinedTimes.split(' ').map((text) => Math.min(end_seconds, Number(text)));
  const toPercent = (seconds: number) => `${end_seconds > 0 ? (seconds / end_seconds) * 100 : 0}%`;
  const [from = 0, to] = positions;
  const highlightStyle: CSSProperties =
    to === undefined
      ? { left: 0, right: `calc(100% - ${toPercent(from)})` }
      : { left: toPercent(from), right: `calc(100% - ${toPercent(to)})` };
  const inputProps = { min: 0, max: end_seconds, step: STEP_SECONDS, disabled: duration_seconds === null };
  return (
    <div className="relative mx-2 h-9">
      <span aria-hidden="true" className="absolute inset-x-0 top-3 h-3 rounded-xs bg-press" />
      <span aria-hidden="true" style={highlightStyle} className="absolute top-3 h-3 bg-amber/50" />
      <input
        type="range"
        {...inputProps}
        aria-label="Position in the video"
        aria-valuetext={formatClipTime(now_seconds)}
        value={now_seconds}
        onChange={(event) => onSeek(Number(event.target.value))}
        className={cx(rangeClass, seekerClass)}
      />
      <span
        aria-hidden="true"
        style={{ left: toPercent(now_seconds) }}
        className="pointer-events-none absolute top-0.5 h-8 w-px bg-ink"
      />
      {times.map((field, index) => (
        <input
          type="range"
          {...inputProps}
          key={field.name}
          aria-label={field.label}
          aria-valuetext={formatClipTime(positions[index] ?? 0)}
          value={positions[index] ?? 0}
          onChange={(event) => onSet(field, Number(event.target.value))}
          className={cx(rangeClass, handleClass)}
        />
      ))}
    </div>
  );
}
