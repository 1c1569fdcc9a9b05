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
  /** Is called with how many bytes of the file have left this device. */
  onSent: (bytes: number) => void;
  /** Is called when the whole file has left and the service validates it. */
  onAllSent: () => void;
}

export interface UploadQueueOptions {
  /** @throws {UnreadableFileError} @throws {InvalidFileError} @throws {ApiError} @throws {NetworkError} */
  send: (sending: UploadItem, file: File, tools: TransferOptions) => Promise<Upload>;
  /** Why a file need not be sent at all, as far as that is known already. */
  refuse: (file: File) => string | null;
  isOnline: () => boolean;
}

/** The page can't read the file any more. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

/** The file is not sent at all; `message` says why. */
export class InvalidFileError extends Error {
  override readonly name = 'InvalidFileError';
}

const CONCURRENCY = 2;
const PROGRESS_INTERVAL_MS = 120;
/** After the first, second … failure in a row to reach the service. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** So often a service that asks for patience is asked again before a person is. */
const MAX_BUSY_RETRIES = 6;
/** Sent again, it would be refused again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 413]);
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([408, 429, 503]);

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Sends what is listed in `sendings`, a few at a time, in their order; goes on by itself after what passes by itself. */
export function createUploadQueue({ send, refuse, isOnline }: UploadQueueOptions) {
  const running = new Map<string, AbortController>();
  const failures = new Map<string, number>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const find = (id: string) => getUploadItems().find((each) => each.id === id);

  const stop = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    running.get(id)?.abort();
    running.delete(id);
  };
  const hold = (id: string, why: SuspendReason, problem: string | null = null) => {
    stop(id);
    updateUploadItem(id, { state: 'held', hold: why, problem, bytes_per_second: null });
  };
  const letGo = (id: string) => {
    stop(id);
    updateUploadItem(id, { state: 'waiting', hold: null, problem: null, again: false });
  };

  const start = () => {
    for (const { id, state } of getUploadItems()) {
      if (state !== 'waiting' || running.has(id)) continue;
      const file = getUploadFile(id);
      const problem = file ? refuse(file) : null;
      if (!file) updateUploadItem(id, { state: 'lost' });
      else if (problem !== null) fail(id, new InvalidFileError(problem));
      else if (running.size < CONCURRENCY) void drive(id, file);
    }
  };

  const drive = async (id: string, file: File) => {
    const sending = find(id);
    if (!sending) return;
    const control = new AbortController();
    running.set(id, control);
    updateUploadItem(id, { state: 'sending', hold: null, problem: null });
    try {
      const upload = await send(sending, file, toolsFor(id, control.signal));
      if (control.signal.aborted) return;
      const { id: upload_id } = upload;
      updateUploadItem(id, { state: 'done', upload, upload_id, sent_bytes: file.size, bytes_per_second: null });
    } catch (error) {
      // Whoever gave it up has said what becomes of it.
      if (!control.signal.aborted && !isAbort(error)) trouble(id, error);
    } finally {
      if (running.get(id) === control) running.delete(id);
      start();
    }
  };

  const toolsFor = (id: string, signal: AbortSignal): TransferOptions => {
    const pace = createTransferRate();
    let shown_at_ms = 0;
    return {
      signal,
      onSent: (bytes) => {
        const at_ms = performance.now();
        pace.addSample(at_ms, bytes);
        failures.delete(id);
        if (signal.aborted || at_ms - shown_at_ms < PROGRESS_INTERVAL_MS) return;
        shown_at_ms = at_ms;
        updateUploadItem(id, { sent_bytes: bytes, bytes_per_second: pace.read() });
      },
      onAllSent: () => {
        if (!signal.aborted)
          updateUploadItem(id, { state: 'checking', sent_bytes: find(id)?.size_bytes ?? 0, bytes_per_second: null });
      },
    };
  };

  const trouble = (id: string, error: unknown) => {
    const times = failures.get(id) ?? 0;
    const refused = error instanceof ApiError ? error : null;
    if (error instanceof UnreadableFileError) return updateUploadItem(id, { state: 'lost', bytes_per_second: null });
    if (refused?.status === 401) return hold(id, 'signed_out');
    const passes =
      error instanceof NetworkError || (refused && RETRYABLE_STATUSES.has(refused.status) && times < MAX_BUSY_RETRIES);
    if (!passes) return fail(id, error);
    if (!isOnline()) return hold(id, 'offline');
    failures.set(id, times + 1);
    if (refused) hold(id, 'postponed', refused.message);
    else hold(id, 'unreachable');
    const asked_ms = (refused?.retry_after_seconds ?? 0) * 1000;
    const patience_ms = Math.max(asked_ms, RETRY_DELAYS_MS[Math.min(times, RETRY_DELAYS_MS.length - 1)] ?? 0);
    timers.set(
      id,
      setTimeout(() => {
        letGo(id);
        start();
      }, patience_ms),
    );
  };

  const fail = (id: string, error: unknown) => {
    const problem = error instanceof Error ? error.message : 'The file did not arrive.';
    const again =
      !(error instanceof InvalidFileError) && !(error instanceof ApiError && FINAL_STATUSES.has(error.status));
    updateUploadItem(id, { state: 'failed', hold: null, problem, again, bytes_per_second: null });
  };

  const release = (why: readonly SuspendReason[]) => {
    for (const each of getUploadItems()) if (each.hold && why.includes(each.hold)) letGo(each.id);
    start();
  };

  return {
    start,
    pause: (id: string) => {
      const state = find(id)?.state;
      if (state === 'waiting' || state === 'sending' || state === 'held') hold(id, 'paused');
      start();
    },
    resume: (id: string) => {
      failures.delete(id);
      if (find(id)?.state === 'held') letGo(id);
      start();
    },
    /** Once more what failed. */
    again: (id: string) => {
      failures.delete(id);
      if (find(id)?.state === 'failed') letGo(id);
      start();
    },
    /** Goes on with a file that was chosen once more. */
    goOnWith: (id: string, file: File) => {
      setUploadFile(id, file);
      letGo(id);
      start();
    },
    remove: (id: string) => {
      stop(id);
      failures.delete(id);
      removeUploadItem(id);
      start();
    },
    /** Takes what has arrived off the list; what a form still waits for stays for it, out of sight. */
    dismiss: (id: string) => {
      const each = find(id);
      if (each?.place && each.upload) updateUploadItem(id, { dismissed: true });
      else if (each) removeUploadItem(id);
    },
    /** The device has lost its network. */
    wentOffline: () => {
      for (const { id, state } of getUploadItems()) if (state === 'sending') hold(id, 'offline');
    },
    cameOnline: () => release(['offline', 'unreachable']),
    /** The key no longer works. */
    wasSignedOut: () => {
      for (const { id, state } of getUploadItems()) if (running.has(id) || state === 'waiting') hold(id, 'signed_out');
    },
    wasSignedIn: () => release(['signed_out']),
    /** Everything is given up. */
    clear: () => {
      failures.clear();
      for (const { id } of getUploadItems()) {
        stop(id);
        removeUploadItem(id);
      }
    },
  };
}
