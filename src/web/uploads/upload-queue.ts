import type { Upload } from '#contract/resources/upload.ts';
import { ApiError, isAbort, NetworkError } from '#web/api/api-errors.ts';
import { createTransferRate } from './transfer-rate.ts';
import {
  updateUploadItem,
  removeUploadItem,
  getUploadFile,
  setUploadFile,
  type SuspendReason,
  getUploadItems,
  type UploadItem,
} from './upload-store.ts';

export interface TransferOptions {
  signal: AbortSignal;
  onSent: (bytes: number) => void;
  /** Called when the service has confirmed a part, which ends a series of failures. */
  onAccepted: () => void;
  onAllSent: () => void;
}

export interface UploadQueueOptions {
  /** @throws {UnreadableFileError} @throws {InvalidFileError} @throws {ApiError} @throws {NetworkError} */
  transfer: (item: UploadItem, file: File, options: TransferOptions) => Promise<Upload>;
  validate: (file: File) => string | null;
  isOnline: () => boolean;
}

export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

export class InvalidFileError extends Error {
  override readonly name = 'InvalidFileError';
}

const CONCURRENCY = 2;
const PROGRESS_INTERVAL_MS = 120;
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
const MAX_BUSY_RETRIES = 6;
/** The service would reject the same file again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 413]);
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 503]);

export type UploadQueue = ReturnType<typeof createUploadQueue>;

export function createUploadQueue({ transfer, validate, isOnline }: UploadQueueOptions) {
  const running = new Map<string, AbortController>();
  const failures = new Map<string, number>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const find = (id: string) => getUploadItems().find((each) => each.id === id);

  const cancel = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    running.get(id)?.abort();
    running.delete(id);
  };
  const suspend = (id: string, suspendReason: SuspendReason, problem: string | null = null) => {
    cancel(id);
    updateUploadItem(id, { state: 'suspended', suspend_reason: suspendReason, problem, bytesPerSecond: null });
  };
  const requeue = (id: string) => {
    cancel(id);
    updateUploadItem(id, { state: 'waiting', suspend_reason: null, problem: null, can_retry: false });
  };

  const start = () => {
    for (const { id, state } of getUploadItems()) {
      if (state !== 'waiting' || running.has(id)) continue;
      const file = getUploadFile(id);
      const problem = file ? validate(file) : null;
      if (!file) updateUploadItem(id, { state: 'lost' });
      else if (problem !== null) fail(id, new InvalidFileError(problem));
      else if (running.size < CONCURRENCY) void run(id, file);
    }
  };

  const run = async (id: string, file: File) => {
    const item = find(id);
    if (!item) return;
    const control = new AbortController();
    running.set(id, control);
    updateUploadItem(id, { state: 'sending', suspend_reason: null, problem: null });
    try {
      const upload = await transfer(item, file, createTransferOptions(id, control.signal));
      if (control.signal.aborted) return;
      const { id: upload_id } = upload;
      updateUploadItem(id, { state: 'done', upload, upload_id, sentBytes: file.size, bytesPerSecond: null });
    } catch (error) {
      // An abort has already set the state of the item.
      if (!control.signal.aborted && !isAbort(error)) handleError(id, error);
    } finally {
      if (running.get(id) === control) running.delete(id);
      start();
    }
  };

  const createTransferOptions = (id: string, signal: AbortSignal): TransferOptions => {
    const rate = createTransferRate();
    let shownAtMs = 0;
    return {
      signal,
      onSent: (bytes) => {
        const atMs = performance.now();
        rate.addSample(atMs, bytes);
        if (signal.aborted || atMs - shownAtMs < PROGRESS_INTERVAL_MS) return;
        shownAtMs = atMs;
        // A file that a proxy rejected as a whole is sent again in parts.
        updateUploadItem(id, { state: 'sending', sentBytes: bytes, bytesPerSecond: rate.read() });
      },
      onAccepted: () => failures.delete(id),
      onAllSent: () => {
        if (!signal.aborted)
          updateUploadItem(id, { state: 'checking', sentBytes: find(id)?.size_bytes ?? 0, bytesPerSecond: null });
      },
    };
  };

  const handleError = (id: string, error: unknown) => {
    const failureCount = failures.get(id) ?? 0;
    const rejection = error instanceof ApiError ? error : null;
    if (error instanceof UnreadableFileError) return updateUploadItem(id, { state: 'lost', bytesPerSecond: null });
    if (rejection?.status === 401) return suspend(id, 'signed_out');
    const isTemporary =
      error instanceof NetworkError ||
      (rejection && RETRYABLE_STATUSES.has(rejection.status) && failureCount < MAX_BUSY_RETRIES);
    if (!isTemporary) return fail(id, error);
    if (!isOnline()) return suspend(id, 'offline');
    failures.set(id, failureCount + 1);
    if (rejection) suspend(id, 'postponed', rejection.message);
    else suspend(id, 'unreachable');
    const retryAfterMs = (rejection?.retry_after_seconds ?? 0) * 1000;
    const delayMs = Math.max(retryAfterMs, RETRY_DELAYS_MS[Math.min(failureCount, RETRY_DELAYS_MS.length - 1)] ?? 0);
    timers.set(
      id,
      setTimeout(() => {
        requeue(id);
        start();
      }, delayMs),
    );
  };

  const fail = (id: string, error: unknown) => {
    const problem = error instanceof Error ? error.message : 'Upload failed.';
    const canRetry =
      !(error instanceof InvalidFileError) &&
      !(error instanceof ApiError && FINAL_STATUSES.has(error.status) && !error.isFromProxy);
    updateUploadItem(id, { state: 'failed', suspend_reason: null, problem, can_retry: canRetry, bytesPerSecond: null });
  };

  const resumeAll = (reasons: readonly SuspendReason[]) => {
    for (const { id, suspend_reason } of getUploadItems())
      if (suspend_reason && reasons.includes(suspend_reason)) requeue(id);
    start();
  };

  return {
    start,
    pause: (id: string) => {
      const state = find(id)?.state;
      if (state === 'waiting' || state === 'sending' || state === 'suspended') suspend(id, 'paused');
      start();
    },
    resume: (id: string) => {
      failures.delete(id);
      if (find(id)?.state === 'suspended') requeue(id);
      start();
    },
    retry: (id: string) => {
      failures.delete(id);
      if (find(id)?.state === 'failed') requeue(id);
      start();
    },
    resumeWithFile: (id: string, file: File) => {
      setUploadFile(id, file);
      requeue(id);
      start();
    },
    remove: (id: string) => {
      cancel(id);
      failures.delete(id);
      removeUploadItem(id);
      start();
    },
    /** The item stays in the store while a form waits for it. */
    dismiss: (id: string) => {
      const item = find(id);
      if (item?.destination && item.upload) updateUploadItem(id, { dismissed: true });
      else if (item) removeUploadItem(id);
    },
    handleOffline: () => {
      for (const { id, state } of getUploadItems()) if (state === 'sending') suspend(id, 'offline');
    },
    handleOnline: () => resumeAll(['offline', 'unreachable']),
    handleSessionExpired: () => {
      for (const { id, state } of getUploadItems())
        if (running.has(id) || state === 'waiting') suspend(id, 'signed_out');
    },
    handleSignIn: () => resumeAll(['signed_out']),
    clear: () => {
      failures.clear();
      for (const { id } of getUploadItems()) {
        cancel(id);
        removeUploadItem(id);
      }
    },
  };
}
