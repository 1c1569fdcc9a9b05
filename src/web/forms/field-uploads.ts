import type { Upload } from '#contract/resources/upload.ts';
import type { MediaKind } from '#contract/task.ts';
import { mediaNounWithArticle } from '#web/media/format-media.ts';
import { mediaKindOf } from './accepted-file-types.ts';
import { enqueueUploads, withUploadQueue } from '#web/uploads/enqueue-uploads.ts';
import {
  updateUploadItem,
  removeUploadItem,
  registerOpenForm,
  type UploadDestination,
  getUploadItems,
  type UploadItem,
  subscribeUploads,
} from '#web/uploads/upload-store.ts';

export interface FieldUploads {
  add: (field: string, media: MediaKind, files: readonly File[]) => void;
  /** Uploads the mask of a picture, in place of one that is still under way. */
  addMask: (field: string, file: File, pictureUrl: string) => void;
  /** Returns the same array until an upload changes. */
  itemsOfField: (field: string) => readonly UploadItem[];
  pendingCount: () => number;
  /** Passes completed uploads to the receiver, which returns whether the field accepted the file. Returns a cleanup function. */
  deliverTo: (receiver: (field: string, upload: Upload, pictureUrl?: string) => boolean) => () => void;
  subscribe: (listener: () => void) => () => void;
}

const NO_ITEMS: readonly UploadItem[] = [];

/** Later uploads of the field wait for these, so that references keep the order of selection. */
const isInProgress = ({ state, suspend_reason }: UploadItem) =>
  state === 'waiting' ||
  state === 'sending' ||
  state === 'checking' ||
  (suspend_reason !== null && suspend_reason !== 'paused');

export const isUploadPending = (item: UploadItem) => isInProgress(item) || item.suspend_reason === 'paused';

function nextDeliverable(
  list: readonly UploadItem[],
): { id: string; destination: UploadDestination; upload: Upload } | undefined {
  const blockedFields = new Set<string>();
  for (const item of list) {
    const { id, destination, upload } = item;
    if (!destination || blockedFields.has(destination.field)) continue;
    if (isInProgress(item)) blockedFields.add(destination.field);
    else if (upload) return { id, destination, upload };
  }
  return undefined;
}

/**
 * Manages the uploads of a form. A file that completes while the form is closed is delivered when it opens.
 * @param form name of the form; forms of the same name share their uploads
 */
export function createFieldUploads(form: string): FieldUploads {
  const byField = new Map<string, readonly UploadItem[]>();
  const formItems = () => getUploadItems().filter(({ destination }) => destination?.form === form);

  return {
    add: (field, media, files) => {
      enqueueUploads(files, { form, field }, (file) =>
        mediaKindOf(file) === media ? null : `This file is not ${mediaNounWithArticle(media)}.`,
      );
    },
    addMask: (field, file, pictureUrl) => {
      const earlier = formItems().filter(({ destination }) => destination?.field === field);
      for (const { id } of earlier) withUploadQueue((queue) => queue.remove(id));
      enqueueUploads([file], { form, field, pictureUrl });
    },
    itemsOfField: (field) => {
      const current = formItems().filter(({ destination }) => destination?.field === field);
      const previous = byField.get(field) ?? NO_ITEMS;
      if (current.length === previous.length && current.every((item, index) => item === previous[index]))
        return previous;
      byField.set(field, current);
      return current;
    },
    pendingCount: () => formItems().filter(isUploadPending).length,
    deliverTo: (receiver) => {
      let isDelivering = false;
      const deliver = () => {
        // A delivery changes the store, which calls this function again.
        if (isDelivering) return;
        isDelivering = true;
        for (let next = nextDeliverable(formItems()); next; next = nextDeliverable(formItems())) {
          const { field, pictureUrl } = next.destination;
          if (receiver(field, next.upload, pictureUrl)) removeUploadItem(next.id);
          else updateUploadItem(next.id, { destination: null });
        }
        isDelivering = false;
      };
      const close = registerOpenForm(form);
      const stop = subscribeUploads(deliver);
      deliver();
      return () => {
        stop();
        close();
      };
    },
    subscribe: subscribeUploads,
  };
}
