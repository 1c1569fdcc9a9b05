import { Check } from 'lucide-react';
import { memo, useState } from 'react';
import { formatMediaMeasures } from '#web/media/format-media.ts';
import type { SelectableMedia } from './use-library.ts';
import type { TileBox } from '#web/media/library/media-grid.tsx';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { MEDIA_TYPE_LABELS, mediaTitle } from '#web/media/library/media-labels.ts';
import { boxStyle, HoverPreview, tileClass, tileCoverClass, TileInfo } from '#web/media/library/tile-overlays.tsx';
import { cx } from '#web/ui/cx.ts';

export interface PickerTileProps extends TileBox {
  medium: SelectableMedia;
  /** In which place it was chosen, counted from 1; 0: it was not. */
  position: number;
  /** Several are chosen, so that the order is said. */
  ordered: boolean;
  tabbable: boolean;
  onToggle: (medium: SelectableMedia) => void;
  onFocus: (id: string) => void;
}

/** A medium that may be chosen. */
export const PickerTile = memo(function PickerTile(props: PickerTileProps) {
  const { medium, position, ordered, tabbable, onToggle, onFocus, left_px, top_px, width_px, height_px } = props;
  const [pointed, setPointed] = useState(false);
  const title = tileTitle(medium);
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
        <MediaThumbnail medium={medium} width_px={width_px} />
        {pointed ? <HoverPreview medium={medium} /> : null}
      </span>
      <TileInfo medium={medium} title={title} />
      <button
        type="button"
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-pressed={position > 0}
        aria-label={`${MEDIA_TYPE_LABELS[medium.type]}: ${title.slice(0, 160)}`}
        data-tooltip={title}
        onClick={() => onToggle(medium)}
        onFocus={() => onFocus(medium.id)}
        className={cx(tileCoverClass, position > 0 && 'inset-ring-2 inset-ring-amber')}
      />
      {position > 0 ? (
        <span className="pointer-events-none absolute top-1.5 right-1.5 flex h-5.5 min-w-5.5 items-center justify-center rounded-sm bg-amber px-1 text-xs font-semibold text-amber-ink">
          {ordered ? position : <Check aria-hidden="true" className="size-3.5" />}
        </span>
      ) : null}
    </li>
  );
});

const tileTitle = (medium: SelectableMedia) =>
  'generation' in medium ? mediaTitle(medium) : formatMediaMeasures({ ...medium, name: null }) || 'Result';
