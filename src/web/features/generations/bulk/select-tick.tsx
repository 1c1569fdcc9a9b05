import type { Generation } from '#contract/resources/generation.ts';
import { cx } from '#web/ui/cx.ts';

/** Selecting in a list of generations. The object is stable, so that rows are not rendered again; null: the role may not. */
interface SelectActions {
  toggle: (generation: Generation) => void;
  extend: (generation: Generation) => void;
}

export interface SelectProps {
  select: SelectActions | null;
  isSelected: boolean;
  isSelecting: boolean;
}

interface SelectTickProps extends SelectProps {
  generation: Generation;
  title: string;
}

/** Appears on hover and focus, and always while something is selected. */
export function SelectTick({ generation, title, select, isSelected, isSelecting }: SelectTickProps) {
  if (!select) return null;
  return (
    <label
      className={cx(
        'absolute top-0 left-0 z-2 flex size-9 items-center justify-center transition-opacity pointer-coarse:size-11',
        !isSelected &&
          !isSelecting &&
          'opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:hidden',
      )}
    >
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={`Select ${title.slice(0, 80)}`}
        tabIndex={-1}
        onChange={() => select.toggle(generation)}
        onClick={(event) => {
          if (!event.shiftKey) return;
          // Some browsers fire no change event for a shift-click on a checkbox.
          event.preventDefault();
          select.extend(generation);
        }}
        className="tick shadow-float"
      />
    </label>
  );
}

/** Handles a press on the link of a row: with Shift a range, with Ctrl or while selecting one more. */
export const selectOnClick =
  ({ select, isSelecting }: SelectProps, generation: Generation) =>
  (event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; preventDefault: () => void }): void => {
    if (!select || !(event.shiftKey || event.ctrlKey || event.metaKey || isSelecting)) return;
    event.preventDefault();
    select[event.shiftKey ? 'extend' : 'toggle'](generation);
  };
