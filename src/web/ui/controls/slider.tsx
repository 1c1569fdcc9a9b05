import type { CSSProperties } from 'react';
import { cx } from '#web/ui/cx.ts';

export interface SliderProps {
  /** null: nothing is chosen. The handle is in the middle, because either end would suggest a value. */
  value: number | null;
  onChange: (value: number) => void;
  min: number;
  max: number;
  step?: number;
  /** Accessible name; the number field has another label. */
  label: string;
  valueText?: string;
  onBlur?: () => void;
  disabled?: boolean;
  className?: string;
}

export function Slider({
  value,
  onChange,
  min,
  max,
  step = 1,
  label,
  valueText,
  onBlur,
  disabled,
  className,
}: SliderProps) {
  const shown = value ?? (min + max) / 2;
  const fill = value !== null && max > min ? ((value - min) / (max - min)) * 100 : 0;
  const track: CSSProperties & Record<'--fill', string> = { '--fill': `${Math.min(100, Math.max(0, fill))}%` };
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      min={min}
      max={max}
      step={step}
      value={shown}
      style={track}
      disabled={disabled}
      className={cx('range min-w-0 flex-1', (value === null || disabled) && 'opacity-50', className)}
      onChange={(event) => onChange(Number(event.target.value))}
      onBlur={onBlur}
    />
  );
}
