import { ChevronDown } from 'lucide-react';
import { Popover } from '#web/ui/popover.tsx';
import { type OptionTile, OptionItems } from './option-tiles.tsx';

/** The options that a row has no place for. A chosen one moves into the row. */
export function MoreOptions({
  options,
  onChange,
}: {
  options: readonly OptionTile[];
  onChange: (value: string) => void;
}) {
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
