import { useState } from 'react';
import type { ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { FrameTile } from './frame-tile.tsx';
import { ReferenceRow } from './reference-row.tsx';
import { ReferenceTile } from './reference-tile.tsx';
import { UploadItemTile } from './upload-item-tile.tsx';
import { useMediaItems } from './use-media-items.ts';
import { itemError } from '../field-errors.ts';
import { useField, useFieldUploadItems } from '../form-context.ts';
import type { MediaReference } from '../form-values.ts';
import { moveItem } from '../move-item.ts';
import { cx } from '#web/ui/cx.ts';

export function ReferenceList({ field }: { field: ReferenceFieldSpec | ReferencesFieldSpec }) {
  const { error, onBlur } = useField(field.name);
  const { items, setItems } = useMediaItems(field);
  const uploadItems = useFieldUploadItems(field.name);
  const [hovered, setHovered] = useState<number | null>(null);
  const change = (next: readonly MediaReference[]) => {
    setItems(next);
    onBlur();
  };
  const is_single = field.kind === 'reference';
  return (
    <ul
      aria-label={field.label}
      className={cx('grid gap-1.5', !is_single && 'grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]')}
    >
      {items.map((item, at) => {
        const tileProps = {
          item,
          media: field.media,
          with_role: field.with_role,
          onRemove: () => change(items.filter((_, index) => index !== at)),
          onRole: (role: string) => setItems(items.map((each, index) => (index === at ? { ...each, role } : each))),
        };
        if (field.group === 'frames') return <FrameTile {...tileProps} key={item.url} invalid={error !== undefined} />;
        if (is_single) return <ReferenceRow {...tileProps} key={item.url} invalid={error !== undefined} />;
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
