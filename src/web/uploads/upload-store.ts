import type { Upload } from '#contract/resources/upload.ts';
import type { UploadQueue } from './upload-queue.ts';

/** Where a file goes besides the uploads: a field of a form. */
export interface UploadDestination {
  form: string;
  field: string;
}

/** Why a file waits although its turn has come. `postponed`: the service refused it for now, see `problem`. */
export type SuspendReason = 'paused' | 'offline' | 'unreachable' | 'postponed' | 'signed_out';

/**
 * `checking`: all of it has been sent, and the service judges it. `held`: see `hold`. `lost`: the page no longer has
 * the file, it is to be chosen again. `failed`: see `problem`. `done`: see `upload_id`.
 */
export type UploadItemState = 'waiting' | 'sending' | 'checking' | 'held' | 'lost' | 'failed' | 'done';

/** A file on its way. */
export interface UploadItem {
  id: string;
  place: UploadDestination | null;
  name: string;
  size_bytes: number;
  sent_bytes: number;
  /** While it is being sent; null until that is known. */
  bytes_per_second: number | null;
  state: UploadItemState;
  hold: SuspendReason | null;
  /** Why it did not arrive, or not yet, as a sentence. */
  problem: string | null;
  /** Whether sending it once more may help. */
  again: boolean;
  upload_id: string | null;
  /** Of what has arrived since the page was opened. */
  upload: Upload | null;
  /** Nobody needs to see it any more, but a form still waits for it. */
  dismissed?: boolean;
  /** Where the service collects the chunks of a resumable upload. */
  tus_url?: string;
}

let uploadItems: readonly UploadItem[] = [];
const filesById = new Map<string, File>();
const openForms = new Map<string, number>();
const listeners = new Set<() => void>();

/** In the order in which they were given; the same array until something in it changes. */
export const getUploadItems = (): readonly UploadItem[] => uploadItems;

export const getUploadFile = (id: string): File | undefined => filesById.get(id);

export function subscribeUploads(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly UploadItem[]): void {
  uploadItems = next;
  for (const listener of listeners) listener();
}

export const updateUploadItem = (id: string, change: Partial<UploadItem>): void =>
  publish(uploadItems.map((each) => (each.id === id ? { ...each, ...change } : each)));

export function removeUploadItem(id: string): void {
  filesById.delete(id);
  publish(uploadItems.filter((each) => each.id !== id));
}

/** Lists files as they are; those without their file can't be sent. */
export function addUploadItems(added: readonly { sending: UploadItem; file?: File | null | undefined }[]): void {
  for (const { sending, file } of added) if (file) filesById.set(sending.id, file);
  publish([...uploadItems, ...added.map(({ sending }) => sending)]);
}

/** Gives a file to one that is listed. */
export const setUploadFile = (id: string, file: File): void => void filesById.set(id, file);

/** While it is open, a form shows for itself what goes to it. Returns what to call when it is left. */
export function registerOpenForm(form: string): () => void {
  openForms.set(form, (openForms.get(form) ?? 0) + 1);
  publish([...uploadItems]);
  return () => {
    openForms.set(form, (openForms.get(form) ?? 1) - 1);
    publish([...uploadItems]);
  };
}

export const isFormOpen = (form: string): boolean => (openForms.get(form) ?? 0) > 0;

const INITIAL_PROGRESS = {
  sent_bytes: 0,
  bytes_per_second: null,
  hold: null,
  again: false,
  upload_id: null,
  upload: null,
};
let lastId = 0;

/**
 * Sends files, a few at a time. This is the one way to do so.
 * @param queryError why one is not to be sent at all
 */
export function enqueueUploads(
  given: readonly File[],
  place: UploadDestination | null,
  problemOf: (file: File) => string | null = () => null,
): void {
  const added = given.map((file) => {
    const problem = problemOf(file);
    lastId += 1;
    const id = `${Date.now().toString(36)}-${String(lastId).padStart(5, '0')}-${Math.random().toString(36).slice(2, 8)}`;
    const { name, size: size_bytes } = file;
    const state: UploadItemState = problem === null ? 'waiting' : 'failed';
    return { file, sending: { ...INITIAL_PROGRESS, id, place, name, size_bytes, state, problem } };
  });
  addUploadItems(added);
  if (added.every(({ sending }) => sending.problem !== null)) return;
  loadUploader().then(
    ({ startUploads: startEngine }) => startEngine(),
    () => {
      for (const { sending } of added)
        if (sending.problem === null)
          updateUploadItem(sending.id, {
            state: 'failed',
            problem: 'This page could not load what sends files. Check the connection.',
            again: true,
          });
    },
  );
}

/** What sends them is fetched with the first file. */
const loadUploader = () => import('./uploader.ts');

/** Has something done with files on their way. Not imported at once: what only shows them needs little. */
export const withUploadQueue = (work: (engine: UploadQueue) => void): void =>
  void loadUploader().then(
    ({ uploadQueue: engine }) => work(engine),
    () => undefined,
  );
