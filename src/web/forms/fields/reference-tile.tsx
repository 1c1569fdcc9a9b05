import { X, Pause, Play, GripVertical } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { CropButton } from '../crop/crop-button.tsx';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { RoleInput } from './role-input.tsx';
import type { MediaReference } from '#web/forms/values/form-values.ts';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { VideoElement } from '#web/media/player/media-element.tsx';
import { usePlayer } from '#web/media/player/use-player.ts';

export interface ReferenceTileProps {
  item: MediaReference;
  media: MediaKind;
  at: number;
  count: number;
  with_role: boolean;
  problem: string | undefined;
  /** Another tile is dragged over it. */
  target: boolean;
  onHover: (to: number | null) => void;
  onMove: (to: number) => void;
  /** In a form. */
  onReplace?: (url: string) => void;
  onRemove: () => void;
  onRole: (role: string) => void;
}

export function ReferenceTile({
  item,
  media,
  at,
  count,
  with_role,
  problem,
  target,
  onHover,
  onMove,
  onReplace,
  onRemove,
  onRole,
}: ReferenceTileProps) {
  const info = useReferenceDetails(item.url);
  const name = referenceName(item.url, info, serviceMediaSrc(item.url) !== null);
  return (
    <li
      data-tile={at}
      className={cx(
        'group/tile relative flex min-w-0 flex-col overflow-hidden rounded-md border bg-surface',
        problem ? 'border-bad' : 'border-line',
        target && 'outline-2 outline-amber',
      )}
    >
      <div className="relative">
        {media === 'video' ? (
          <PlayableThumbnail url={item.url} name={name} className="aspect-4/3 w-full" />
        ) : (
          <ReferenceThumbnail url={item.url} media={media} className="aspect-4/3 w-full" />
        )}
        {count > 1 ? <SortHandle at={at} count={count} name={name} onHover={onHover} onMove={onMove} /> : null}
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={onRemove}
          className="absolute top-1 right-1 bg-raised/90"
          outlined
        />
        {media === 'image' && onReplace ? (
          <CropButton
            name={name}
            url={item.url}
            setsShape={false}
            onReplace={onReplace}
            className="absolute! top-1 right-9 pointer-coarse:right-11"
          />
        ) : null}
      </div>
      <div className="px-2 py-1.5">
        <p dir="auto" className="truncate text-xs font-medium" data-tooltip={name}>
          {name}
        </p>
        <p className="min-h-4 truncate text-xs text-ink-3 tabular-nums">{formatMediaMeasures(info)}</p>
      </div>
      {with_role ? (
        <RoleInput
          url={item.url}
          name={name}
          role={item.role ?? ''}
          onChange={onRole}
          className="border-t border-line"
        />
      ) : null}
      {problem ? (
        <p role="alert" className="px-2 pb-1.5 text-xs text-bad">
          {problem}
        </p>
      ) : null}
    </li>
  );
}

/** Videos of other servers are not loaded. */
function PlayableThumbnail({ url, name, className }: { url: string; name: string; className: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const { playing, toggle } = usePlayer(video, null);
  const [failed, setFailed] = useState(false);
  const src = serviceMediaSrc(url);
  if (src === null || failed) return <ReferenceThumbnail url={url} media="video" className={className} />;
  const Icon = playing ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={`${playing ? 'Pause' : 'Play'} ${name}`}
      onClick={toggle}
      className={cx('group/play relative flex items-center justify-center overflow-hidden bg-sunken', className)}
    >
      <VideoElement
        ref={video}
        src={`${src}#t=0.1`}
        loop
        preload="metadata"
        onError={() => setFailed(true)}
        className="size-full object-cover"
      />
      <span
        className={cx(
          'absolute right-1 bottom-1 flex size-6 items-center justify-center rounded-sm bg-canvas/85 text-ink-2 transition-opacity',
          playing && 'opacity-0 group-hover/play:opacity-100 group-focus-visible/play:opacity-100',
        )}
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
    </button>
  );
}

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Reorders tiles by dragging or with the arrow keys. */
function SortHandle({
  at,
  count,
  name,
  onHover,
  onMove,
}: {
  at: number;
  count: number;
  name: string;
  /** Is called with the index that it is dragged over; null for none. */
  onHover: (to: number | null) => void;
  onMove: (to: number) => void;
}) {
  const target = useRef<number | null>(null);
  const isDragging = useRef(false);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const to = at + (KEY_STEPS[event.key] ?? 0);
    if (to === at || to < 0 || to >= count) return;
    event.preventDefault();
    const list = event.currentTarget.closest('ul');
    onMove(to);
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-tile="${to}"] [data-sort]`)?.focus());
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (!isDragging.current) return;
    const list = event.currentTarget.closest('ul');
    const tile = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-tile]');
    const to = tile && tile.closest('ul') === list ? Number(tile.dataset['tile']) : null;
    target.current = to === at ? null : to;
    onHover(target.current);
  };
  const onDrop = () => {
    const to = target.current;
    isDragging.current = false;
    target.current = null;
    onHover(null);
    if (to !== null) onMove(to);
  };
  return (
    <button
      type="button"
      data-sort=""
      aria-label={`${name}, ${at + 1} of ${count}. Arrow keys move it.`}
      data-tooltip="Drag to reorder"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragging.current = true;
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={onDrop}
      className="absolute top-1 left-1 flex h-7 touch-none items-center gap-0.5 rounded-md border border-line-strong bg-raised/90 pr-1.5 pl-0.5 text-xs font-medium text-ink-2 tabular-nums active:cursor-grabbing pointer-coarse:h-9"
    >
      <GripVertical aria-hidden="true" className="size-3.5 text-ink-3" />
      {at + 1}
    </button>
  );
}
