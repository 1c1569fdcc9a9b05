import { FolderPlus, Layers, MoreHorizontal, Star } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { cx } from '#web/ui/cx.ts';
import { MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx';

export function TileCheckbox({
  checked,
  title,
  onToggle,
}: {
  checked: boolean;
  title: string;
  onToggle: (range: boolean) => void;
}) {
  return (
    <label className="absolute top-0 left-0 flex size-9 items-center justify-center pointer-coarse:size-11">
      <input
        type="checkbox"
        checked={checked}
        aria-label={`Select ${title.slice(0, 80)}`}
        tabIndex={-1}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        onClick={(event) => {
          if (!event.shiftKey) return;
          // Some browsers fire no change event for a shift-click on a checkbox.
          event.preventDefault();
          onToggle(true);
        }}
        className="tick shadow-float"
      />
    </label>
  );
}

interface TileStackProps {
  count: number;
  isOpen: boolean;
  title: string;
  isTabbable: boolean;
  isRaised: boolean;
  onToggle: () => void;
}

/** Shows or hides the files of a workflow run, of which only the last one is in the grid. */
export function TileStack({ count, isOpen, title, isTabbable, isRaised, onToggle }: TileStackProps) {
  return (
    <button
      type="button"
      tabIndex={isTabbable ? 0 : -1}
      aria-expanded={isOpen}
      aria-label={`${count} files of the run of ${title.slice(0, 80)}`}
      data-tooltip={isOpen ? 'Hide the steps of this run' : 'Show the steps of this run'}
      onClick={onToggle}
      className={cx(
        'absolute left-1.5 flex h-6 items-center gap-1 rounded-sm bg-black/65 px-1.5 text-xs text-white tabular-nums hover:bg-black/80 pointer-coarse:h-9',
        isRaised ? 'bottom-8' : 'bottom-1.5',
      )}
    >
      <Layers aria-hidden="true" className="size-3.5" />
      {count}
    </button>
  );
}

export function TileStar({ favourite, title, onToggle }: { favourite: boolean; title: string; onToggle: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Star ${title.slice(0, 80)}`}
      aria-pressed={favourite}
      onClick={onToggle}
      className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-sm bg-black/55 text-white hover:bg-black/80"
    >
      <Star aria-hidden="true" className={cx('size-3.5', favourite && 'fill-amber text-amber')} />
    </button>
  );
}

interface TileMenuProps {
  medium: MediaItem;
  title: string;
  onOpenChange: (open: boolean) => void;
  onCollect: (() => void) | null;
}

/** In place of it, the keyboard has the menus of the viewer and of the selection. */
export function TileMenu({ medium, title, onOpenChange, onCollect }: TileMenuProps) {
  return (
    <ContinueWithMenu
      type={medium.type}
      mediaIds={[medium.id]}
      onOpenChange={onOpenChange}
      renderTrigger={(props) => (
        <button
          type="button"
          {...props}
          tabIndex={-1}
          aria-label={`More for ${title.slice(0, 80)}`}
          data-tooltip="More"
          className="absolute top-1.5 right-9 flex size-6 items-center justify-center rounded-sm bg-black/55 text-white hover:bg-black/80"
        >
          <MoreHorizontal aria-hidden="true" className="size-3.5" />
        </button>
      )}
    >
      {onCollect ? (
        <>
          <MenuSeparator />
          <MenuItem icon={<FolderPlus aria-hidden="true" />} onSelect={onCollect}>
            Add to a collection
          </MenuItem>
        </>
      ) : null}
    </ContinueWithMenu>
  );
}

interface TileCaptionProps {
  title: string;
  creator: { name: string } | null;
  /** Leaves room for the button of the stack. */
  hasStack?: boolean;
}

export function TileCaption({ title, creator, hasStack = false }: TileCaptionProps) {
  return (
    <span
      className={cx(
        'pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/75 to-transparent px-2 pt-5 pb-1.5 text-xs text-white',
        hasStack && 'pl-14',
      )}
    >
      <span className="block truncate pr-10">{title}</span>
      {creator ? <span className="block truncate pr-10 text-2xs text-white/80">{creator.name}</span> : null}
    </span>
  );
}
