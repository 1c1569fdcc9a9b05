import { X } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { RoleInput } from './role-input.tsx';
import type { MediaReference } from '../form-values.ts';
import { useReferenceDetails } from '#web/api/queries/use-reference-details.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { AudioPlayer } from '#web/media/player/audio-player.tsx';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export interface ReferenceRowProps {
  item: MediaReference;
  media: MediaKind;
  with_role: boolean;
  invalid: boolean;
  onRemove: () => void;
  onRole: (role: string) => void;
}

export function ReferenceRow({ item, media, with_role, invalid, onRemove, onRole }: ReferenceRowProps) {
  const info = useReferenceDetails(item.url);
  const src = serviceMediaSrc(item.url);
  const name = referenceName(item.url, info, src !== null);
  return (
    <li
      className={cx(
        'flex min-w-0 flex-wrap items-center gap-x-3 overflow-hidden rounded-md border bg-surface pr-1.5',
        invalid ? 'border-bad' : 'border-line',
      )}
    >
      <ReferenceThumbnail url={item.url} media={media} className="h-14 w-20 flex-none" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-sm font-medium" data-tooltip={name}>
          {name}
        </p>
        <p className="truncate text-xs text-ink-3 tabular-nums">{formatMediaMeasures(info)}</p>
      </div>
      {with_role ? (
        <RoleInput url={item.url} name={name} role={item.role ?? ''} onChange={onRole} className="w-36" />
      ) : null}
      <IconButton
        size="sm"
        label={`Remove ${name}`}
        icon={<X aria-hidden="true" className="size-4" />}
        onClick={onRemove}
      />
      {media === 'audio' && src !== null ? (
        <div className="-mr-1.5 basis-full">
          <AudioPlayer
            key={item.url}
            audio={{ url: item.url, duration_seconds: info?.duration_seconds ?? null, derivatives: info?.derivatives }}
            label={name}
            plain
          />
        </div>
      ) : null}
    </li>
  );
}
