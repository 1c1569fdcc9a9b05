import type { CSSProperties } from 'react';
import { cx } from '#web/ui/cx.ts';
import { useFieldControl } from '#web/ui/field.tsx';

export interface SliderProps {
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** How the value is said and shown at the right, for instance `(v) => `${v} s``. */
  format?: (value: number) => string;
  disabled?: boolean;
  name?: string;
  onBlur?: () => void;
  className?: string;
}

/** A value on a track. For numbers where the rough place matters more than the digits. */
export function Slider({ value, onChange, min, max, step = 1, format = String, className, ...rest }: SliderProps) {
  const field = useFieldControl();
  const fill = max > min ? ((value - min) / (max - min)) * 100 : 0;
  const track: CSSProperties & Record<'--fill', string> = { '--fill': `${fill}%` };
  return (
    <span className={cx('flex items-center gap-3', className)}>
      <input
        type="range"
        {...field}
        {...rest}
        min={min}
        max={max}
        step={step}
        value={value}
        style={track}
        aria-valuetext={format(value)}
        className="range min-w-0 flex-1"
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output className="min-w-12 flex-none text-right text-sm text-ink-2 tabular-nums">{format(value)}</output>
    </span>
  );
}
