import { createAtom, useSelector } from '@tanstack/react-store';
import { MEDIA_KINDS, type MediaKind } from '#contract/task.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';

export interface DraggedMedia {
  type: MediaKind;
  url: string;
}

/** The kind is part of the type, because data can't be read before the drop. */
export const mediaDataType = (kind: MediaKind) => `application/x-emulsion-${kind}`;

/** The kind of media that is dragged in this tab. */
export const draggedMedia = createAtom<MediaKind | null>(null);

export const useDraggedKind = (): MediaKind | null => useSelector(draggedMedia);

/** The kind of media of this app that a drag carries; null for files and other things. */
export const draggedKind = ({ types }: DataTransfer): MediaKind | null =>
  MEDIA_KINDS.find((kind) => types.includes(mediaDataType(kind))) ?? null;

/** Reads dropped media. null unless they are the service's own, because another page can name any URL. */
export function readDraggedMedia(transfer: DataTransfer): DraggedMedia | null {
  const kind = draggedKind(transfer);
  if (!kind) return null;
  try {
    const { url } = JSON.parse(transfer.getData(mediaDataType(kind))) as Partial<DraggedMedia>;
    return typeof url === 'string' && serviceMediaSrc(url) !== null ? { type: kind, url } : null;
  } catch {
    return null;
  }
}
