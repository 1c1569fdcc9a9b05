import { X } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { PlayableThumbnail } from './playable-thumbnail.tsx';
import { RoleInput } from './role-input.tsx';
import { SortHandle } from './sort-handle.tsx';
import type { MediaReference } from '../form-values.ts';
import { useReferenceDetails } from '#web/api/queries/use-reference-details.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

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
