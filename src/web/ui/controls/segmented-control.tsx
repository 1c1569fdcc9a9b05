import { useId, type ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { useFieldGroup } from './field.tsx';

interface SegmentOption<T extends string> {
  value: T;
  label: ReactNode;
  /** Accessible name, where `label` is only an icon. */
  name?: string;
  disabled?: boolean;
  /** Looks disabled, but `onChange` still receives it, so that the caller can explain or repair the conflict. */
  blocked?: boolean;
  /** Why it can't be chosen, or what it does; shown on hover and focus. */
  hint?: string;
}

export interface SegmentedControlProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  options: readonly SegmentOption<T>[];
  label?: string;
  size?: 'sm' | 'md';
  stretch?: boolean;
  disabled?: boolean;
  className?: string;
}

/** Selects one of a few options. Use a Select for more than about six. */
export function SegmentedControl<T extends string>({
  value,
  onChange,
  options,
  label,
  size = 'md',
  stretch,
  disabled,
  className,
}: SegmentedControlProps<T>) {
  const group = useFieldGroup();
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      {...(label ? {} : group)}
      className={cx(
        'flex max-w-full gap-0.5 rounded-md border border-line bg-sunken p-0.5',
        stretch ? 'w-full' : 'w-fit flex-wrap',
        className,
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          data-tooltip={option.hint ?? option.name}
          className={cx(
            'relative flex min-w-0 items-center justify-center gap-1.5 rounded-sm border border-transparent px-2.5 text-center text-sm font-medium wrap-anywhere text-ink-2 transition-colors select-none [unicode-bidi:isolate]',
            'has-checked:border-line-strong has-checked:bg-raised has-checked:text-ink has-disabled:opacity-50',
            'not-has-checked:not-has-disabled:hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus',
            size === 'sm' ? 'min-h-6 px-2' : 'min-h-7.5 py-0.5 pointer-coarse:min-h-10',
            stretch && 'flex-1 px-1.5',
            option.blocked && 'text-ink-3 line-through decoration-edge',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={disabled || option.disabled}
            aria-label={option.name}
            aria-describedby={option.hint ? `${name}-${option.value}` : undefined}
            aria-disabled={option.blocked || undefined}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full appearance-none outline-none"
          />
          {option.label}
          {option.hint ? (
            <span id={`${name}-${option.value}`} hidden>
              {option.hint}
            </span>
          ) : null}
        </label>
      ))}
    </div>
  );
}
