import type { MediaKind } from '#contract/task.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { isAbort } from '#web/api-errors.ts';
import type { SendFileOptions } from '#web/send-file.ts';
import { MEDIA_NOUNS } from '#web/forms/field-words.ts';

/** A file on its way to a field. */
export interface Sending {
  id: number;
  field: string;
  name: string;
  size_bytes: number;
  /** Share sent, 0 to 1. */
  progress: number;
  /** Why it did not arrive, as a sentence; null while it may. */
  problem: string | null;
  /** Whether sending it again may help. */
  again: boolean;
}

export interface UploadTray {
  add: (field: string, media: MediaKind, files: readonly File[]) => void;
  again: (id: number) => void;
  remove: (id: number) => void;
  /** Those of a field; the same array until something in it changes. */
  of: (field: string) => readonly Sending[];
  /** How many are still on their way. */
  underWay: () => number;
  /** Who hears of a file that has arrived; one at a time. */
  deliverTo: (receiver: (field: string, upload: Upload) => void) => void;
  subscribe: (listener: () => void) => () => void;
}

const AT_ONCE = 2;
const NONE: readonly Sending[] = [];

/** Which kind of medium a file says it is; null for anything else. */
export function mediaKindOf(file: Pick<File, 'type' | 'name'>): MediaKind | null {
  const said = /^(image|video|audio)\//.exec(file.type)?.[1];
  if (said) return said as MediaKind;
  // Some systems have no type for these.
  return /\.(mkv|mov)$/i.test(file.name) ? 'video' : null;
}

/**
 * Sends files, two at a time.
 * @param upload sends one; rejects with a sentence as its message
 */
export function createUploadTray(upload: (file: File, options: SendFileOptions) => Promise<Upload>): UploadTray {
  let receiver: Parameters<UploadTray['deliverTo']>[0] = () => undefined;
  let items: readonly Sending[] = [];
  const files = new Map<number, File>();
  const controls = new Map<number, AbortController>();
  /** Arrived before a file that was given earlier: they wait for it, so that the order stays as it was given. */
  const early = new Map<number, Upload>();
  const byField = new Map<string, readonly Sending[]>();
  const listeners = new Set<() => void>();
  let last_id = 0;

  const publish = (next: readonly Sending[]) => {
    items = next;
    for (const field of new Set([...byField.keys(), ...items.map((item) => item.field)])) {
      const mine = items.filter((item) => item.field === field);
      const before = byField.get(field) ?? NONE;
      const same = mine.length === before.length && mine.every((item, at) => item === before[at]);
      if (!same) byField.set(field, mine);
    }
    for (const listener of listeners) listener();
  };
  const update = (id: number, change: Partial<Sending>) =>
    publish(items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  const drop = (id: number) => {
    files.delete(id);
    early.delete(id);
    publish(items.filter((item) => item.id !== id));
  };

  /** Hands over what has arrived, up to the first that is still on its way. */
  const deliver = (field: string) => {
    for (const { id, problem } of items.filter((item) => item.field === field)) {
      const upload = early.get(id);
      if (upload) {
        drop(id);
        receiver(field, upload);
      } else if (problem === null) return;
    }
  };

  const start = () => {
    const waiting = items.find((item) => item.problem === null && !controls.has(item.id) && !early.has(item.id));
    const file = waiting && files.get(waiting.id);
    if (!waiting || !file || controls.size >= AT_ONCE) return;
    const control = new AbortController();
    controls.set(waiting.id, control);
    void send(waiting, file, control).finally(() => {
      controls.delete(waiting.id);
      start();
    });
    start();
  };

  const send = async ({ id, field }: Sending, file: File, { signal }: AbortController) => {
    try {
      const done = await upload(file, { signal, onProgress: (progress) => update(id, { progress }) });
      early.set(id, done);
      update(id, { progress: 1 });
    } catch (error) {
      if (isAbort(error)) return;
      update(id, { problem: error instanceof Error ? error.message : 'The file did not arrive.', again: true });
    }
    deliver(field);
  };

  return {
    add: (field, media, given) => {
      const added = given.map((file): Sending => {
        last_id += 1;
        files.set(last_id, file);
        const wrong = mediaKindOf(file) !== media;
        const [one] = MEDIA_NOUNS[media];
        return {
          id: last_id,
          field,
          name: file.name,
          size_bytes: file.size,
          progress: 0,
          problem: wrong ? `This file is not a ${one}.` : null,
          again: false,
        };
      });
      publish([...items, ...added]);
      start();
    },
    again: (id) => {
      update(id, { problem: null, progress: 0 });
      start();
    },
    remove: (id) => {
      const gone = items.find((item) => item.id === id);
      controls.get(id)?.abort();
      drop(id);
      if (gone) deliver(gone.field);
    },
    of: (field) => byField.get(field) ?? NONE,
    underWay: () => items.filter((item) => item.problem === null).length,
    deliverTo: (next) => {
      receiver = next;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
