import { X } from 'lucide-react';
import { useReferenceDetails } from '#web/api/queries/use-reference-details.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { ReferenceRowProps } from './reference-row.tsx';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';

/** A start or end frame, whose picture counts more than its name. */
export function FrameTile({ item, media, invalid, onRemove }: Omit<ReferenceRowProps, 'with_role' | 'onRole'>) {
  const info = useReferenceDetails(item.url);
  const name = referenceName(item.url, info, serviceMediaSrc(item.url) !== null);
  return (
    <li
      data-tooltip={name}
      className={cx(
        'relative h-24 overflow-hidden rounded-md border bg-sunken',
        invalid ? 'border-bad' : 'border-line',
      )}
    >
      <ReferenceThumbnail url={item.url} media={media} className="size-full [&>img]:object-contain" />
      <p className="absolute inset-x-0 bottom-0 flex gap-2 bg-black/65 px-2 py-0.5 text-2xs text-white">
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {name}
        </span>
        <span className="flex-none tabular-nums">{formatMediaMeasures(info)}</span>
      </p>
      <IconButton
        size="sm"
        outlined
        label={`Remove ${name}`}
        icon={<X aria-hidden="true" className="size-4" />}
        onClick={onRemove}
        className="absolute top-1 right-1 bg-raised/90"
      />
    </li>
  );
}
