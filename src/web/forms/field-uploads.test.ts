import { afterEach, expect, it, vi } from 'vitest';
import type { Upload } from '#contract/resources/upload.ts';
import { mediaKindOf } from './accepted-file-types.ts';
import { createFieldUploads, type FieldUploads } from './field-uploads.ts';
import {
  updateUploadItem,
  removeUploadItem,
  addUploadItems,
  getUploadItems,
  type UploadItemState,
} from '#web/uploads/upload-store.ts';

const leave = new Set<() => void>();
const open = (receiver: Parameters<FieldUploads['deliverTo']>[0], uploads = createFieldUploads('create')) => {
  const close = uploads.deliverTo(receiver);
  leave.add(close);
  return close;
};

afterEach(() => {
  for (const close of leave) close();
  leave.clear();
  for (const { id } of getUploadItems()) removeUploadItem(id);
});

/** Lists a file as it is on its way to a field. */
function list(name: string, field = 'images', form = 'create') {
  const item = {
    id: name,
    destination: { form, field },
    name,
    size_bytes: 1,
    sentBytes: 0,
    bytesPerSecond: null,
    state: 'sending' as UploadItemState,
    suspend_reason: null,
    problem: null,
    can_retry: false,
    upload_id: null,
    upload: null,
  };
  addUploadItems([{ item }]);
}
const arrive = (name: string) =>
  updateUploadItem(name, { state: 'done', upload: { url: `https://example.com/${name}` } as Upload });

const receive = (isAccepted = true) => vi.fn<(field: string, upload: Upload) => boolean>(() => isAccepted);
const namesOf = (receiver: ReturnType<typeof receive>) => receiver.mock.calls.map(([, { url }]) => url.at(-1));
const left = () => getUploadItems().map(({ id }) => id);

it('hands files over in the order in which they were given, whichever arrives first', () => {
  const uploads = createFieldUploads('create');
  const receiver = receive();
  open(receiver, uploads);
  for (const name of ['a', 'b', 'c', 'd']) list(name);
  arrive('b');
  expect(namesOf(receiver)).toEqual([]);
  arrive('a');
  expect(namesOf(receiver)).toEqual(['a', 'b']);
  arrive('d');
  expect(namesOf(receiver)).toEqual(['a', 'b']);
  // One that failed, or was paused, holds nobody up.
  updateUploadItem('c', { state: 'failed', problem: 'The file is too large.' });
  expect(namesOf(receiver)).toEqual(['a', 'b', 'd']);
  expect(uploads.itemsOfField('images').map(({ name }) => name)).toEqual(['c']);
});

it('hands over to each field by itself, and nothing of another form', () => {
  const uploads = createFieldUploads('create');
  const receiver = receive();
  open(receiver, uploads);
  list('a');
  list('b', 'videos');
  list('c', 'images', 'another');
  arrive('b');
  arrive('c');
  expect(receiver.mock.calls.map(([field]) => field)).toEqual(['videos']);
  expect(uploads.pendingCount()).toBe(1);
  expect(left()).toEqual(['a', 'c']);
});

it('keeps what arrives while the form is closed until it is opened', () => {
  const uploads = createFieldUploads('create');
  const before = receive();
  open(before, uploads)();
  list('a');
  arrive('a');
  expect(before).not.toHaveBeenCalled();
  const receiver = receive();
  open(receiver, uploads);
  expect(namesOf(receiver)).toEqual(['a']);
  expect(left()).toEqual([]);
});

it('leaves what the form can’t take among the uploads', () => {
  open(receive(false));
  list('a');
  arrive('a');
  expect(getUploadItems()).toMatchObject([{ id: 'a', destination: null, state: 'done' }]);
});

it('gives the same list of a field until something in it changes', () => {
  const uploads = createFieldUploads('create');
  list('a');
  const first = uploads.itemsOfField('images');
  list('b', 'videos');
  expect(uploads.itemsOfField('images')).toBe(first);
  updateUploadItem('a', { sentBytes: 1 });
  expect(uploads.itemsOfField('images')).not.toBe(first);
});

it('does not send what is of another kind', () => {
  const uploads = createFieldUploads('create');
  uploads.add('videos', 'video', [new File(['x'], 'a.png', { type: 'image/png' })]);
  expect(uploads.itemsOfField('videos')).toMatchObject([
    { state: 'failed', problem: 'This file is not a video.', can_retry: false },
  ]);
  expect(uploads.pendingCount()).toBe(0);
  expect(mediaKindOf({ type: '', name: 'CLIP.MKV' })).toBe('video');
  expect(mediaKindOf({ type: 'application/pdf', name: 'a.pdf' })).toBeNull();
});
