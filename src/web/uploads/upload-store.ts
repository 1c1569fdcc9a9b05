import type { Upload } from '#contract/resources/upload.ts';

export interface UploadDestination {
  form: string;
  field: string;
  /** Of a mask: the URL of its picture. It replaces the mask in the field as long as the picture is still there. */
  pictureUrl?: string;
}

/** `postponed`: the service rejected it for now, see `problem`. */
export type SuspendReason = 'paused' | 'offline' | 'unreachable' | 'postponed' | 'signed_out';

/** `checking`: the whole file is sent and the service validates it. `lost`: the page can't read the file anymore. */
export type UploadItemState = 'waiting' | 'sending' | 'checking' | 'suspended' | 'lost' | 'failed' | 'done';

export interface UploadItem {
  id: string;
  destination: UploadDestination | null;
  name: string;
  size_bytes: number;
  sentBytes: number;
  /** null while unknown or not sending. */
  bytesPerSecond: number | null;
  state: UploadItemState;
  suspend_reason: SuspendReason | null;
  problem: string | null;
  can_retry: boolean;
  upload_id: string | null;
  /** null for uploads that completed before the page was loaded. */
  upload: Upload | null;
  /** Hidden from the dock, while a form still waits for it. */
  dismissed?: boolean;
  tusUrl?: string;
}

let uploadItems: readonly UploadItem[] = [];
const filesById = new Map<string, File>();
const openForms = new Map<string, number>();
const listeners = new Set<() => void>();

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

export function addUploadItems(added: readonly { item: UploadItem; file?: File | null | undefined }[]): void {
  for (const { item, file } of added) if (file) filesById.set(item.id, file);
  publish([...uploadItems, ...added.map(({ item }) => item)]);
}

export const setUploadFile = (id: string, file: File): void => void filesById.set(id, file);

/** An open form shows its own uploads, and the dock hides them. Returns a cleanup function. */
export function registerOpenForm(form: string): () => void {
  openForms.set(form, (openForms.get(form) ?? 0) + 1);
  publish([...uploadItems]);
  return () => {
    openForms.set(form, (openForms.get(form) ?? 1) - 1);
    publish([...uploadItems]);
  };
}

export const isFormOpen = (form: string): boolean => (openForms.get(form) ?? 0) > 0;
