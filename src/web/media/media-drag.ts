import type { DragEvent } from 'react';
import { assetSrc } from '#web/api/reference-info.ts';
import { draggedMedia, type DraggedMedia, mediaDataType } from './media-drop.ts';

/** Props with which an element can be dragged onto a field of a form. Other apps get the URL. */
export const mediaDragProps = ({ type, url }: DraggedMedia) => ({
  draggable: true,
  onDragStart: ({ dataTransfer }: DragEvent) => {
    const href = new URL(assetSrc(url), window.location.href).href;
    dataTransfer.clearData();
    dataTransfer.setData(mediaDataType(type), JSON.stringify({ type, url }));
    dataTransfer.setData('text/uri-list', href);
    dataTransfer.setData('text/plain', href);
    dataTransfer.effectAllowed = 'copyLink';
    // Browsers cancel a drag whose start changes the page.
    setTimeout(() => draggedMedia.set(type));
    // The element may be gone by the end of the drag, so it can't listen itself.
    const end = new AbortController();
    for (const event of ['dragend', 'drop'])
      window.addEventListener(
        event,
        () => {
          end.abort();
          setTimeout(() => draggedMedia.set(null));
        },
        { capture: true, signal: end.signal },
      );
  },
});
