import type { ComponentProps } from 'react';
import { ChevronDown } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { useFieldControl } from './field.tsx';

export interface SelectOption<T extends string> {
  value: T;
  label: string;
  disabled?: boolean;
  note?: string;
  group?: string;
}

export interface SelectProps<T extends string> extends Omit<
  ComponentProps<'select'>,
  'value' | 'onChange' | 'children'
> {
  value: T | '';
  onChange: (value: T) => void;
  options: readonly SelectOption<T>[];
  placeholder?: string;
}

/** Selects one of many options with the native list, which works best on a phone and in a screen reader. */
export function Select<T extends string>({
  value,
  onChange,
  options,
  placeholder,
  className,
  ...rest
}: SelectProps<T>) {
  const field = useFieldControl();
  const groups = [...new Set(options.map((option) => option.group))];
  return (
    <span className={cx('relative flex', className)}>
      <select
        {...field}
        {...rest}
        value={value}
        className="control"
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {placeholder !== undefined ? (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        ) : null}
        {groups.map((group) => {
          const items = options
            .filter((option) => option.group === group)
            .map((option) => <SelectItem key={option.value} option={option} />);
          return group ? (
            <optgroup key={group} label={group}>
              {items}
            </optgroup>
          ) : (
            items
          );
        })}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}

function SelectItem({ option }: { option: SelectOption<string> }) {
  return (
    <option value={option.value} disabled={option.disabled}>
      {option.note ? `${option.label} (${option.note})` : option.label}
    </option>
  );
}
