import { Images } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { MediaThumbnail, type PreviewableMedia } from '../media-thumbnail.tsx';

/** A square picture of a collection, for lists of names. */
export function CollectionCover({
  collection: { cover },
  className,
}: {
  collection: { cover: PreviewableMedia | null };
  className?: string;
}) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'relative flex flex-none items-center justify-center overflow-hidden rounded-xs bg-sunken',
        className,
      )}
    >
      {cover ? <MediaThumbnail medium={cover} widthPx={48} cover /> : <Images className="size-3.5 text-ink-3" />}
    </span>
  );
}
