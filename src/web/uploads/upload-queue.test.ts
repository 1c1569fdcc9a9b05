import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Upload } from '#contract/resources/upload.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { createUploadQueue, UnreadableFileError, InvalidFileError, type TransferOptions } from './upload-queue.ts';
import { removeUploadItem, addUploadItems, getUploadItems, type UploadItem } from './upload-store.ts';

interface Transfer {
  options: TransferOptions;
  complete: () => void;
  fail: (error: unknown) => void;
}

let online = true;
const transfers = new Map<string, Transfer>();
/** Names in the order in which transfers started. */
let started: string[] = [];

/** A transfer that the test settles. */
const transfer = ({ name }: UploadItem, _file: File, options: TransferOptions) =>
  new Promise<Upload>((resolve, reject) => {
    started.push(name);
    options.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    transfers.set(name, { options, complete: () => resolve({ id: `upl_${name}` } as Upload), fail: reject });
  });
const validate = ({ name }: File) => (name === 'invalid' ? 'This file is not supported.' : null);
const queue = createUploadQueue({ transfer, validate, isOnline: () => online });

function addItems(...names: string[]) {
  addUploadItems(
    names.map((name) => ({
      file: new File(['x'], name, { type: 'image/png' }),
      item: {
        id: name,
        destination: null,
        name,
        size_bytes: 1000,
        sentBytes: 0,
        bytesPerSecond: null,
        state: 'waiting',
        suspend_reason: null,
        problem: null,
        can_retry: false,
        upload_id: null,
        upload: null,
      },
    })),
  );
  queue.start();
}
const find = (name: string) => getUploadItems().find(({ id }) => id === name);
const flushPromises = () => vi.advanceTimersByTimeAsync(0);
const apiError = (status: number, retry_after_seconds: number | null = null) =>
  new ApiError({ status, code: 'invalid_media_upload', message: 'The service says why.', retry_after_seconds });

beforeEach(() => {
  vi.useFakeTimers();
  online = true;
  started = [];
  transfers.clear();
});
afterEach(() => {
  queue.clear();
  vi.useRealTimers();
});

it('runs two uploads at a time and starts the next when one completes', async () => {
  addItems('a', 'b', 'c');
  expect(started).toEqual(['a', 'b']);
  transfers.get('b')?.complete();
  await flushPromises();
  expect(started).toEqual(['a', 'b', 'c']);
  expect(find('b')).toMatchObject({ state: 'done', upload_id: 'upl_b', sentBytes: 1 });
});

it('reports progress, speed and the validation by the service', async () => {
  addItems('a');
  const { options } = transfers.get('a') as Transfer;
  options.onSent(100);
  await vi.advanceTimersByTimeAsync(1000);
  options.onSent(600);
  expect(find('a')).toMatchObject({ state: 'sending', sentBytes: 600, bytesPerSecond: 500 });
  options.onAllSent();
  expect(find('a')).toMatchObject({ state: 'checking', sentBytes: 1000, bytesPerSecond: null });
});

it('runs others while one is paused, and resumes it on demand', async () => {
  addItems('a', 'b', 'c');
  queue.pause('a');
  await flushPromises();
  expect(find('a')).toMatchObject({ state: 'suspended', suspend_reason: 'paused' });
  expect(started).toEqual(['a', 'b', 'c']);
  queue.resume('a');
  expect(find('a')?.state).toBe('waiting');
  transfers.get('b')?.complete();
  await flushPromises();
  expect(started).toEqual(['a', 'b', 'c', 'a']);
});

it('suspends uploads while the device is offline and resumes them automatically', async () => {
  addItems('a', 'b');
  online = false;
  queue.handleOffline();
  expect(getUploadItems().map(({ suspend_reason }) => suspend_reason)).toEqual(['offline', 'offline']);
  online = true;
  queue.handleOnline();
  await flushPromises();
  expect(started).toEqual(['a', 'b', 'a', 'b']);
});

it('retries an unreachable service with growing delays', async () => {
  addItems('a');
  for (const wait_ms of [1_000, 2_000, 4_000]) {
    transfers.get('a')?.fail(new NetworkError());
    await vi.advanceTimersByTimeAsync(wait_ms - 1);
    expect(find('a')).toMatchObject({ state: 'suspended', suspend_reason: 'unreachable' });
    await vi.advanceTimersByTimeAsync(1);
    expect(find('a')?.state).toBe('sending');
  }
  expect(started).toHaveLength(4);
  // A part that the service has confirmed resets the delay.
  transfers.get('a')?.options.onAccepted();
  transfers.get('a')?.fail(new NetworkError());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(5);
});

it('waits for Retry-After and fails after six retries', async () => {
  addItems('a');
  transfers.get('a')?.fail(apiError(429, 9));
  await flushPromises();
  expect(find('a')).toMatchObject({
    state: 'suspended',
    suspend_reason: 'postponed',
    problem: 'The service says why.',
  });
  await vi.advanceTimersByTimeAsync(8_999);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  for (let times = 2; times <= 7; times += 1) {
    expect(started).toHaveLength(times);
    // The service may read a part and reject it.
    transfers.get('a')?.options.onSent(10);
    transfers.get('a')?.fail(apiError(503));
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(find('a')).toMatchObject({ state: 'failed', problem: 'The service says why.', can_retry: true });
  queue.retry('a');
  expect(started).toHaveLength(8);
});

it.each([
  [apiError(400), false],
  [apiError(413), false],
  [new InvalidFileError('This file is not supported.'), false],
  [apiError(500), true],
])('keeps a failed upload with its reason: %s', async (error, can_retry) => {
  addItems('a');
  transfers.get('a')?.fail(error);
  await flushPromises();
  expect(find('a')).toMatchObject({ state: 'failed', problem: error.message, can_retry });
});

it('fails invalid files without a request', () => {
  addItems('a', 'b', 'invalid');
  expect(find('invalid')).toMatchObject({ state: 'failed', problem: 'This file is not supported.', can_retry: false });
  expect(started).toEqual(['a', 'b']);
});

it('asks for a file that can’t be read anymore and resumes its upload', async () => {
  addItems('a');
  transfers.get('a')?.fail(new UnreadableFileError());
  await flushPromises();
  expect(find('a')?.state).toBe('lost');
  queue.resumeWithFile('a', new File(['x'], 'a'));
  expect(started).toEqual(['a', 'a']);
});

it('suspends an upload after a 401 until the next sign-in', async () => {
  addItems('a');
  transfers.get('a')?.fail(apiError(401));
  await flushPromises();
  expect(find('a')).toMatchObject({ state: 'suspended', suspend_reason: 'signed_out' });
  queue.handleSignIn();
  expect(started).toEqual(['a', 'a']);
});

it('aborts the transfer of a removed upload', async () => {
  addItems('a');
  const { options } = transfers.get('a') as Transfer;
  queue.remove('a');
  await flushPromises();
  expect(options.signal.aborted).toBe(true);
  expect(getUploadItems()).toEqual([]);
  removeUploadItem('a');
});
