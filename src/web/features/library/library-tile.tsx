import { memo, type MouseEvent, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { identifyCreator } from '#web/collections/creator.tsx';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import type { TileBox } from '#web/media/library/media-grid.tsx';
import { mediaDragProps } from '#web/media/media-drag.ts';
import { describeAnswers } from '#web/api/client-answer-labels.ts';
import { AnswerBadge } from '#web/media/library/answer-badge.tsx';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { MEDIA_TYPE_LABELS, mediaTitle } from '#web/media/library/media-labels.ts';
import {
  boxStyle,
  HoverPreview,
  ExpiryBadge,
  StarBadge,
  tileClass,
  tileCoverClass,
  TileInfo,
} from '#web/media/library/tile-overlays.tsx';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { cx } from '#web/ui/cx.ts';
import type { MediaActions } from './library-rows.ts';
import { TileCaption, TileCheckbox, TileMenu, TileStack, TileStar } from '#web/media/library/tile-controls.tsx';

interface LibraryTileProps extends TileBox {
  medium: MediaItem;
  href: string;
  showsCreator: boolean;
  /** Time until removal; null unless it is near. */
  retentionLabel: string | null;
  /** Files of the run that it stands for; null: it is no stack. */
  stackCount: number | null;
  isStackOpen: boolean;
  selected: boolean;
  selecting: boolean;
  tabbable: boolean;
  actions: MediaActions;
}

/** Two badges don't fit side by side in narrower tiles. */
const NARROW_PX = 136;

/** Renders its buttons only on hover or focus, because a library has thousands of tiles. */
export const LibraryTile = memo(function LibraryTile(props: LibraryTileProps) {
  const {
    medium,
    href,
    showsCreator,
    retentionLabel,
    stackCount,
    isStackOpen,
    selected,
    selecting,
    tabbable,
    actions,
    leftPx,
    topPx,
    widthPx,
    heightPx,
  } = props;
  const [isHovered, setActive] = useState(false);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  // The menu lies outside of the tile, and leaving the tile must not close it.
  const active = isHovered || isMenuOpen;
  const { star, collect, drag } = actions;
  const dragProps = mediaDragProps(medium);
  const names = useCatalogNames();
  const title = mediaTitle(medium, names);
  const creator = showsCreator && medium.created_by ? identifyCreator(medium.created_by) : null;
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    if (event.shiftKey) actions.extend(medium);
    else if (selecting || event.ctrlKey || event.metaKey) actions.toggle(medium);
    else actions.open(medium);
  };
  return (
    <li
      data-row-id={medium.id}
      className={tileClass}
      style={boxStyle({ leftPx, topPx, widthPx, heightPx })}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setActive(true)}
      onPointerLeave={() => setActive(false)}
    >
      <span
        className={cx(
          'absolute inset-0 transition-[inset] contain-box',
          selected && 'inset-2 rounded-xs',
          medium.type === 'audio' && 'inset-ring inset-ring-line rounded-sm',
        )}
      >
        <MediaThumbnail medium={medium} widthPx={widthPx} />
        {active ? <HoverPreview medium={medium} /> : null}
      </span>
      <TileInfo medium={medium} title={title} />
      {creator && !active && !selected && !selecting ? (
        <Avatar {...creator} size="sm" className="pointer-events-none absolute top-1.5 left-1.5 shadow-float" />
      ) : null}
      {retentionLabel && !active ? (
        <ExpiryBadge label={retentionLabel} raised={medium.type === 'audio' || widthPx < NARROW_PX} />
      ) : null}
      {active ? null : (
        <AnswerBadge
          answers={medium.client_answers}
          level={(retentionLabel ? 1 : 0) + (medium.type === 'audio' ? 1 : 0)}
          widthPx={widthPx}
        />
      )}
      <a
        href={href}
        data-tile=""
        data-row=""
        tabIndex={tabbable ? 0 : -1}
        aria-label={tileLabel(medium, title, selected, creator?.name ?? null)}
        draggable={star !== null}
        onDragStart={(event) => {
          dragProps.onDragStart(event);
          drag?.(medium, event);
        }}
        onClick={onClick}
        onFocus={({ currentTarget }) => {
          actions.focus(medium.id);
          if (currentTarget.matches(':focus-visible')) setActive(true);
        }}
        onBlur={() => setActive(false)}
        className={cx(tileCoverClass, selected && 'inset-ring-2 inset-ring-amber')}
      />
      {stackCount === null ? null : (
        <TileStack
          count={stackCount}
          isOpen={isStackOpen}
          title={title}
          isTabbable={tabbable}
          isRaised={retentionLabel !== null || medium.type === 'audio'}
          onToggle={() => actions.toggleStack(medium)}
        />
      )}
      {active || selected || selecting ? (
        <TileCheckbox
          checked={selected}
          title={title}
          onToggle={(range) => actions[range ? 'extend' : 'toggle'](medium)}
        />
      ) : null}
      {active ? (
        <>
          {star ? <TileStar favourite={medium.favourite} title={title} onToggle={() => star(medium)} /> : null}
          {star && widthPx >= NARROW_PX ? (
            <TileMenu
              medium={medium}
              title={title}
              onOpenChange={setIsMenuOpen}
              onCollect={collect && (() => collect(medium))}
            />
          ) : null}
          {medium.type === 'audio' ? null : (
            <TileCaption title={title} creator={creator} hasStack={stackCount !== null} />
          )}
        </>
      ) : medium.favourite ? (
        <StarBadge />
      ) : null}
    </li>
  );
});

const tileLabel = (
  { type, favourite, client_answers = [] }: MediaItem,
  title: string,
  selected: boolean,
  creator: string | null,
) =>
  [
    `${MEDIA_TYPE_LABELS[type]}: ${title.slice(0, 160)}`,
    creator && `made by ${creator}`,
    favourite && 'starred',
    describeAnswers(client_answers),
    selected && 'selected',
  ]
    .filter(Boolean)
    .join(', ');
