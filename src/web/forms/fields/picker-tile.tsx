import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
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
  item: SelectableMedia;
  /** Place in the selection, from 1; 0 if it is not selected. */
  position: number;
  /** Shows the position, for a selection of several. */
  ordered: boolean;
  tabbable: boolean;
  onToggle: (item: SelectableMedia) => void;
  onFocus: (id: string) => void;
}

export const PickerTile = memo(function PickerTile(props: PickerTileProps) {
  const names = useCatalogNames();
  const { item, position, ordered, tabbable, onToggle, onFocus, leftPx, topPx, widthPx, heightPx } = props;
  const [isHovered, setIsHovered] = useState(false);
  const title = tileTitle(item, names);
  return (
    <li
      data-row-id={item.id}
      className={tileClass}
      style={boxStyle({ leftPx, topPx, widthPx, heightPx })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
    >
      <span
        className={cx('absolute inset-0 contain-box', item.type === 'audio' && 'rounded-sm inset-ring inset-ring-line')}
      >
        <MediaThumbnail medium={item} widthPx={widthPx} />
        {isHovered ? <HoverPreview medium={item} /> : null}
      </span>
      <TileInfo medium={item} title={title} />
      <button
        type="button"
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-pressed={position > 0}
        aria-label={`${MEDIA_TYPE_LABELS[item.type]}: ${title.slice(0, 160)}`}
        data-tooltip={title}
        onClick={() => onToggle(item)}
        onFocus={() => onFocus(item.id)}
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

const tileTitle = (item: SelectableMedia, names: CatalogNames) =>
  'generation' in item ? mediaTitle(item, names) : formatMediaMeasures({ ...item, name: null }) || 'Result';
