import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Upload } from '#contract/resources/upload.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { createUploadQueue, UnreadableFileError, InvalidFileError, type TransferOptions } from './upload-queue.ts';
import { removeUploadItem, addUploadItems, getUploadItems, type UploadItem } from './upload-store.ts';

interface Flight {
  tools: TransferOptions;
  arrive: () => void;
  fail: (error: unknown) => void;
}

let online = true;
const flights = new Map<string, Flight>();
/** Every time one was begun, by name. */
let begun: string[] = [];

/** Sends what the test ends by hand. */
const send = ({ name }: UploadItem, _file: File, tools: TransferOptions) =>
  new Promise<Upload>((resolve, reject) => {
    begun.push(name);
    tools.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    flights.set(name, { tools, arrive: () => resolve({ id: `upl_${name}` } as Upload), fail: reject });
  });
const refuse = ({ name }: File) => (name === 'refused' ? 'It is not taken.' : null);
const engine = createUploadQueue({ send, refuse, isOnline: () => online });

function list(...names: string[]) {
  addUploadItems(
    names.map((name) => ({
      file: new File(['x'], name, { type: 'image/png' }),
      sending: {
        id: name,
        place: null,
        name,
        size_bytes: 1000,
        sent_bytes: 0,
        bytes_per_second: null,
        state: 'waiting',
        hold: null,
        problem: null,
        again: false,
        upload_id: null,
        upload: null,
      },
    })),
  );
  engine.start();
}
const find = (name: string) => getUploadItems().find(({ id }) => id === name);
const settled = () => vi.advanceTimersByTimeAsync(0);
const refusal = (status: number, retry_after_seconds: number | null = null) =>
  new ApiError({ status, code: 'invalid_media_upload', message: 'The service says why.', retry_after_seconds });

beforeEach(() => {
  vi.useFakeTimers();
  online = true;
  begun = [];
  flights.clear();
});
afterEach(() => {
  engine.clear();
  vi.useRealTimers();
});

it('sends two at a time, the next when one has arrived', async () => {
  list('a', 'b', 'c');
  expect(begun).toEqual(['a', 'b']);
  flights.get('b')?.arrive();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(find('b')).toMatchObject({ state: 'done', upload_id: 'upl_b', sent_bytes: 1 });
});

it('says how far it is, how fast, and when the service looks at it', async () => {
  list('a');
  const { tools } = flights.get('a') as Flight;
  tools.onSent(100);
  await vi.advanceTimersByTimeAsync(1000);
  tools.onSent(600);
  expect(find('a')).toMatchObject({ state: 'sending', sent_bytes: 600, bytes_per_second: 500 });
  tools.onAllSent();
  expect(find('a')).toMatchObject({ state: 'checking', sent_bytes: 1000, bytes_per_second: null });
});

it('makes room for others while one is paused, and goes on with it when told', async () => {
  list('a', 'b', 'c');
  engine.pause('a');
  await settled();
  expect(find('a')).toMatchObject({ state: 'held', hold: 'paused' });
  expect(begun).toEqual(['a', 'b', 'c']);
  engine.resume('a');
  expect(find('a')?.state).toBe('waiting');
  flights.get('b')?.arrive();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'a']);
});

it('waits while the device is offline, and goes on by itself', async () => {
  list('a', 'b');
  online = false;
  engine.wentOffline();
  expect(getUploadItems().map(({ hold }) => hold)).toEqual(['offline', 'offline']);
  online = true;
  engine.cameOnline();
  await settled();
  expect(begun).toEqual(['a', 'b', 'a', 'b']);
});

it('asks a service that is away again and again, less and less often', async () => {
  list('a');
  for (const wait_ms of [1_000, 2_000, 4_000]) {
    flights.get('a')?.fail(new NetworkError());
    await vi.advanceTimersByTimeAsync(wait_ms - 1);
    expect(find('a')).toMatchObject({ state: 'held', hold: 'unreachable' });
    await vi.advanceTimersByTimeAsync(1);
    expect(find('a')?.state).toBe('sending');
  }
  expect(begun).toHaveLength(4);
  // Once something gets through, its patience is whole again.
  flights.get('a')?.tools.onSent(10);
  flights.get('a')?.fail(new NetworkError());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(5);
});

it('waits as long as a service asks it to, and gives up after some time', async () => {
  list('a');
  flights.get('a')?.fail(refusal(429, 9));
  await settled();
  expect(find('a')).toMatchObject({ state: 'held', hold: 'postponed', problem: 'The service says why.' });
  await vi.advanceTimersByTimeAsync(8_999);
  expect(begun).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  for (let times = 2; times <= 7; times += 1) {
    expect(begun).toHaveLength(times);
    flights.get('a')?.fail(refusal(503));
    await vi.advanceTimersByTimeAsync(30_000);
  }
  expect(find('a')).toMatchObject({ state: 'failed', problem: 'The service says why.', again: true });
  engine.again('a');
  expect(begun).toHaveLength(8);
});

it.each([
  [refusal(400), false],
  [refusal(413), false],
  [new InvalidFileError('It is not taken.'), false],
  [refusal(500), true],
])('keeps what failed with its reason: %s', async (error, again) => {
  list('a');
  flights.get('a')?.fail(error);
  await settled();
  expect(find('a')).toMatchObject({ state: 'failed', problem: error.message, again });
});

it('refuses at once what is known not to be taken, without sending it', () => {
  list('a', 'b', 'refused');
  expect(find('refused')).toMatchObject({ state: 'failed', problem: 'It is not taken.', again: false });
  expect(begun).toEqual(['a', 'b']);
});

it('asks for a file that can’t be read any more, and goes on with it', async () => {
  list('a');
  flights.get('a')?.fail(new UnreadableFileError());
  await settled();
  expect(find('a')?.state).toBe('lost');
  engine.goOnWith('a', new File(['x'], 'a'));
  expect(begun).toEqual(['a', 'a']);
});

it('waits for a key where the one it had no longer works', async () => {
  list('a');
  flights.get('a')?.fail(refusal(401));
  await settled();
  expect(find('a')).toMatchObject({ state: 'held', hold: 'signed_out' });
  engine.wasSignedIn();
  expect(begun).toEqual(['a', 'a']);
});

it('stops what is taken away', async () => {
  list('a');
  const { tools } = flights.get('a') as Flight;
  engine.remove('a');
  await settled();
  expect(tools.signal.aborted).toBe(true);
  expect(getUploadItems()).toEqual([]);
  removeUploadItem('a');
});
