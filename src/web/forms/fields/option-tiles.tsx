import { useId, type CSSProperties } from 'react';
import { Sparkles } from 'lucide-react';
import { parseAspectRatio } from '../compare-options.ts';
import { cx } from '#web/ui/cx.ts';
import { useFieldGroup } from '#web/ui/field.tsx';

export interface OptionTile {
  value: string;
  label: string;
  /** Invalid with the current values; selecting it offers a repair. */
  blocked: boolean;
  hint?: string;
}

export function OptionTiles({
  value,
  options,
  onChange,
}: {
  value: string;
  options: readonly OptionTile[];
  onChange: (value: string) => void;
}) {
  const groupProps = useFieldGroup();
  const name = useId();
  const maxLength = Math.max(...options.map(({ label }) => label.length));
  return (
    <div
      role="radiogroup"
      {...groupProps}
      className={cx(
        'grid gap-1',
        maxLength > 8
          ? 'grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]'
          : maxLength > 4
            ? 'grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))]'
            : 'grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))]',
      )}
    >
      {options.map((option) => (
        <label
          key={option.value}
          data-tooltip={option.hint}
          className={cx(
            'relative flex h-8 items-center justify-center gap-1.5 rounded-md border border-line px-1 text-xs text-ink-2 tabular-nums transition-colors select-none pointer-coarse:h-11',
            'hover:border-line-strong hover:text-ink has-checked:border-amber has-checked:bg-amber-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus',
            option.blocked && 'border-dashed text-ink-3 [&_[data-shape]]:opacity-50',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-disabled={option.blocked || undefined}
            aria-describedby={option.hint ? `${name}-${option.value}` : undefined}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 size-full appearance-none rounded-md outline-none"
          />
          <OptionShape option={option.value} is_selected={option.value === value} />
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

const BOX = 14;

function OptionShape({ option, is_selected }: { option: string; is_selected: boolean }) {
  const ratio = parseAspectRatio(option);
  const size: CSSProperties =
    ratio === null
      ? {}
      : ratio >= 1
        ? { width: BOX, height: Math.max(4, BOX / ratio) }
        : { width: Math.max(4, BOX * ratio), height: BOX };
  return (
    <span aria-hidden="true" data-shape="" className="flex size-3.5 flex-none items-center justify-center">
      {ratio === null ? (
        <Sparkles className={cx('size-3.5', is_selected ? 'text-amber-text' : 'text-ink-3')} />
      ) : (
        <span
          style={size}
          className={cx(
            'rounded-[1.5px] border-[1.5px]',
            is_selected ? 'border-amber-text bg-amber/25' : 'border-ink-3',
          )}
        />
      )}
    </span>
  );
}
