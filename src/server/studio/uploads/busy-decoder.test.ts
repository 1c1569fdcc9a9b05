import { afterEach, beforeAll, expect, it } from 'vitest';
import { createDecodeQueue } from '#server/platform/media/decode-queue.ts';
import { createTusFixture } from './testing/tus-fixture.ts';
import { statusAndCode, createUploadFixture, createUploadForm, createPng } from './testing/upload-fixture.ts';

const bench = createUploadFixture();
const tus = createTusFixture(() => ({
  url: bench.url(),
  key: bench.service().keys.organization,
  service: bench.service(),
}));
let queue: ReturnType<typeof createDecodeQueue>;
beforeAll(() => ({ queue } = bench.service().deps.media));
afterEach(() => setQueue(queue));

const setQueue = (next: typeof queue) => {
  const { deps } = bench.service();
  Object.assign(deps.media, { queue: next });
};
const full = () => createDecodeQueue({ slots: 1, bytes: 1, waitingPerOwner: 0, waiting: 0, waitMs: 1 });

it('returns 503 with Retry-After while the decoder is busy and keeps nothing', async () => {
  setQueue(full());
  const form = createUploadForm(bench.png());
  const headers = { authorization: `Bearer ${bench.service().keys.organization}` };
  const response = await fetch(`${bench.url()}/v1/uploads`, { method: 'POST', body: form, headers });
  const retryAfter = response.headers.get('retry-after');
  expect(Number(retryAfter)).toBeGreaterThan(0);
  const answered = { status: response.status, body: await response.text(), retryAfter };
  expect(statusAndCode(answered)).toEqual([503, 'service_unavailable']);
  expect(await bench.storedKeys()).toEqual([]);
});

it('keeps a resumable upload that arrived while the decoder was busy and completes it later', async () => {
  const bytes = await createPng(21, 9, '#753');
  const path = await tus.createUpload(bytes.length);
  setQueue(full());
  const refused = await tus.append(path, 0, bytes);
  expect([refused.status, refused.code]).toEqual([503, 'service_unavailable']);
  setQueue(queue);
  const finished = await tus.send('HEAD', path);
  expect([finished.status, finished.headers.get('upload-id')]).toEqual([200, expect.stringMatching(/^upl_/)]);
});
