import { type DragEvent, useState } from 'react';
import type { MediaKind } from '#contract/task.ts';
import { draggedKind, readDraggedMedia, useDraggedKind } from '#web/media/media-drop.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';

export interface MediaDropOptions {
  label: string;
  media: MediaKind;
  /** Why nothing can be added; null if it can. */
  problem: string | null;
  onDrop: (url: string) => void;
}

/** Lets media of the app be dropped on a field, and says why not where it does not take them. */
export function useMediaDrop({ label, media, problem, onDrop }: MediaDropOptions) {
  const dragged = useDraggedKind();
  const [over, setOver] = useState<{ problem: string | null } | null>(null);
  const problemOf = (kind: MediaKind) =>
    kind === media ? problem : `${label} takes ${MEDIA_NOUNS[media][1]}, not ${MEDIA_NOUNS[kind][1]}.`;
  return {
    /** Whether a drop here is possible now. */
    is_target: over ? over.problem === null : dragged === media && problem === null,
    is_over: over?.problem === null,
    problem: over?.problem ?? null,
    handlers: {
      onDragOver: (event: DragEvent) => {
        const kind = draggedKind(event.dataTransfer);
        if (!kind) return;
        const reason = problemOf(kind);
        if (over?.problem !== reason || !over) setOver({ problem: reason });
        if (reason !== null) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(null);
      },
      onDrop: (event: DragEvent) => {
        setOver(null);
        const dropped = readDraggedMedia(event.dataTransfer);
        if (!dropped || problemOf(dropped.type) !== null) return;
        event.preventDefault();
        event.stopPropagation();
        onDrop(dropped.url);
      },
    },
  };
}
