import { type Ref, useState } from 'react';
import { Minus, Plus } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { useFieldControl } from './field.tsx';

export interface NumberFieldProps {
  value: number | null;
  /**
   * Receives null for an empty box, and NaN for a number that is written otherwise, such as "1e3" or "-". Values are not
   * clamped: the form reports them.
   */
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  /** Size of one press of + or −, 1 by default. Any number between steps can be typed. */
  step?: number;
  unit?: string;
  placeholder?: string;
  disabled?: boolean;
  name?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
  className?: string;
}

const stepButtonClass =
  'flex w-8 flex-none items-center justify-center self-stretch text-ink-3 not-disabled:hover:bg-hover not-disabled:hover:text-ink disabled:opacity-40 pointer-coarse:w-11';

/** Renders a number with − and + beside it. Arrow keys step; the mouse wheel never does. */
export function NumberField({ value, onChange, min, max, step = 1, unit, className, ...rest }: NumberFieldProps) {
  const field = useFieldControl();
  const [draft, setDraft] = useState<string | null>(null);
  const number = Number.isNaN(value) ? null : value;
  const shown = draft !== null && Object.is(parseNumber(draft), value) ? draft : number === null ? '' : String(number);
  const stepBy = (direction: 1 | -1) => {
    const next = Number(((number ?? min ?? 0) + direction * step).toFixed(6));
    onChange(Math.min(max ?? Infinity, Math.max(min ?? -Infinity, number === null ? (min ?? 0) : next)));
  };
  return (
    <span className={cx('control flex items-stretch overflow-hidden p-0!', className)}>
      <button
        type="button"
        tabIndex={-1}
        aria-label="Decrease"
        className={cx(stepButtonClass, 'border-r border-line')}
        disabled={rest.disabled || (number !== null && min !== undefined && number <= min)}
        onClick={() => stepBy(-1)}
      >
        <Minus aria-hidden="true" className="size-3.5" />
      </button>
      <input
        type="number"
        inputMode={step % 1 === 0 && (min ?? 0) >= 0 ? 'numeric' : 'decimal'}
        {...field}
        {...rest}
        min={min}
        max={max}
        step="any"
        value={shown}
        className="plain-number min-w-0 flex-1 bg-transparent px-2.5 tabular-nums"
        onWheel={(event) => event.currentTarget.blur()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          stepBy(event.key === 'ArrowUp' ? 1 : -1);
        }}
        // React reports no change while the browser has no number for the text, which stays in the box.
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value);
          onChange(currentTarget.validity.badInput ? Number.NaN : parseNumber(currentTarget.value));
        }}
        onChange={() => undefined}
      />
      {unit && (number !== null || !rest.placeholder) ? (
        <span className="flex items-center pr-2.5 text-sm text-ink-3">{unit}</span>
      ) : null}
      <button
        type="button"
        tabIndex={-1}
        aria-label="Increase"
        className={cx(stepButtonClass, 'border-l border-line')}
        disabled={rest.disabled || (number !== null && max !== undefined && number >= max)}
        onClick={() => stepBy(1)}
      >
        <Plus aria-hidden="true" className="size-3.5" />
      </button>
    </span>
  );
}

function parseNumber(text: string): number | null {
  if (text.trim() === '') return null;
  return /^-?\d*(?:\.\d*)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}
