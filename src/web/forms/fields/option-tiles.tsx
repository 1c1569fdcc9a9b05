import { useId, type CSSProperties } from 'react';
import { Sparkles, ChevronDown } from 'lucide-react';
import { parseAspectRatio } from '#web/forms/models/compare-options.ts';
import { cx } from '#web/ui/cx.ts';
import { useFieldGroup } from '#web/ui/controls/field.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';

export interface OptionTile {
  value: string;
  label: string;
  /** Invalid with the current values; selecting it offers a repair. */
  blocked: boolean;
  hint?: string;
}

interface OptionTilesProps {
  value: string;
  options: readonly OptionTile[];
  onChange: (value: string) => void;
}

/** More options than this don't fit one row. */
const MAX_ROW = 7;
/** Shown first where there are more, in the order of the options. */
const COMMON = new Set(['auto', 'adaptive', '1:1', '3:2', '2:3', '16:9', '9:16']);
const MAX_COMMON = 6;

/** One row: the common options, the chosen one, and the others in a popover. */
export function OptionTiles({ value, options, onChange }: OptionTilesProps) {
  const groupProps = useFieldGroup();
  const common = options.filter((option) => COMMON.has(option.value)).slice(0, MAX_COMMON);
  const isShown = (option: OptionTile) =>
    options.length <= MAX_ROW || common.includes(option) || option.value === value;
  const hidden = options.filter((option) => !isShown(option));
  return (
    <div className="flex flex-wrap gap-1">
      <div role="radiogroup" {...groupProps} className="contents">
        <OptionItems value={value} options={options.filter(isShown)} onChange={onChange} className="px-2" />
      </div>
      {hidden.length > 0 ? <MoreOptions options={hidden} onChange={onChange} /> : null}
    </div>
  );
}

function OptionItems({ value, options, onChange, className }: OptionTilesProps & { className: string }) {
  const name = useId();
  return options.map((option) => (
    <label
      key={option.value}
      data-tooltip={option.hint}
      className={cx(
        'relative flex h-8 items-center justify-center gap-1.5 rounded-md border border-line text-xs text-ink-2 tabular-nums transition-colors select-none pointer-coarse:h-11',
        'hover:border-line-strong hover:text-ink has-checked:border-amber has-checked:bg-amber-soft has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus',
        option.blocked && 'border-dashed text-ink-3 [&_[data-shape]]:opacity-50',
        className,
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
      <OptionShape option={option.value} isSelected={option.value === value} />
      {option.label}
      {option.hint ? (
        <span id={`${name}-${option.value}`} hidden>
          {option.hint}
        </span>
      ) : null}
    </label>
  ));
}

const BOX = 14;

function OptionShape({ option, isSelected }: { option: string; isSelected: boolean }) {
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
        <Sparkles className={cx('size-3.5', isSelected ? 'text-amber-text' : 'text-ink-3')} />
      ) : (
        <span
          style={size}
          className={cx(
            'rounded-[1.5px] border-[1.5px]',
            isSelected ? 'border-amber-text bg-amber/25' : 'border-ink-3',
          )}
        />
      )}
    </span>
  );
}

/** The options that a row has no place for. A chosen one moves into the row. */
function MoreOptions({ options, onChange }: { options: readonly OptionTile[]; onChange: (value: string) => void }) {
  return (
    <Popover
      aria-label="More options"
      className="w-72 p-2"
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          className="flex h-8 items-center gap-1 rounded-md border border-line px-2 text-xs text-ink-2 hover:border-line-strong hover:text-ink pointer-coarse:h-11"
        >
          {options.length} more
          <ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />
        </button>
      )}
    >
      {(close) => (
        <div
          role="radiogroup"
          aria-label="More options"
          className="grid grid-cols-[repeat(auto-fill,minmax(3.75rem,1fr))] gap-1"
        >
          <OptionItems
            value=""
            options={options}
            className="px-1"
            onChange={(value) => {
              onChange(value);
              close();
            }}
          />
        </div>
      )}
    </Popover>
  );
}
