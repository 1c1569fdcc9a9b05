import { type ReactNode, useState } from 'react';
import type { ReferenceFieldSpec, ReferencesFieldSpec, MediaKind } from '#contract/task.ts';
import { CropButton } from '../crop/crop-button.tsx';
import { ReferenceTile } from './reference-tile.tsx';
import { UploadItemTile } from './upload-item-tile.tsx';
import { useMediaItems } from './use-media-items.ts';
import { itemError } from '#web/forms/values/field-errors.ts';
import { useField, useFieldUploadItems } from '../form-context.ts';
import type { MediaReference } from '#web/forms/values/form-values.ts';
import { moveItem } from '#web/forms/values/move-item.ts';
import { cx } from '#web/ui/cx.ts';
import { X } from 'lucide-react';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatMediaMeasures, referenceName } from '#web/media/format-media.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { ReferenceThumbnail } from './reference-thumbnail.tsx';
import { MaskButton } from './mask-button.tsx';
import { RoleInput } from './role-input.tsx';
import { AudioPlayer } from '#web/media/player/audio-player.tsx';

export function ReferenceList({ field }: { field: ReferenceFieldSpec | ReferencesFieldSpec }) {
  const { error, onBlur } = useField(field.name);
  const { items, setItems } = useMediaItems(field);
  const uploadItems = useFieldUploadItems(field.name);
  const [hovered, setHovered] = useState<number | null>(null);
  const change = (next: readonly MediaReference[]) => {
    setItems(next);
    onBlur();
  };
  const isSingle = field.kind === 'reference';
  return (
    <ul
      aria-label={field.label}
      className={cx('grid gap-1.5', !isSingle && 'grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]')}
    >
      {items.map((item, at) => {
        const tileProps = {
          item,
          media: field.media,
          with_role: field.with_role,
          maskButton: field.kind === 'reference' && field.mask ? <MaskButton field={field} mask={item.url} /> : null,
          onReplace: (url: string) => change(items.map((each, index) => (index === at ? { ...each, url } : each))),
          onRemove: () => change(items.filter((_, index) => index !== at)),
          onRole: (role: string) => setItems(items.map((each, index) => (index === at ? { ...each, role } : each))),
        };
        if (field.group === 'frames' && !tileProps.maskButton)
          return <FrameTile {...tileProps} key={item.url} invalid={error !== undefined} />;
        if (isSingle) return <ReferenceRow {...tileProps} key={item.url} invalid={error !== undefined} />;
        return (
          <ReferenceTile
            {...tileProps}
            // A list may contain the same file twice.
            key={`${item.url} ${items.slice(0, at).filter(({ url }) => url === item.url).length}`}
            at={at}
            count={items.length}
            problem={itemError(error, at)}
            target={hovered === at}
            onHover={setHovered}
            onMove={(to) => change(moveItem(items, at, to))}
          />
        );
      })}
      {uploadItems.map((item) => (
        <UploadItemTile key={item.id} item={item} />
      ))}
    </ul>
  );
}

/** A start or end frame, whose picture counts more than its name. */
function FrameTile({
  item,
  media,
  invalid,
  onReplace,
  onRemove,
}: Omit<ReferenceRowProps, 'with_role' | 'onRole' | 'maskButton'>) {
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
      <CropButton name={name} url={item.url} setsShape onReplace={onReplace} className="absolute! top-1 left-1" />
    </li>
  );
}

interface ReferenceRowProps {
  item: MediaReference;
  media: MediaKind;
  with_role: boolean;
  invalid: boolean;
  maskButton: ReactNode;
  onReplace: (url: string) => void;
  onRemove: () => void;
  onRole: (role: string) => void;
}

function ReferenceRow({ item, media, with_role, invalid, maskButton, onReplace, onRemove, onRole }: ReferenceRowProps) {
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
      <div className="min-w-24 flex-1">
        <p dir="auto" className="truncate text-sm font-medium" data-tooltip={name}>
          {name}
        </p>
        <p className="truncate text-xs text-ink-3 tabular-nums">{formatMediaMeasures(info)}</p>
      </div>
      {with_role ? (
        <RoleInput url={item.url} name={name} role={item.role ?? ''} onChange={onRole} className="w-36" />
      ) : null}
      <div className="ml-auto flex flex-none items-center gap-x-3">
        {maskButton ??
          (media === 'image' ? <CropButton name={name} url={item.url} setsShape onReplace={onReplace} /> : null)}
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          icon={<X aria-hidden="true" className="size-4" />}
          onClick={onRemove}
        />
      </div>
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
