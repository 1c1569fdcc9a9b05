import { createAtom, useSelector } from '@tanstack/react-store';
import type { DragEvent } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { assetSrc, serviceMediaSrc } from '#web/api/reference-info.ts';

export interface DraggedMedia {
  type: MediaKind;
  url: string;
}

const KINDS: readonly MediaKind[] = ['image', 'video', 'audio'];
/** The kind is part of the type, because data can't be read before the drop. */
const dataType = (kind: MediaKind) => `application/x-emulsion-${kind}`;

const dragged = createAtom<MediaKind | null>(null);

/** The kind of media that is dragged in this tab. */
export const useDraggedKind = (): MediaKind | null => useSelector(dragged);

/** The kind of media of this app that a drag carries; null for files and other things. */
export const draggedKind = ({ types }: DataTransfer): MediaKind | null =>
  KINDS.find((kind) => types.includes(dataType(kind))) ?? null;

/** Props with which an element can be dragged onto a field of a form. Other apps get the URL. */
export const mediaDragProps = ({ type, url }: DraggedMedia) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    const href = new URL(assetSrc(url), window.location.href).href;
    dataTransfer.clearData();
    dataTransfer.setData(dataType(type), JSON.stringify({ type, url }));
    dataTransfer.setData('text/uri-list', href);
    dataTransfer.setData('text/plain', href);
    dataTransfer.effectAllowed = 'copyLink';
    // Browsers cancel a drag whose start changes the page.
    setTimeout(() => dragged.set(type));
    // The element may be gone by the end of the drag, so it can't listen itself.
    const end = new AbortController();
    for (const event of ['dragend', 'drop'])
      window.addEventListener(
        event,
        () => {
          end.abort();
          setTimeout(() => dragged.set(null));
        },
        { capture: true, signal: end.signal },
      );
  },
});

/** Reads dropped media. null unless they are the service's own, because another page can name any URL. */
export function readDraggedMedia(transfer: DataTransfer): DraggedMedia | null {
  const kind = draggedKind(transfer);
  if (!kind) return null;
  try {
    const { url } = JSON.parse(transfer.getData(dataType(kind))) as Partial<DraggedMedia>;
    return typeof url === 'string' && serviceMediaSrc(url) !== null ? { type: kind, url } : null;
  } catch {
    return null;
  }
}
