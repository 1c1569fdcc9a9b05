import type { UploadQueue } from './upload-queue.ts';
import { addUploadItems, updateUploadItem, type UploadDestination, type UploadItemState } from './upload-store.ts';

const INITIAL_PROGRESS = {
  sentBytes: 0,
  bytesPerSecond: null,
  suspend_reason: null,
  can_retry: false,
  upload_id: null,
  upload: null,
};
let lastId = 0;

export function enqueueUploads(
  files: readonly File[],
  destination: UploadDestination | null,
  validate: (file: File) => string | null = () => null,
): void {
  const added = files.map((file) => {
    const problem = validate(file);
    lastId += 1;
    const id = `${Date.now().toString(36)}-${String(lastId).padStart(5, '0')}-${Math.random().toString(36).slice(2, 8)}`;
    const { name, size: size_bytes } = file;
    const state: UploadItemState = problem === null ? 'waiting' : 'failed';
    return { file, item: { ...INITIAL_PROGRESS, id, destination, name, size_bytes, state, problem } };
  });
  addUploadItems(added);
  if (added.every(({ item }) => item.problem !== null)) return;
  loadUploader().then(
    ({ startUploads }) => startUploads(),
    () => {
      for (const { item } of added)
        if (item.problem === null)
          updateUploadItem(item.id, {
            state: 'failed',
            problem: 'The uploader could not be loaded. Check the connection and try again.',
            can_retry: true,
          });
    },
  );
}

const loadUploader = () => import('./uploader.ts');

export const withUploadQueue = (run: (queue: UploadQueue) => void): void =>
  void loadUploader().then(
    ({ uploadQueue }) => run(uploadQueue),
    () => undefined,
  );
