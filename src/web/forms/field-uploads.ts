import type { Upload } from '#contract/resources/upload.ts';
import type { MediaKind } from '#contract/task.ts';
import { mediaKindOf } from './accepted-file-types.ts';
import { MEDIA_NOUNS } from './format-field-value.ts';
import {
  updateUploadItem,
  removeUploadItem,
  registerOpenForm,
  type UploadDestination,
  getUploadItems,
  enqueueUploads,
  type UploadItem,
  subscribeUploads,
} from '#web/uploads/upload-store.ts';

/** The uploads of one form's fields. */
export interface FieldUploads {
  add: (field: string, media: MediaKind, files: readonly File[]) => void;
  /** The uploads of a field; the same array until one changes. */
  itemsOfField: (field: string) => readonly UploadItem[];
  /** How many uploads are not finished. */
  pendingCount: () => number;
  /**
   * Passes each finished upload to the receiver while the form is open; it returns whether the field accepted the file.
   * Returns a function to call when the form closes.
   */
  deliverTo: (receiver: (field: string, upload: Upload) => boolean) => () => void;
  subscribe: (listener: () => void) => () => void;
}

const NO_ITEMS: readonly UploadItem[] = [];

/** Whether one may still arrive by itself: those after it wait for it, so that the order stays as it was given. */
const mayStillArrive = ({ state, suspend_reason }: UploadItem) =>
  state === 'waiting' ||
  state === 'sending' ||
  state === 'checking' ||
  (suspend_reason !== null && suspend_reason !== 'paused');

/** Whether a file has neither arrived nor failed. */
export const isUploadPending = (item: UploadItem) => mayStillArrive(item) || item.suspend_reason === 'paused';

/** The first upload that can be delivered. */
function nextDeliverable(
  list: readonly UploadItem[],
): { id: string; place: UploadDestination; upload: Upload } | undefined {
  const waited_for = new Set<string>();
  for (const item of list) {
    const { id, destination, upload } = item;
    if (!destination || waited_for.has(destination.field)) continue;
    if (mayStillArrive(item)) waited_for.add(destination.field);
    else if (upload) return { id, place: destination, upload };
  }
  return undefined;
}

/**
 * Creates the uploads of a form. They outlive it: a file that finishes while the form is closed is delivered when it opens.
 * @param form the name of the form; forms with the same name share their uploads
 */
export function createFieldUploads(form: string): FieldUploads {
  const byField = new Map<string, readonly UploadItem[]>();
  const mine = () => getUploadItems().filter(({ destination }) => destination?.form === form);

  return {
    add: (field, media, files) => {
      const [one] = MEDIA_NOUNS[media];
      enqueueUploads(files, { form, field }, (file) =>
        mediaKindOf(file) === media ? null : `This file is not a ${one}.`,
      );
    },
    itemsOfField: (field) => {
      const now = mine().filter(({ destination }) => destination?.field === field);
      const before = byField.get(field) ?? NO_ITEMS;
      if (now.length === before.length && now.every((each, at) => each === before[at])) return before;
      byField.set(field, now);
      return now;
    },
    pendingCount: () => mine().filter(isUploadPending).length,
    deliverTo: (receiver) => {
      let busy = false;
      const deliver = () => {
        // A delivery changes the list, which calls this function again.
        if (busy) return;
        busy = true;
        for (let next = nextDeliverable(mine()); next; next = nextDeliverable(mine())) {
          const taken = receiver(next.place.field, next.upload);
          if (taken) removeUploadItem(next.id);
          // It is among the uploads; there it is said to be.
          else updateUploadItem(next.id, { destination: null });
        }
        busy = false;
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
