import { memo, type MouseEvent, useState } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import type { TileBox } from '#web/media/library/media-grid.tsx';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { boxStyle, HoverPreview, tileClass, tileCoverClass, TileInfo } from '#web/media/library/tile-overlays.tsx';

interface ResultTileProps extends TileBox {
  asset: Asset;
  href: string;
  title: string;
  /** Number of the order, from 1. */
  position: number;
  tabbable: boolean;
  onOpen: (event: MouseEvent, href: string) => void;
  onFocus: (id: string) => void;
}

export const ResultTile = memo(function ResultTile(props: ResultTileProps) {
  const { asset, href, title, position, tabbable, onOpen, onFocus, left_px, top_px, width_px, height_px } = props;
  const [active, setActive] = useState(false);
  return (
    <li
      data-medium={asset.id}
      className={tileClass}
      style={boxStyle({ left_px, top_px, width_px, height_px })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setActive(true)}
      onPointerLeave={() => setActive(false)}
    >
      <MediaThumbnail medium={asset} width_px={width_px} />
      {active ? <HoverPreview medium={asset} /> : null}
      <TileInfo medium={asset} title={title} />
      <a
        href={href}
        data-tile=""
        tabIndex={tabbable ? 0 : -1}
        aria-label={`${MEDIA_TYPE_LABELS[asset.type]} of order ${position}: ${title.slice(0, 160)}`}
        draggable={false}
        onClick={(event) => onOpen(event, href)}
        onFocus={({ currentTarget }) => {
          onFocus(asset.id);
          if (currentTarget.matches(':focus-visible')) setActive(true);
        }}
        onBlur={() => setActive(false)}
        className={tileCoverClass}
      />
      {active && asset.type !== 'audio' ? (
        <span className="pointer-events-none absolute inset-x-0 bottom-0 bg-linear-to-t from-black/75 to-transparent px-2 pt-5 pb-1.5 text-xs text-white">
          <span className="block truncate pr-10">
            {position}. {title}
          </span>
        </span>
      ) : null}
    </li>
  );
});
