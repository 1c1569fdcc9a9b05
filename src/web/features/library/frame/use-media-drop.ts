import { type DragEvent, useState } from 'react';
import { droppedMediaIds, isMediaDrag } from '#web/media/library/drag-media.ts';

/** Makes an element take media that are dragged onto it. */
export function useMediaDrop(onDropMedia: (media_ids: readonly string[]) => void, enabled = true) {
  const [isOver, setOver] = useState(false);
  if (!enabled) return { isOver: false, handlers: {} };
  const accept = (event: DragEvent) => {
    if (!isMediaDrag(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: accept,
      onDragOver: accept,
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!isMediaDrag(event)) return;
        event.preventDefault();
        const media_ids = droppedMediaIds(event);
        if (media_ids.length > 0) onDropMedia(media_ids);
      },
    },
  };
}
