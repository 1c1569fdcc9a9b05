import { useState } from 'react';
import type { ReferenceFieldSpec, ReferencesFieldSpec } from '#contract/task.ts';
import { ReferenceRow } from './reference-row.tsx';
import { ReferenceTile } from './reference-tile.tsx';
import { UploadItemTile } from './upload-item-tile.tsx';
import { useMediaItems } from './use-media-items.ts';
import { itemError } from '../field-errors.ts';
import { useField, useFieldUploadItems } from '../form-context.ts';
import type { MediaReference } from '../form-values.ts';
import { moveItem } from '../move-item.ts';
import { cx } from '#web/ui/cx.ts';

/** The references of a field and its uploads. */
export function MediaList({ field }: { field: ReferenceFieldSpec | ReferencesFieldSpec }) {
  const { error, onBlur } = useField(field.name);
  const { items, setItems } = useMediaItems(field);
  const sendings = useFieldUploadItems(field.name);
  const [hovered, setHovered] = useState<number | null>(null);
  const change = (next: readonly MediaReference[]) => {
    setItems(next);
    onBlur();
  };
  const single = field.kind === 'reference';
  return (
    <ul
      aria-label={field.label}
      className={cx('grid gap-1.5', !single && 'grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]')}
    >
      {items.map((item, at) => {
        const common = {
          item,
          media: field.media,
          with_role: field.with_role,
          onRemove: () => change(items.filter((_, index) => index !== at)),
          onRole: (role: string) => setItems(items.map((each, index) => (index === at ? { ...each, role } : each))),
        };
        if (single) return <ReferenceRow {...common} key={item.url} invalid={error !== undefined} />;
        return (
          <ReferenceTile
            {...common}
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
      {sendings.map((sending) => (
        <UploadItemTile key={sending.id} sending={sending} />
      ))}
    </ul>
  );
}
