import { expect, it, vi } from 'vitest';
import type { Upload } from '#contract/resources/upload.ts';
import { createUploadTray, mediaKindOf } from '#web/forms/upload-tray.ts';

const picture = (name: string) => new File(['x'], name, { type: 'image/png' });
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** An upload that the test ends by hand. */
function byHand() {
  const waiting = new Map<string, { arrive: () => void; fail: (message: string) => void; signal?: AbortSignal }>();
  const send = (file: File, { signal }: { signal?: AbortSignal }) =>
    new Promise<Upload>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      waiting.set(file.name, {
        arrive: () => resolve({ url: `https://example.com/${file.name}` } as Upload),
        fail: (message) => reject(new Error(message)),
        ...(signal ? { signal } : {}),
      });
    });
  return { waiting, tray: createUploadTray(send) };
}

it('sends two at a time, the next when one has arrived', async () => {
  const { waiting, tray } = byHand();
  tray.add('images', 'image', [picture('a'), picture('b'), picture('c')]);
  expect([...waiting.keys()]).toEqual(['a', 'b']);
  expect(tray.underWay()).toBe(3);
  waiting.get('b')?.arrive();
  await settled();
  expect([...waiting.keys()]).toEqual(['a', 'b', 'c']);
});

it('hands files over in the order in which they were given, whichever arrives first', async () => {
  const { waiting, tray } = byHand();
  const receiver = vi.fn<(field: string, upload: Upload) => void>();
  tray.deliverTo(receiver);
  const names = () => receiver.mock.calls.map(([, { url }]) => url.at(-1));
  tray.add('videos', 'image', [picture('a'), picture('b'), picture('c'), picture('d')]);
  waiting.get('b')?.arrive();
  await settled();
  expect(names()).toEqual([]);
  expect(tray.of('videos').map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  waiting.get('a')?.arrive();
  await settled();
  expect(names()).toEqual(['a', 'b']);
  waiting.get('d')?.arrive();
  await settled();
  expect(names()).toEqual(['a', 'b']);
  // One that failed, or was taken away, holds nobody up.
  waiting.get('c')?.fail('The file is too large.');
  await settled();
  expect(names()).toEqual(['a', 'b', 'd']);
  expect(tray.of('videos').map(({ name }) => name)).toEqual(['c']);
});

it('keeps what failed, with its reason, and sends it again when told', async () => {
  const { waiting, tray } = byHand();
  tray.add('images', 'image', [picture('a')]);
  waiting.get('a')?.fail('The file is too large.');
  await settled();
  const [failed] = tray.of('images');
  expect(failed).toMatchObject({ problem: 'The file is too large.', again: true });
  expect(tray.underWay()).toBe(0);
  waiting.clear();
  tray.again(failed?.id ?? 0);
  expect([...waiting.keys()]).toEqual(['a']);
});

it('does not send what is of another kind', () => {
  const { waiting, tray } = byHand();
  tray.add('videos', 'video', [picture('a')]);
  expect(waiting.size).toBe(0);
  expect(tray.of('videos')).toMatchObject([{ problem: 'This file is not a video.', again: false }]);
  expect(mediaKindOf({ type: '', name: 'CLIP.MKV' })).toBe('video');
  expect(mediaKindOf({ type: 'application/pdf', name: 'a.pdf' })).toBeNull();
});

it('stops what is taken away', async () => {
  const { waiting, tray } = byHand();
  tray.add('images', 'image', [picture('a')]);
  tray.remove(tray.of('images')[0]?.id ?? 0);
  await settled();
  expect(waiting.get('a')?.signal?.aborted).toBe(true);
  expect(tray.of('images')).toEqual([]);
});
