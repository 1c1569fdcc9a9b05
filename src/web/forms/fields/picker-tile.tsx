import { Check } from 'lucide-react';
import { memo, useState } from 'react';
import { measureWords } from '#web/forms/media-words.ts';
import type { Choosable } from '#web/forms/fields/use-library.ts';
import type { TileBox } from '#web/library/media-grid.tsx';
import { MediaPicture } from '#web/library/media-picture.tsx';
import { KIND_NAMES, titleOf } from '#web/library/media-words.ts';
import { boxStyle, HoverPreview, tileClass, tileCoverClass, TileMarks } from '#web/library/tile-frame.tsx';
import { cx } from '#web/ui/cx.ts';

export interface PickerTileProps extends TileBox {
  medium: Choosable;
  /** In which place it was chosen, counted from 1; 0: it was not. */
  place: number;
  /** Several are chosen, so that the order is said. */
  ordered: boolean;
  tabbable: boolean;
  onToggle: (medium: Choosable) => void;
  onFocus: (id: string) => void;
}

/** A medium that may be chosen. */
export const PickerTile = memo(function PickerTile(props: PickerTileProps) {
  const { medium, place, ordered, tabbable, onToggle, onFocus, left_px, top_px, width_px, height_px } = props;
  const [pointed, setPointed] = useState(false);
  const title = nameOf(medium);
  return (
    <li
      data-medium={medium.id}
      className={tileClass}
      style={boxStyle({ left_px, top_px, width_px, height_px })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(true)}
      onPointerLeave={() => setPointed(false)}
    >
      <span
        className={cx(
          'absolute inset-0 contain-box',
          medium.type === 'audio' && 'rounded-sm inset-ring inset-ring-line',
        )}
      >
        <MediaPicture medium={medium} width_px={width_px} />
        {pointed ? <HoverPreview medium={medium} /> : null}
      </span>
      <TileMarks medium={medium} title={title} />
      <button
        type="button"
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-pressed={place > 0}
        aria-label={`${KIND_NAMES[medium.type]}: ${title.slice(0, 160)}`}
        data-tooltip={title}
        onClick={() => onToggle(medium)}
        onFocus={() => onFocus(medium.id)}
        className={cx(tileCoverClass, place > 0 && 'inset-ring-2 inset-ring-amber')}
      />
      {place > 0 ? (
        <span className="pointer-events-none absolute top-1.5 right-1.5 flex h-5.5 min-w-5.5 items-center justify-center rounded-sm bg-amber px-1 text-xs font-semibold text-amber-ink">
          {ordered ? place : <Check aria-hidden="true" className="size-3.5" />}
        </span>
      ) : null}
    </li>
  );
});

const nameOf = (medium: Choosable) =>
  'generation' in medium ? titleOf(medium) : measureWords({ ...medium, name: null }) || 'Result';
