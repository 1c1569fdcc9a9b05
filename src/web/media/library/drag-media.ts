import type { DragEvent } from 'react';
import { formatFileCount } from './media-labels.ts';

/** Type of a drag that carries ids of media, as a JSON array. */
const MEDIA_DRAG_TYPE = 'application/x-emulsion-media';
const MEDIA_ID = /^(?:ast|upl)_[0-9a-hjkmnp-tv-z]{26}$/;

export const isMediaDrag = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): boolean =>
  dataTransfer.types.includes(MEDIA_DRAG_TYPE);

/** Adds media to a drag that starts, beside what else it carries; several are shown as their number. */
export function startMediaDrag(event: DragEvent<HTMLElement>, mediaIds: readonly string[]): void {
  const { dataTransfer, currentTarget } = event;
  dataTransfer.setData(MEDIA_DRAG_TYPE, JSON.stringify(mediaIds));
  dataTransfer.effectAllowed = 'copyLink';
  const picture = mediaIds.length === 1 ? currentTarget.closest('[data-row-id]')?.querySelector('img') : null;
  if (picture) return dataTransfer.setDragImage(picture, 24, 24);
  const badge = Object.assign(document.createElement('div'), {
    textContent: formatFileCount(mediaIds.length),
    className: 'fixed -top-40 left-0 rounded-md bg-raised px-3 py-2 text-sm font-medium text-ink shadow-float',
  });
  document.body.append(badge);
  dataTransfer.setDragImage(badge, 12, 12);
  // The browser has taken its picture by then.
  setTimeout(() => badge.remove());
}

/** Returns the ids that a drop carries; none where it carries something else. */
export function droppedMediaIds({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>): string[] {
  try {
    const ids: unknown = JSON.parse(dataTransfer.getData(MEDIA_DRAG_TYPE));
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && MEDIA_ID.test(id)) : [];
  } catch {
    return [];
  }
}
