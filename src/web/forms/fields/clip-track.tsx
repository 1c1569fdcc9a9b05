import type { CSSProperties } from 'react';
import type { NumberFieldSpec } from '#contract/task.ts';
import { formatClipTime } from '#web/media/player/format-clip-time.ts';
import { useFormValue } from '../form-context.ts';
import { cx } from '#web/ui/cx.ts';

const STEP_SECONDS = 0.01;

// Half a handle wider than the track on each side, so that the center of a handle lies exactly at its time.
const range = 'absolute inset-y-0 -inset-x-1.5 appearance-none rounded-sm bg-transparent';
const handle = cx(
  'pointer-events-none',
  '[&::-webkit-slider-thumb]:pointer-events-auto [&::-webkit-slider-thumb]:h-7 [&::-webkit-slider-thumb]:w-3 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-xs [&::-webkit-slider-thumb]:border [&::-webkit-slider-thumb]:border-amber-ink [&::-webkit-slider-thumb]:bg-amber',
  '[&::-moz-range-thumb]:pointer-events-auto [&::-moz-range-thumb]:h-7 [&::-moz-range-thumb]:w-3 [&::-moz-range-thumb]:rounded-xs [&::-moz-range-thumb]:border [&::-moz-range-thumb]:border-amber-ink [&::-moz-range-thumb]:bg-amber',
);
const seeker = 'opacity-0 [&::-webkit-slider-thumb]:w-3 [&::-moz-range-thumb]:w-3';

/** A timeline with a handle for each time, a highlighted clip and a playhead. */
export function ClipTrack({
  times,
  duration_seconds,
  now_seconds,
  onSeek,
  onSet,
}: {
  times: readonly NumberFieldSpec[];
  /** null while the video loads. */
  duration_seconds: number | null;
  now_seconds: number;
  onSeek: (seconds: number) => void;
  onSet: (field: NumberFieldSpec, seconds: number) => void;
}) {
  const end_seconds = duration_seconds ?? 0;
  const given = useFormValue((values) => times.map(({ name }) => String(values[name] ?? '')).join(' '));
  const places = given.split(' ').map((text) => Math.min(end_seconds, Number(text)));
  const share = (seconds: number) => `${end_seconds > 0 ? (seconds / end_seconds) * 100 : 0}%`;
  const [from = 0, to] = places;
  const lit: CSSProperties =
    to === undefined
      ? { left: 0, right: `calc(100% - ${share(from)})` }
      : { left: share(from), right: `calc(100% - ${share(to)})` };
  const common = { min: 0, max: end_seconds, step: STEP_SECONDS, disabled: duration_seconds === null };
  return (
    <div className="relative mx-2 h-9">
      <span aria-hidden="true" className="absolute inset-x-0 top-3 h-3 rounded-xs bg-press" />
      <span aria-hidden="true" style={lit} className="absolute top-3 h-3 bg-amber/50" />
      <input
        type="range"
        {...common}
        aria-label="Place in the video"
        aria-valuetext={formatClipTime(now_seconds)}
        value={now_seconds}
        onChange={(event) => onSeek(Number(event.target.value))}
        className={cx(range, seeker)}
      />
      <span
        aria-hidden="true"
        style={{ left: share(now_seconds) }}
        className="pointer-events-none absolute top-0.5 h-8 w-px bg-ink"
      />
      {times.map((field, at) => (
        <input
          type="range"
          {...common}
          key={field.name}
          aria-label={field.label}
          aria-valuetext={formatClipTime(places[at] ?? 0)}
          value={places[at] ?? 0}
          onChange={(event) => onSet(field, Number(event.target.value))}
          className={cx(range, handle)}
        />
      ))}
    </div>
  );
}
